import * as vscode from 'vscode';
import { namesOfAttached } from '../../agent/context/plainText.ts';
import { effortsOf, pdfLimitsOf } from '../../models/modelProviders.ts';
import type { ModelRegistry } from '../../models/modelRegistry.ts';
import type { Runs } from '../../agent/run/runs.ts';
import type { Approvals } from '../../agent/tools/approvals.ts';
import { beingWrittenOn } from '../../conversation/answeredElsewhere.ts';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import { questionBefore, storedQuestion } from '../../conversation/rewind.ts';
import type { Attachment } from '../../protocol/attachments.ts';
import { isProvisional } from '../../engine/provisionalBranch.ts';
import type { BranchData, ChatData, MessageData } from '../../engine/graph.ts';
import type { Draft } from '../../engine/store.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { OwnFiles } from '../files/ownFiles.ts';
import type { BannerView, ConversationView, ModelView, QueuedView } from '../../protocol/chatFromHost.ts';
import type { MessageView } from '../../protocol/views.ts';
import type { SharedChats } from '../storage/sharedChats.ts';
import { listQueue } from '../../conversation/keptQueues.ts';
import { oneLine, shownName } from '../ui/shownName.ts';
import type { BranchLabeler, BranchLabels } from '../branches/branchLabels.ts';
import type { Banners } from '../ui/banners.ts';
import type { ContextWarnings } from '../context/contextWarnings.ts';
import type { OpenChat } from '../../conversation/conversationParts.ts';
import { effortText, selectedEffort } from '../models/reasoningEffort.ts';
import { modeText, type SelectedMode } from '../tools/selectedMode.ts';
import type { Settings } from '../manifest/settings.ts';
import { reviewView, type EditsReview } from '../files/editsReview.ts';
import type { ShownPlan } from './shownPlan.ts';
import type { ShownTodos } from './shownTodos.ts';
import type { SideQuestions } from './sideQuestions.ts';
import { compactionIn, type BranchUsage } from './branchUsage.ts';
import type { ChatUsage } from './chatUsage.ts';
import { beginningOfTurn, withSources } from '../pages/answerSources.ts';
import { draftView, messageView, runView } from '../pages/messageView.ts';
import {
  colorAt,
  readLineage,
  readVersions,
  versionsBesides,
  withoutExplored,
  type Stretch,
} from './pathForks.ts';
import type { PartOfPath } from './turns.ts';
import { isCompacted, withContinue } from './continueActions.ts';
import type { withLongRuns } from './longRuns.ts';

/** How many messages the page gets at first, and how many more each time it asks. */
const WINDOW = 50;

/** How many messages the page gets above the one to be shown, so that it is not at the very top. */
const ABOVE = 10;

/** The branch that the first question of a chat creates. */
export const NEW_BRANCH = 'main';

export interface ViewSources {
  readonly labels: BranchLabels;
  readonly store: ReadonlyStore;
  readonly runs: Runs;
  readonly models: ModelRegistry;
  readonly settings: Settings;
  readonly mode: SelectedMode;
  readonly current: Pick<OpenChat, 'chatId'>;
  readonly banners: Banners;
  readonly sideQuestions: SideQuestions;
  readonly approvals: Approvals;
  readonly usage: BranchUsage;
  readonly chatUsage: ChatUsage;
  readonly review: EditsReview;
  readonly attachments: { of(parts: readonly UIMessagePart[]): Attachment[] };
  readonly warnings: ContextWarnings;
  readonly loadLongRuns: LoadLongRuns;
  readonly ownFiles: Pick<OwnFiles, 'canBeMade' | 'knownOf' | 'onDidChange'>;
  readonly todos: ShownTodos;
  readonly plan: ShownPlan;
  /** Left out if the conversations are on this machine. */
  readonly shared: SharedChats | undefined;
}

/** @param model what is shown of the model; called once the rest has been read */
export async function readConversation(
  sources: ViewSources,
  model = () => currentModel(sources),
): Promise<ConversationView> {
  const { store, runs, current, banners, sideQuestions, approvals } = sources;
  const chatId = await current.chatId();
  const chat = await store.getChat(chatId);
  // Before the branch: what another window saves in between is in one of the two.
  const drafts = chat ? await listDrafts(sources, chatId) : [];
  const branch = chat && (await store.getActiveBranch(chatId));
  const shared = {
    banners: bannersOf(banners, !chat || !branch),
    isReadOnly: store.isReadOnly,
    ...sources.shared?.readOnlyPart(),
    mode: modeView(sources.mode),
  };
  if (!chat || !branch) {
    const title = vscode.l10n.t('New chat');
    return {
      chat: { id: chatId, title },
      branch: NEW_BRANCH,
      branchCount: 1,
      messageCount: 0,
      messages: [],
      sideQuestions: [],
      model: await model(),
      ...shared,
    };
  }
  const path = await pathTo(store, chatId, branch.headMessageId);
  const labelOf = await sources.labels.of(chatId);
  const all = await store.listBranches(chatId, { includeArchived: true });
  const stretches = await lineageOf(store, all);
  const next = runs.get(chatId, branch.name) ? 'running' : undefined;
  const messages = await views(sources, path, { chatId, labelOf, branches: all, stretches, next });
  const branches = all.filter(({ archivedAt }) => archivedAt === undefined);
  const warning = sources.warnings.read(branch.id);
  const review = reviewView(sources.review.of(chatId));
  const queue = await queueView(store, chat, branch.id);
  const usage = await sources.usage.known(chatId, branch.headMessageId);
  const storedTodos = sources.usage.todos(chatId, branch.headMessageId);
  const plan = await sources.plan.read(sources.usage.plan(chatId, branch.headMessageId), storedTodos);
  const chatUsage = sources.chatUsage.known(chatId, all);
  const compaction = sources.usage.compaction(chatId, branch.headMessageId) ?? compactionIn(path);
  const shownSideQuestions = await sideQuestions.read(chatId, branches, new Set(path.map(({ id }) => id)));
  const others = await versionsBesides(store, chatId, branch.headMessageId);
  const isUnused = await isProvisional(store, branch);
  const question = isUnused ? await questionBefore(store, branch) : undefined;
  const isHere = runs.get(chatId, branch.name) !== undefined;
  const elsewhere = isHere ? undefined : beingWrittenOn(drafts, branch.name);
  const ownFiles = await (await sources.ownFiles.knownOf(chatId))?.describe(branch);
  const shownModel = await model();
  // Read last: it holds every delta that was sent before this moment.
  const run = runs.get(chatId, branch.name);
  const isRunning = run?.status === 'streaming';
  const shownRun = isRunning
    ? runView(run, approvals)
    : elsewhere && draftView(elsewhere, sources.shared?.userId);
  // Once saved, it may be listed as a draft a moment longer.
  const isSaved = path.some(({ id }) => id === shownRun?.id);
  const todos = sources.todos.read(chatId, storedTodos, run);
  const running = shownRun && !isSaved ? { ...shownRun, ...(others ? { versions: others } : {}) } : undefined;
  return {
    chat: { id: chatId, title: chat.title ?? vscode.l10n.t('New chat') },
    branch: branch.name,
    branchId: branch.id,
    ...(isUnused ? { isProvisional: true } : {}),
    ...(question ? { question: questionView(sources, question) } : {}),
    branchLabel: labelOf(branch.name),
    branchCount: branches.length,
    messageCount: branch.messageCount,
    messages: running ? messages : withWayOn(sources, branch, messages),
    ...(compaction ? { compaction } : {}),
    ...(stretches.length > 0
      ? {
          lineage: (await withoutExplored(store, branch, stretches, all)).map(
            ({ after: _depth, ...shown }) => ({
              ...shown,
              label: labelOf(shown.branch),
            }),
          ),
        }
      : {}),
    ...(running ? { running: withLine(running, stretches, Infinity) } : {}),
    sideQuestions: shownSideQuestions,
    ...(sources.ownFiles.canBeMade ? { canHaveOwnFiles: true } : {}),
    ...(queue.length > 0 ? { queue } : {}),
    ...(todos.length > 0 ? { todos: [...todos] } : {}),
    ...(plan ? { plan } : {}),
    ...(review ? { review } : {}),
    ...(usage ? { usage } : {}),
    ...(chatUsage ? { chatUsage } : {}),
    ...(warning ? { contextWarning: warning } : {}),
    model: shownModel,
    ...shared,
    ...(ownFiles ? { banners: [...shared.banners, ownFiles.banner] } : {}),
    ...(await sources.shared?.part(chat, branch.name)),
  };
}

function questionView(
  { attachments }: Pick<ViewSources, 'attachments'>,
  question: MessageData,
): ConversationView['question'] {
  const { text, parts } = storedQuestion(question);
  return { text, attachments: attachments.of(parts) };
}

/** What is offered in place of a conversation has no place in one. */
function bannersOf(banners: Banners, isEmpty: boolean): BannerView[] {
  return banners.all().filter(({ offer }) => isEmpty || offer === undefined);
}

/** What can be done when no answer is being written. */
function withWayOn(
  { runs, approvals }: ViewSources,
  branch: BranchData,
  messages: readonly MessageView[],
): MessageView[] {
  const last = messages.at(-1);
  const failed = runs.failed(branch.chatId, branch.name);
  if (failed?.notSaved) return withUnsaved(messages, runView(failed, approvals));
  if (last && failed && isCompacted(last)) return [...messages, runView(failed, approvals)];
  if (last?.role !== 'user') return withContinue(messages);
  if (failed?.questionId === last.id) return [...messages, runView(failed, approvals)];
  return [...messages.slice(0, -1), { ...last, canAnswer: true }];
}

/** Not twice while it is being saved. */
function withUnsaved(messages: readonly MessageView[], unsaved: MessageView): MessageView[] {
  return messages.some(({ id }) => id === unsaved.id) ? [...messages] : [...messages, unsaved];
}

/** How many characters of a queued question are shown. */
const QUEUED_LENGTH = 200;

async function queueView(store: ReadonlyStore, chat: ChatData, branchId: string): Promise<QueuedView[]> {
  return (await listQueue(store, chat, branchId)).map(({ id, text, attached, isSteering }) => {
    const shown = text.trim() === '' ? namesOfAttached(attached) : text;
    return { id, text: oneLine(shown, QUEUED_LENGTH), isSteering };
  });
}

/** The messages before the first one the page has: the next few, or from a given message on. */
export async function readEarlier(
  sources: ViewSources,
  { beforeMessageId, fromMessageId }: { beforeMessageId: string; fromMessageId?: string | undefined },
): Promise<MessageView[]> {
  const { store, current, labels } = sources;
  const chatId = await current.chatId();
  const before = await store.getMessage(chatId, beforeMessageId);
  const from = fromMessageId === undefined ? undefined : await store.getMessage(chatId, fromMessageId);
  const between = before && from ? before.depth - from.depth : 0;
  const count = Math.max(WINDOW, between + ABOVE);
  const path = await pathTo(store, chatId, before?.parentId ?? null, count);
  const labelOf = await labels.of(chatId);
  const branches = await store.listBranches(chatId, { includeArchived: true });
  const stretches = await lineageOf(store, branches);
  return views(sources, path, { chatId, labelOf, branches, stretches, next: before });
}

async function pathTo(
  store: ReadonlyStore,
  chatId: string,
  headId: string | null,
  limit = WINDOW,
): Promise<MessageData[]> {
  return headId === null ? [] : store.getPath(chatId, headId, { limit });
}

interface Around {
  readonly chatId: string;
  readonly labelOf: BranchLabeler;
  /** Archived ones included. */
  readonly branches: readonly BranchData[];
  readonly stretches: readonly Stretch[];
  readonly next: PartOfPath['next'];
}

async function views(
  { store, loadLongRuns, shared }: Pick<ViewSources, 'store' | 'loadLongRuns' | 'shared'>,
  path: readonly MessageData[],
  { chatId, labelOf, branches, stretches, next }: Around,
): Promise<MessageView[]> {
  const names = new Map<string, string[]>();
  for (const { name, messageId } of await store.listCheckpoints(chatId)) {
    names.set(messageId, [...(names.get(messageId) ?? []), name]);
  }
  const heads = new Map(
    branches.flatMap(({ headMessageId: id, name }) => (id === null ? [] : [[id, name] as const])),
  );
  const versions = await readVersions(store, chatId, path);
  const kept = await keptIn(store, chatId, path);
  const shown = path.flatMap((message) => {
    const isKept = kept.has(message.id);
    const view = messageView(message, names.get(message.id) ?? [], heads, labelOf, isKept);
    const forked = versions.get(message.id);
    if (!view) return [];
    return [withLine(forked ? { ...view, versions: forked } : view, stretches, message.depth)];
  });
  const authored = (await shared?.withAuthors(chatId, shown)) ?? shown;
  const withSourced = withSources(authored, [...(await beginningOfTurn(store, path)), ...path]);
  if (!haveLongRuns(withSourced)) return withSourced;
  return (await loadLongRuns()).withLongRuns(store, { chatId, path, next }, withSourced);
}

/** The ids of messages that the user wants sent always. Most chats have none, and load nothing for it. */
async function keptIn(
  store: ReadonlyStore,
  chatId: string,
  path: readonly MessageData[],
): Promise<ReadonlySet<string>> {
  const chat = await store.getChat(chatId);
  if (chat?.metadata['keptMessages'] === undefined) return new Set();
  const { findKept } = await import('../../engine/keptMessages.ts');
  return findKept(store, chat, path);
}

/** Includes the answers for other users of a shared chat. */
async function listDrafts({ store, shared }: ViewSources, chatId: string): Promise<Draft[]> {
  return shared ? shared.othersDrafts(chatId) : store.listDrafts(chatId);
}

/** None while the chat has one branch. */
async function lineageOf(store: ReadonlyStore, branches: readonly BranchData[]): Promise<Stretch[]> {
  const active = branches.find(({ isActive }) => isActive);
  return active && branches.length > 1 ? readLineage(store, active, branches) : [];
}

function withLine(view: MessageView, stretches: readonly Stretch[], depth: number): MessageView {
  return stretches.length === 0 ? view : { ...view, line: colorAt(stretches, depth) };
}

function modeView({ current: id, agent, isUnasked }: SelectedMode): ConversationView['mode'] {
  return { id, ...modeText(id, isUnasked), ...(agent === undefined ? {} : { label: shownName(agent) }) };
}

/** A model that cannot be found still has a name. */
export async function currentModel({ models, settings }: ViewSources): Promise<ModelView> {
  try {
    const model = await models.current();
    const { id, label, isDemo, capabilities } = model;
    const takesImages = capabilities?.includes('images');
    const pdfs = pdfLimitsOf(model);
    const selected = selectedEffort(settings, model);
    return {
      id,
      label,
      isDemo,
      ...(takesImages === undefined ? {} : { takesImages }),
      ...(pdfs === undefined ? {} : { pdfs }),
      ...(effortsOf(model).length === 0
        ? {}
        : { effort: selected === undefined ? vscode.l10n.t('Default') : effortText(selected) }),
    };
  } catch {
    // Asking a question reports the reason; here there is room for the name only.
    const { id, label } = chosenModel(settings) ?? { id: '', label: '' };
    return { id, label: vscode.l10n.t('{0} (not available)', label), isDemo: false };
  }
}

/** What is known of a model before it is found; undefined if none was chosen. */
export function chosenModel(settings: Settings): ModelView | undefined {
  const id = settings.get('model');
  return id === '' ? undefined : { id, label: id.slice(id.indexOf(':') + 1), isDemo: false };
}

/** Loads the code for answers of several steps: few messages that are shown at first have any. */
type LoadLongRuns = () => Promise<{ readonly withLongRuns: typeof withLongRuns }>;

/** Whether these may include an answer of several steps: all of those call tools. */
function haveLongRuns(views: readonly MessageView[]): boolean {
  return views.some(({ parts }) => parts.some(({ type }) => type === 'tool'));
}
