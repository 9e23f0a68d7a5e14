import { Emitter } from '../../base/emitter.ts';
import type { Event } from '../../base/disposable.ts';
import type { ProtectionReason } from '../../host/protectedFiles.ts';
import type { EachTimeReason } from './commands/judgeCommand.ts';
import type { MemoryChange } from '../memory/memoryChange.ts';
import { ToolError } from './toolError.ts';
import type { MessageDescriptor } from '../../engine/messageDescriptor.ts';
import { canAnswer, type QuestionAnswer, type UserQuestion } from './userQuestions.ts';

export const WRITE = 'write';

/** A user's answer. `chat`: do not ask about this kind again in this chat; `workspace`: nor in any other. */
export type ApprovalChoice = 'once' | 'chat' | 'workspace' | 'deny';

/** A file before and after a change; null: it does not exist. */
export interface FilePreview {
  readonly shown: string;
  readonly uri: string;
  readonly before: string | null;
  readonly after: string | null;
  /** Its current content is unsaved in an editor, and is saved with the change. */
  readonly isUnsaved?: boolean;
  /** It goes, and a rewind would bring it back as another file: of this user, with one name. */
  readonly comesBackAsAnother?: boolean;
}

export interface CommandPreview {
  readonly text: string;
  /** The folder it runs in, as the user names it. */
  readonly folder: string;
  /** Why it must be approved each time, regardless of earlier approvals. */
  readonly eachTime?: EachTimeReason;
  /** The user allowed it, but the agent has since edited the scripts it runs. */
  readonly haveScriptsChanged?: boolean;
  /** It would else run in a sandbox: must be approved each time. */
  readonly leavesSandbox?: boolean;
  /** Where a rewind would not restore what it changes, as the user names it. */
  readonly unwatched?: readonly string[] | 'everything';
}

export interface PagePreview {
  /** As it will be sent: internationalized names in Punycode, so that they cannot imitate others. */
  readonly url: string;
  /** With its port, unless it is the default. */
  readonly host: string;
  /** The host that redirected there, if any. */
  readonly from?: string;
  /** The response is not encrypted and may be changed in transit. */
  readonly isReadable: boolean;
  /** It is long enough to leak data, and must be approved each time. */
  readonly isLong: boolean;
  /** A command is to reach its host, for whatever it wants there. */
  readonly isForCommand?: boolean;
}

/** What is to be remembered or forgotten: a line each, exactly. */
export type MemoryPreview = MemoryChange & {
  /** The file, as the user names it; undefined: it stays with the branch. */
  readonly where: string | undefined;
};

export interface ApprovalRequest {
  /** What an approval for more than once covers: `write`, one exact external tool, one host's pages, or a host for commands. */
  readonly kind: string;
  /** Why it must be approved each time, regardless of earlier approvals; undefined when an answer may cover more. */
  readonly protection?: ProtectionReason | undefined;
  /** It changes a read-only file: must be approved each time as well. */
  readonly isReadOnly?: boolean;
  /** The file it wants to read, as the user names it. The answer applies only to this file in this chat. */
  readonly reads?: string;
  /** The common prefix of kinds for one thing that counts as another after a change: an external tool. */
  readonly family?: string;
  readonly preview?: FilePreview;
  readonly command?: CommandPreview;
  readonly page?: PagePreview;
  /** A hook wants the user to be asked, each time. */
  readonly hook?: MessageDescriptor;
  readonly memory?: MemoryPreview;
  /** What the user is asked in place of an approval: nothing is allowed by the answers. */
  readonly questions?: readonly UserQuestion[];
}

export interface PendingApproval extends ApprovalRequest {
  readonly id: string;
  readonly chatId: string;
  readonly toolName: string;
  /** The branch whose own files it is about; undefined: those of the workspace. */
  readonly branch?: string | undefined;
  /** It was allowed for more than once, and has changed since. */
  readonly hasChanged: boolean;
}

/** Stores approvals for a workspace; they survive the window. */
export interface AllowanceMemory {
  has(kind: string): boolean;
  list(): readonly string[];
  add(kind: string): Promise<void>;
  clear(): Promise<void>;
}

/** Approvals do not survive the program. */
export const noAllowances: AllowanceMemory = {
  has: () => false,
  list: () => [],
  add: () => Promise.resolve(),
  clear: () => Promise.resolve(),
};

export class DeniedError extends ToolError {
  constructor() {
    super(
      'The user did not allow this. Do not try to do the same in another way; ask what they want instead, or go on ' +
        'without it.',
      'denied',
    );
  }
}

export interface AskingContext {
  readonly chatId: string;
  readonly toolName: string;
  readonly signal: AbortSignal;
  readonly onAsked: (id: string) => void;
  readonly branch?: string | undefined;
}

/**
 * Asks the user. Model output cannot approve anything: an answer comes from the page, or was given before for more
 * than once. None of it is in the conversation store: open questions belong to a run, and approvals for a chat to
 * this object, both gone with the window; approvals for a workspace are in the user's own {@link AllowanceMemory}.
 */
export class Approvals {
  private readonly pending = new Map<
    string,
    { approval: PendingApproval; answer: (choice: ApprovalChoice | readonly QuestionAnswer[]) => void }
  >();
  private readonly ofChats = new Set<string>();
  private readonly changed = new Emitter<undefined>();

  /** @param isStanding whether a kind is allowed by a setting of the user */
  constructor(
    private readonly ofWorkspace: AllowanceMemory,
    private readonly isStanding: (kind: string) => boolean = () => false,
  ) {}

  get onDidChange(): Event<undefined> {
    return this.changed.event;
  }

  /**
   * Resolves when it is allowed, or answered: with the answers, or undefined if the user leaves them to the model.
   * @throws DeniedError; and when the signal fires
   */
  async ask(
    request: ApprovalRequest,
    { chatId, toolName, signal, onAsked, branch }: AskingContext,
  ): Promise<readonly QuestionAnswer[] | undefined> {
    signal.throwIfAborted();
    if (this.isAllowed(request, chatId)) return undefined;
    const id = crypto.randomUUID();
    const { promise, resolve } = Promise.withResolvers<ApprovalChoice | readonly QuestionAnswer[]>();
    this.pending.set(id, {
      approval: { ...request, id, chatId, toolName, branch, hasChanged: this.hasChanged(request, chatId) },
      answer: resolve,
    });
    this.changed.fire(undefined);
    onAsked(id);
    try {
      const choice = await untilAborted(promise, signal);
      if (typeof choice !== 'string') return choice;
      if (request.questions) return undefined;
      if (choice === 'deny') throw new DeniedError();
      if (isAskedEachTime(request)) return undefined;
      if (request.reads !== undefined || choice === 'chat') this.allowInChat(chatId, request.kind);
      else if (choice === 'workspace') {
        await this.ofWorkspace.add(request.kind);
        this.answerTheSame(chatId, request.kind, choice);
      }
      return undefined;
    } finally {
      this.pending.delete(id);
      this.changed.fire(undefined);
    }
  }

  isAllowed(request: ApprovalRequest, chatId: string): boolean {
    const { kind, reads } = request;
    if (isAskedEachTime(request)) return false;
    if (this.ofChats.has(keyOf(chatId, kind))) return true;
    return reads === undefined && (this.ofWorkspace.has(kind) || this.isStanding(kind));
  }

  /** Passes on the user's answer; false when no approval with this id is asked for any more. */
  answer(id: string, choice: ApprovalChoice): boolean {
    const found = this.pending.get(id);
    found?.answer(choice);
    return found !== undefined;
  }

  /** @param answers undefined: the model decides; false where they answer nothing that is asked */
  answerQuestions(id: string, answers: readonly QuestionAnswer[] | undefined): boolean {
    const found = this.pending.get(id);
    const { questions } = found?.approval ?? {};
    if (!questions || (answers && !canAnswer(questions, answers))) return false;
    found?.answer(answers ?? 'deny');
    return true;
  }

  get(id: string): PendingApproval | undefined {
    return this.pending.get(id)?.approval;
  }

  list(): PendingApproval[] {
    return [...this.pending.values()].map(({ approval }) => approval);
  }

  /** Whether anything is approved for more than once. */
  hasAny(): boolean {
    return this.ofChats.size > 0 || this.ofWorkspace.list().length > 0;
  }

  /** Revokes approvals for more than once. */
  async reset(): Promise<void> {
    this.ofChats.clear();
    await this.ofWorkspace.clear();
  }

  dispose(): void {
    this.changed.dispose();
  }

  private allowInChat(chatId: string, kind: string): void {
    this.ofChats.add(keyOf(chatId, kind));
    this.answerTheSame(chatId, kind, 'chat');
  }

  /** Reading calls run in parallel: the same question may be open several times, and is answered once. */
  private answerTheSame(chatId: string, kind: string, choice: ApprovalChoice): void {
    for (const { approval, answer } of this.pending.values()) {
      const isRead = approval.reads !== undefined || approval.page !== undefined;
      if (approval.chatId === chatId && approval.kind === kind && isRead && !isAskedEachTime(approval)) {
        answer(choice);
      }
    }
  }

  /** Whether another kind of the same family is allowed, but not this one. */
  private hasChanged({ family }: ApprovalRequest, chatId: string): boolean {
    if (family === undefined) return false;
    const inChat = keyOf(chatId, `${family}:`).slice(0, -2);
    return (
      this.ofWorkspace.list().some((kind) => kind.startsWith(`${family}:`)) ||
      [...this.ofChats].some((key) => key.startsWith(inChat))
    );
  }
}

export function isAskedEachTime({
  protection,
  isReadOnly,
  command,
  page,
  hook,
  questions,
}: ApprovalRequest): boolean {
  if (protection !== undefined || isReadOnly === true || hook !== undefined || questions) return true;
  return command?.eachTime !== undefined || command?.leavesSandbox === true || page?.isLong === true;
}

function keyOf(chatId: string, kind: string): string {
  return JSON.stringify([chatId, kind]);
}

/** Waits for `work`, or until `signal` fires: then it rejects and ignores the outcome of `work`. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(new DOMException('Stopped', 'AbortError'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
    // No caller needs a later outcome.
    work.catch(() => undefined);
  }
}
