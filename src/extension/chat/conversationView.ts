import * as vscode from 'vscode';
import type { ModelRegistry } from '../../agent/modelRegistry.ts';
import type { Runs } from '../../agent/runs.ts';
import type { BranchData, MessageData } from '../../engine/graph.ts';
import type { ContextStore } from '../../engine/store.ts';
import type { AsideView, ConversationView, MessageView, ModelView } from '../../protocol/views.ts';
import type { Banners } from '../banners.ts';
import type { CurrentChat } from '../currentChat.ts';
import type { Settings } from '../settings.ts';
import type { DismissedAsides } from './dismissedAsides.ts';
import { messageView, runView } from './messageView.ts';

/** How many messages the page gets at first, and how many more each time it asks. */
const WINDOW = 60;

/** How many side questions stand beside the conversation; older ones are in the tree. */
const MAX_ASIDES = 5;

export interface ViewSources {
  readonly store: ContextStore;
  readonly runs: Runs;
  readonly models: ModelRegistry;
  readonly settings: Settings;
  readonly current: CurrentChat;
  readonly banners: Banners;
  readonly dismissed: DismissedAsides;
}

/** The current conversation, as the store has it now. */
export async function readConversation(sources: ViewSources): Promise<ConversationView> {
  const { store, runs, current, banners } = sources;
  const chatId = await current.chatId();
  const chat = await store.getChat(chatId);
  const branch = chat && (await store.getActiveBranch(chatId));
  const shared = { banners: banners.all(), isReadOnly: store.isReadOnly, model: await currentModel(sources) };
  if (!chat || !branch) {
    const title = vscode.l10n.t('New chat');
    return {
      chat: { id: chatId, title },
      branch: 'main',
      branchCount: 1,
      messageCount: 0,
      messages: [],
      asides: [],
      ...shared,
    };
  }
  const messages = await messagesUpTo(store, chatId, branch.headMessageId);
  const branches = await store.listBranches(chatId);
  const asides = await readAsides(sources, branch, branches);
  // Read last: it holds every delta that was told before this moment.
  const run = runs.get(chatId, branch.name);
  return {
    chat: { id: chatId, title: chat.title ?? vscode.l10n.t('New chat') },
    branch: branch.name,
    branchCount: branches.length,
    messageCount: branch.messageCount,
    messages,
    ...(run?.status === 'streaming' ? { running: runView(run) } : {}),
    asides,
    ...shared,
  };
}

/** The messages before one that the page has. */
export async function readEarlier(
  { store, current }: ViewSources,
  beforeMessageId: string,
): Promise<MessageView[]> {
  const chatId = await current.chatId();
  const before = await store.getMessage(chatId, beforeMessageId);
  return messagesUpTo(store, chatId, before?.parentId ?? null);
}

async function messagesUpTo(
  store: ContextStore,
  chatId: string,
  headId: string | null,
): Promise<MessageView[]> {
  if (headId === null) return [];
  const names = new Map<string, string[]>();
  for (const { name, messageId } of await store.listCheckpoints(chatId)) {
    names.set(messageId, [...(names.get(messageId) ?? []), name]);
  }
  const path = await store.getPath(chatId, headId, { limit: WINDOW });
  return views(path, names);
}

function views(path: readonly MessageData[], checkpoints = new Map<string, string[]>()): MessageView[] {
  return path.flatMap((message) => messageView(message, checkpoints.get(message.id) ?? []) ?? []);
}

/** Side questions that were asked on the path of the active branch. */
async function readAsides(
  { store, runs, dismissed }: ViewSources,
  active: BranchData,
  branches: readonly BranchData[],
): Promise<AsideView[]> {
  const { chatId } = active;
  const madeAside = new Set(
    (await store.listEvents(chatId)).filter(({ kind }) => kind === 'btw').map(({ branch }) => branch),
  );
  const asides: AsideView[] = [];
  for (const branch of branches.toReversed()) {
    if (asides.length === MAX_ASIDES) break;
    if (branch.isActive || !madeAside.has(branch.name) || dismissed.has(branch.id)) continue;
    const { forkMessageId: fork, headMessageId: head } = branch;
    if (fork === null || head === null || active.headMessageId === null) continue;
    if (!(await store.getPathAfter(chatId, fork, active.headMessageId))) continue;
    const said = views((await store.getPathAfter(chatId, fork, head)) ?? []);
    const question = said.find(({ role }) => role === 'user');
    if (!question) continue;
    const run = runs.get(chatId, branch.name);
    const saved = said.find(({ role }) => role === 'assistant');
    const answer = saved ?? (run && runView(run));
    asides.unshift({
      branch: branch.name,
      question: question.parts.map(({ text }) => text).join('\n\n'),
      ...(answer ? { answer } : {}),
    });
  }
  return asides;
}

/** The model that would answer now; one that cannot be found still has a name. */
async function currentModel({ models, settings }: ViewSources): Promise<ModelView> {
  try {
    const { id, label, isDemo } = await models.current();
    return { id, label, isDemo };
  } catch {
    // Asking tells the reason; here the name is all there is room for.
    const id = settings.get('model');
    return { id, label: vscode.l10n.t('{0} (not available)', id.slice(id.indexOf(':') + 1)), isDemo: false };
  }
}
