import * as vscode from 'vscode';
import type { RunEvent, Runs } from '../../agent/run/runs.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { GuardedFiles } from '../../host/guardedFiles.ts';
import type { ChatFromHost } from '../../protocol/chatFromHost.ts';
import type {
  AnswersNotice,
  AnswersRequest,
  chatFromPage,
  ChatProtocol,
} from '../../protocol/chatFromPage.ts';
import { partView } from './messageView.ts';
import { openLink } from './openLink.ts';
import { openToolCall } from './toolCallFiles.ts';
import { findFiles } from '../files/findFiles.ts';
import type { OwnFiles } from '../files/ownFiles.ts';
import { runCommand } from '../manifest/runCommand.ts';
import type { Answers, Handlers } from './webviewHost.ts';
import type { Approvals } from '../../agent/tools/approvals.ts';
import type { CommandRuns } from '../../agent/tools/commands/commandRuns.ts';
import type { ContextMeter } from '../context/contextMeter.ts';
import type { SuggestedChanges } from '../files/suggestedChanges.ts';
import type { ThemeTokens } from './themeTokens.ts';
import { imageTypeOf } from '../../models/messages/messageFiles.ts';
import { toBase64 } from '../../engine/bytes.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { notify } from '../ui/notifications.ts';

/** The messages of the pages that show answers, loaded with the first one. */
export async function loadMessages(): Promise<typeof chatFromPage> {
  return (await import('../../protocol/chatFromPage.ts')).chatFromPage;
}

export class AnswersHost implements Disposable {
  private readonly deltas = new DeltaBatch((message) => this.post(message));
  private readonly colors: Disposable;

  constructor(
    private readonly deps: Parameters<typeof actOnTask>[0] & {
      readonly approvals: Approvals;
      readonly commands: CommandRuns;
      readonly context: ContextMeter;
      readonly guarded: GuardedFiles;
      readonly ownFiles: Pick<OwnFiles, 'known'>;
      readonly suggestions: SuggestedChanges;
      readonly themeTokens: ThemeTokens;
    },
    private readonly post: (message: ChatFromHost) => void,
    private readonly chatId: () => Promise<string>,
  ) {
    this.colors = deps.themeTokens.onDidChange(() => this.post({ type: 'codeColorsChanged' }));
  }

  readonly answers: Pick<Answers<ChatProtocol>, AnswersRequest['type']> = {
    readTokenStyles: async ({ themeId }) => ({ styles: await this.deps.themeTokens.read(themeId) }),
    findFiles: async ({ names }) => ({ files: await findFiles(await this.linked(), names) }),
    loadPicture: ({ name }) => loadPicture(this.deps, name),
    loadImage: ({ hash }) => loadImage(this.deps.store, hash),
  };

  /** Each host stops its answers, and has them go on, in its own way. */
  readonly handlers: Omit<Handlers<AnswersNotice>, 'stopAnswer' | 'continueAnswer' | 'retryAnswer'> = {
    copyText: async ({ text }) => {
      await vscode.env.clipboard.writeText(text);
    },
    insertText: ({ text }) => runCommand('offshoot.insertText', text),
    applyCode: (message) => this.deps.suggestions.show(message),
    openLink: async ({ href }) => openLink(await this.linked(), href),
    openToolCall: async (message) => openToolCall(await this.chatId(), message),
    actOnCommand: (message) => actOnCommand(this.deps.commands, message),
    openTask: async (message) => actOnTask(this.deps, await this.chatId(), message),
    stopTask: async (message) => actOnTask(this.deps, await this.chatId(), message),
  };

  /** Passes on the text of an answer. False for events that change more than its text. */
  pass(event: RunEvent): boolean {
    if (event.kind === 'delta') {
      this.deltas.add(event);
      return true;
    }
    if (event.kind !== 'part') return false;
    // Text sent before the event must arrive before it.
    this.deltas.flush();
    const { branch, messageId, partIndex } = event;
    const part = partView(event.part, this.deps.approvals, { isLive: true });
    this.post({ type: 'answerPart', chatId: event.run.chatId, branch, messageId, partIndex, part });
    return true;
  }

  flush(): void {
    this.deltas.flush();
  }

  /** The files that names in answers mean: those that the chat works with. */
  private async linked(): Promise<GuardedFiles> {
    const known = await this.deps.ownFiles.known();
    return (await known?.guardedOf(await this.chatId())) ?? this.deps.guarded;
  }

  dispose(): void {
    this.deltas.dispose();
    this.colors.dispose();
  }
}

type Delta = Extract<RunEvent, { kind: 'delta' }>;
type DeltaMessage = Extract<ChatFromHost, { type: 'answerDelta' }>;

/** About sixty times a second: as often as a page can display anything. */
const INTERVAL_MS = 16;

/** Batches what is streamed, so that a fast model does not send a message to the page for each token. */
class DeltaBatch {
  private pending = new Map<string, { first: Delta; texts: string[] }>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly send: (message: DeltaMessage) => void) {}

  add(delta: Delta): void {
    const key = `${delta.messageId} ${delta.partIndex}`;
    const known = this.pending.get(key);
    if (known) known.texts.push(delta.text);
    else this.pending.set(key, { first: delta, texts: [delta.text] });
    this.timer ??= setTimeout(() => this.flush(), INTERVAL_MS);
  }

  flush(): void {
    this.dispose();
    const batch = this.pending;
    this.pending = new Map();
    for (const { first, texts } of batch.values()) {
      this.send({
        type: 'answerDelta',
        chatId: first.run.chatId,
        branch: first.branch,
        messageId: first.messageId,
        partIndex: first.partIndex,
        part: { type: first.partType, text: texts.join('') },
        offset: first.offset,
      });
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}

/** Image types that hold nothing but a picture. */
const SHOWN = /^image\/(?:png|jpeg|gif|webp)$/i;

/** Larger ones, in bytes, are not shown in the chat; they can be opened from the Context view. */
const MAX_SIZE = 5_000_000;

/** Without the address if there is none to show. */
export async function loadPicture(
  { context, store }: { readonly context: ContextMeter; readonly store: ReadonlyStore },
  name: string,
): Promise<{ address?: string }> {
  const { path, userArtifacts } = await context.read();
  const version = (path.effects.artifacts.get(name) ?? userArtifacts.get(name))?.at(-1);
  if (!version || !SHOWN.test(version.mediaType) || version.size > MAX_SIZE) return {};
  const bytes = await store.blobs.get(version.hash);
  if (!bytes) return {};
  return { address: `data:${version.mediaType};base64,${toBase64(bytes)}` };
}

/** A picture by the SHA-256 of its bytes. A page gets nothing else that is stored. */
async function loadImage(
  { blobs }: Pick<ReadonlyStore, 'blobs'>,
  hash: string,
): Promise<{ mediaType: string; data?: string }> {
  const bytes = await blobs.get(hash);
  const mediaType = bytes && imageTypeOf(bytes);
  return bytes && mediaType ? { mediaType, data: toBase64(bytes) } : { mediaType: '' };
}

type CommandNotice = Extract<AnswersNotice, { type: 'actOnCommand' }>;

async function actOnCommand(
  commands: CommandRuns,
  { action, callId, commandId }: CommandNotice,
): Promise<void> {
  const run = commands.ofCall(callId, commandId);
  if (!run) {
    await notify.information(vscode.l10n.t('The terminal of this command is gone.'));
    return;
  }
  switch (action) {
    case 'stop':
      return run.stop();
    case 'leave':
      run.leave();
      return;
    case 'showTerminal':
      run.show();
      return;
  }
}

type TaskNotice = Extract<AnswersNotice, { type: 'openTask' | 'stopTask' }>;

async function actOnTask(
  { runs, store }: { readonly runs: Runs; readonly store: ReadonlyStore },
  chatId: string,
  message: TaskNotice,
): Promise<void> {
  if (message.type === 'stopTask') return runs.stop(chatId, message.branch);
  const branches = await store.listBranches(chatId, { includeArchived: true });
  // It may have been renamed since it was created.
  const branch = branches.find(({ id }) => id === message.branchId);
  if (branch) return runCommand('offshoot.openBranch', { kind: 'branch', chatId, name: branch.name });
  await notify.information(vscode.l10n.t('The branch of this task was deleted.'));
}
