import * as vscode from 'vscode';
import { namesOfAttached } from '../../agent/attachments/questionText.ts';
import type { ModelRegistry } from '../../agent/modelRegistry.ts';
import { effortsOf } from '../../agent/reasoning/efforts.ts';
import type { Runs } from '../../agent/runs.ts';
import type { Approvals } from '../../agent/tools/approvals.ts';
import type { MessageData } from '../../engine/graph.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { ConversationView, MessageView, ModelView, QueuedView } from '../../protocol/views.ts';
import type { MessageQueue } from '../../conversation/messageQueue.ts';
import { oneLine } from '../ui/oneLine.ts';
import type { Banners } from '../ui/banners.ts';
import type { ContextWarnings } from '../context/contextWarnings.ts';
import type { CurrentChat } from '../chats/currentChat.ts';
import { effortText, selectedEffort } from '../models/reasoningEffort.ts';
import type { Settings } from '../settings/settings.ts';
import type { SideQuestions } from './sideQuestions.ts';
import type { BranchUsage } from './branchUsage.ts';
import { messageView, runView } from '../answers/messageView.ts';
import { colourAt, readLineage, type Stretch } from './lineage.ts';
import { readVersions, versionsBesides } from './messageVersions.ts';

/** How many messages the page gets at first, and how many more each time it asks. */
const WINDOW = 50;

/** How many messages the page gets above one that is looked for, so that it does not stand at the very top. */
const ABOVE = 10;

/** The branch that the first question of a chat makes. */
export const NEW_BRANCH = 'main';

export interface ViewSources {
  readonly store: ReadonlyStore;
  readonly queue: Pick<MessageQueue, 'list'>;
  readonly runs: Runs;
  readonly models: ModelRegistry;
  readonly settings: Settings;
  readonly current: CurrentChat;
  readonly banners: Banners;
  readonly sideQuestions: SideQuestions;
  readonly approvals: Approvals;
  readonly usage: BranchUsage;
  readonly warnings: ContextWarnings;
}

/** The current conversation, as the store has it now. */
export async function readConversation(sources: ViewSources): Promise<ConversationView> {
  const { store, runs, current, banners, sideQuestions, approvals } = sources;
  const chatId = await current.chatId();
  const chat = await store.getChat(chatId);
  const branch = chat && (await store.getActiveBranch(chatId));
  const shared = { banners: banners.all(), isReadOnly: store.isReadOnly, model: await currentModel(sources) };
  if (!chat || !branch) {
    const title = vscode.l10n.t('New chat');
    return {
      chat: { id: chatId, title },
      branch: NEW_BRANCH,
      branchCount: 1,
      messageCount: 0,
      messages: [],
      sideQuestions: [],
      ...shared,
    };
  }
  const path = await pathTo(store, chatId, branch.headMessageId);
  const messages = await views(store, chatId, path);
  const branches = await store.listBranches(chatId);
  const warning = sources.warnings.read(branch.id);
  const queue = await queueView(sources, chatId, branch.id);
  const usage = await sources.usage.known(chatId, branch.headMessageId);
  const beside = await sideQuestions.read(chatId, branches, new Set(path.map(({ id }) => id)));
  const stretches = await lineageOf(store, chatId);
  const others = await versionsBesides(store, chatId, branch.headMessageId);
  // Read last: it holds every delta that was told before this moment.
  const run = runs.get(chatId, branch.name);
  const isRunning = run?.status === 'streaming';
  const running = isRunning
    ? { ...runView(run, approvals), ...(others ? { versions: others } : {}) }
    : undefined;
  return {
    chat: { id: chatId, title: chat.title ?? vscode.l10n.t('New chat') },
    branch: branch.name,
    branchCount: branches.length,
    messageCount: branch.messageCount,
    messages: running ? messages : withContinue(messages),
    ...(stretches.length > 0 ? { lineage: stretches.map(({ after: _depth, ...shown }) => shown) } : {}),
    ...(running ? { running: withLine(running, stretches, Infinity) } : {}),
    sideQuestions: beside,
    ...(queue.length > 0 ? { queue } : {}),
    ...(usage ? { usage } : {}),
    ...(warning ? { contextWarning: warning } : {}),
    ...shared,
  };
}

/** How many characters are shown of a question that waits. */
const QUEUED_LENGTH = 200;

async function queueView(
  { queue }: Pick<ViewSources, 'queue'>,
  chatId: string,
  branchId: string,
): Promise<QueuedView[]> {
  return (await queue.list(chatId, branchId)).map(({ id, text, attached, isSteering }) => {
    const shown = text.trim() === '' ? namesOfAttached(attached) : text;
    return { id, text: oneLine(shown, QUEUED_LENGTH), isSteering };
  });
}

/** Offers to continue an answer that broke off; one that had not begun can only be asked for again. */
function withContinue(messages: readonly MessageView[]): MessageView[] {
  const last = messages.at(-1);
  const isBroken = last?.role === 'assistant' && (last.status === 'failed' || last.status === 'interrupted');
  const hasBegun = last !== undefined && (last.parts.length > 0 || messages.at(-2)?.role === 'assistant');
  return isBroken && hasBegun ? [...messages.slice(0, -1), { ...last, canContinue: true }] : [...messages];
}

/** The messages before one that the page has: the next few, or from one that is looked for on. */
export async function readEarlier(
  { store, current }: ViewSources,
  { beforeMessageId, fromMessageId }: { beforeMessageId: string; fromMessageId?: string | undefined },
): Promise<MessageView[]> {
  const chatId = await current.chatId();
  const before = await store.getMessage(chatId, beforeMessageId);
  const from = fromMessageId === undefined ? undefined : await store.getMessage(chatId, fromMessageId);
  const between = before && from ? before.depth - from.depth : 0;
  const count = Math.max(WINDOW, between + ABOVE);
  return views(store, chatId, await pathTo(store, chatId, before?.parentId ?? null, count));
}

async function pathTo(
  store: ReadonlyStore,
  chatId: string,
  headId: string | null,
  limit = WINDOW,
): Promise<MessageData[]> {
  return headId === null ? [] : store.getPath(chatId, headId, { limit });
}

async function views(
  store: ReadonlyStore,
  chatId: string,
  path: readonly MessageData[],
): Promise<MessageView[]> {
  const names = new Map<string, string[]>();
  for (const { name, messageId } of await store.listCheckpoints(chatId)) {
    names.set(messageId, [...(names.get(messageId) ?? []), name]);
  }
  const heads = await branchOfHead(store, chatId);
  const versions = await readVersions(store, chatId, path);
  const stretches = await lineageOf(store, chatId);
  return path.flatMap((message) => {
    const view = messageView(message, names.get(message.id) ?? [], heads);
    const forked = versions.get(message.id);
    if (!view) return [];
    return [withLine(forked ? { ...view, versions: forked } : view, stretches, message.depth)];
  });
}

/** The stretches of the active path; none while the chat has one branch. */
async function lineageOf(store: ReadonlyStore, chatId: string): Promise<Stretch[]> {
  const branches = await store.listBranches(chatId, { includeArchived: true });
  const active = branches.find(({ isActive }) => isActive);
  return active && branches.length > 1 ? readLineage(store, active, branches) : [];
}

function withLine(view: MessageView, stretches: readonly Stretch[], depth: number): MessageView {
  return stretches.length === 0 ? view : { ...view, line: colourAt(stretches, depth) };
}

/** The branches by the messages they end with. */
async function branchOfHead(store: ReadonlyStore, chatId: string): Promise<Map<string, string>> {
  const branches = await store.listBranches(chatId, { includeArchived: true });
  return new Map(
    branches.flatMap(({ headMessageId: id, name }) => (id === null ? [] : [[id, name] as const])),
  );
}

/** The model that would answer now; one that cannot be found still has a name. */
async function currentModel({ models, settings }: ViewSources): Promise<ModelView> {
  try {
    const model = await models.current();
    const { id, label, isDemo, capabilities } = model;
    const takesImages = capabilities?.includes('images');
    const selected = selectedEffort(settings, model);
    return {
      id,
      label,
      isDemo,
      ...(takesImages === undefined ? {} : { takesImages }),
      ...(effortsOf(model).length === 0
        ? {}
        : { effort: selected === undefined ? vscode.l10n.t('Default') : effortText(selected) }),
    };
  } catch {
    // Asking tells the reason; here the name is all there is room for.
    const id = settings.get('model');
    return { id, label: vscode.l10n.t('{0} (not available)', id.slice(id.indexOf(':') + 1)), isDemo: false };
  }
}
