import { Emitter } from '../../kit/emitter.ts';
import type { Event } from '../../kit/disposable.ts';
import type { ProtectionReason } from '../../platform/protectedFiles.ts';
import type { EachTimeReason } from './commands/judgeCommand.ts';
import { ToolError } from './toolError.ts';
import { untilAborted } from './untilAborted.ts';

/** What an allowance to write files covers. */
export const WRITE = 'write';

/** What a user answers. `chat`: the same kind of thing is not asked again in this chat; `workspace`: nor in any other. */
export type ApprovalChoice = 'once' | 'chat' | 'workspace' | 'deny';

/** A file as it is and as it would be; null: there is none. */
export interface FilePreview {
  readonly shown: string;
  readonly uri: string;
  readonly before: string | null;
  readonly after: string | null;
  /** What it is now is in an editor and not saved; that is saved with the change. */
  readonly isUnsaved?: boolean;
}

/** A command that is to be run. */
export interface CommandPreview {
  readonly text: string;
  /** The folder it runs in, as the user names it. */
  readonly folder: string;
  /** Why it is asked each time, whatever was allowed before. */
  readonly eachTime?: EachTimeReason;
  /** The user allowed it, but the agent has edited what it runs. */
  readonly haveScriptsChanged?: boolean;
}

/** A web page that is to be fetched. */
export interface PagePreview {
  /** As it will be sent: names of other scripts are in letters that cannot look like others. */
  readonly url: string;
  /** With its port, unless that is the usual one. */
  readonly host: string;
  /** The host that sent there, where one did. */
  readonly from?: string;
  /** What comes back is not encrypted, and may be changed on its way. */
  readonly isReadable: boolean;
  /** It has room for what somebody may want to carry out, and is asked about each time. */
  readonly isLong: boolean;
}

/** What a tool wants to do. */
export interface ApprovalRequest {
  /** What an answer for more than once covers: `write`, one tool of others as it is now, or pages of one host. */
  readonly kind: string;
  /** Why it is asked each time, whatever was allowed before; undefined when an answer may cover more than this once. */
  readonly protection?: ProtectionReason | undefined;
  /** The file it wants to read, as the user names it. The answer holds for this file, and never beyond this chat. */
  readonly reads?: string;
  /** What the kinds of one thing begin with, where it may change and then counts as another: a tool of others. */
  readonly family?: string;
  readonly preview?: FilePreview;
  readonly command?: CommandPreview;
  readonly page?: PagePreview;
}

export interface PendingApproval extends ApprovalRequest {
  readonly id: string;
  readonly chatId: string;
  readonly toolName: string;
  /** It was allowed for more than once, and is not what it was then. */
  readonly hasChanged: boolean;
}

/** Where allowances for a workspace are kept; they outlive the window. */
export interface AllowanceMemory {
  has(kind: string): boolean;
  list(): readonly string[];
  add(kind: string): Promise<void>;
  clear(): Promise<void>;
}

/** Nothing is allowed for longer than the program runs. */
export const noAllowances: AllowanceMemory = {
  has: () => false,
  list: () => [],
  add: () => Promise.resolve(),
  clear: () => Promise.resolve(),
};

/** The user did not allow it. */
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
  /** It is being asked under this id; the answer is not there yet. */
  readonly onAsked: (id: string) => void;
}

/**
 * Asks the user. Nothing a model says gets here: an answer comes from the page, or it was given before for more than
 * once. None of it is in the store of conversations: what waits belongs to a run, and what was allowed for a chat to this
 * object, both gone with the window; what was allowed for a workspace is in {@link AllowanceMemory}, which is the user's own.
 */
export class Approvals {
  private readonly pending = new Map<
    string,
    { approval: PendingApproval; answer: (choice: ApprovalChoice) => void }
  >();
  private readonly ofChats = new Set<string>();
  private readonly changed = new Emitter<undefined>();

  /** @param isStanding whether a kind is allowed by a setting of the user */
  constructor(
    private readonly ofWorkspace: AllowanceMemory,
    private readonly isStanding: (kind: string) => boolean = () => false,
  ) {}

  /** What is being asked has changed. */
  get onDidChange(): Event<undefined> {
    return this.changed.event;
  }

  /**
   * Resolves when it is allowed.
   * @throws DeniedError; and when the signal fires
   */
  async ask(request: ApprovalRequest, { chatId, toolName, signal, onAsked }: AskingContext): Promise<void> {
    signal.throwIfAborted();
    if (this.isAllowed(request, chatId)) return;
    const id = crypto.randomUUID();
    const { promise, resolve } = Promise.withResolvers<ApprovalChoice>();
    this.pending.set(id, {
      approval: { ...request, id, chatId, toolName, hasChanged: this.hasChanged(request, chatId) },
      answer: resolve,
    });
    this.changed.fire(undefined);
    onAsked(id);
    try {
      const choice = await untilAborted(promise, signal);
      if (choice === 'deny') throw new DeniedError();
      if (isAskedEachTime(request)) return;
      if (request.reads !== undefined || choice === 'chat') this.allowInChat(chatId, request.kind);
      else if (choice === 'workspace') {
        await this.ofWorkspace.add(request.kind);
        this.answerTheSame(chatId, request.kind, choice);
      }
    } finally {
      this.pending.delete(id);
      this.changed.fire(undefined);
    }
  }

  /** Whether this was allowed before, so that nobody is asked. */
  isAllowed(request: ApprovalRequest, chatId: string): boolean {
    const { kind, reads } = request;
    if (isAskedEachTime(request)) return false;
    if (this.ofChats.has(keyOf(chatId, kind))) return true;
    return reads === undefined && (this.ofWorkspace.has(kind) || this.isStanding(kind));
  }

  /** The user's answer; false when nothing is asked under this id any more. */
  answer(id: string, choice: ApprovalChoice): boolean {
    const found = this.pending.get(id);
    found?.answer(choice);
    return found !== undefined;
  }

  get(id: string): PendingApproval | undefined {
    return this.pending.get(id)?.approval;
  }

  list(): PendingApproval[] {
    return [...this.pending.values()].map(({ approval }) => approval);
  }

  /** Takes back what was allowed for more than once. */
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

  /** Calls that read stand side by side: the same may be asked several times at once, and is answered once. */
  private answerTheSame(chatId: string, kind: string, choice: ApprovalChoice): void {
    for (const { approval, answer } of this.pending.values()) {
      const isRead = approval.reads !== undefined || approval.page !== undefined;
      if (approval.chatId === chatId && approval.kind === kind && isRead && !isAskedEachTime(approval)) {
        answer(choice);
      }
    }
  }

  /** Whether something of the same family is allowed, though not this. */
  private hasChanged({ family }: ApprovalRequest, chatId: string): boolean {
    if (family === undefined) return false;
    const inChat = keyOf(chatId, `${family}:`).slice(0, -2);
    return (
      this.ofWorkspace.list().some((kind) => kind.startsWith(`${family}:`)) ||
      [...this.ofChats].some((key) => key.startsWith(inChat))
    );
  }
}

/** Whether no answer covers more than this once. */
export function isAskedEachTime({ protection, command, page }: ApprovalRequest): boolean {
  return protection !== undefined || command?.eachTime !== undefined || page?.isLong === true;
}

function keyOf(chatId: string, kind: string): string {
  return JSON.stringify([chatId, kind]);
}
