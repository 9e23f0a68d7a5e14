import { BranchBusyError } from '../agent/run/runs.ts';
import {
  BranchNotFoundError,
  CheckpointExistsError,
  MessageNotFoundError,
  OffshootError,
} from '../engine/errors.ts';
import type { BranchData } from '../engine/graph.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import type { ConversationParts } from './conversationParts.ts';
import { mergeSummary, ownPart } from './summarize.ts';
import { summaryMessage } from './summaryNode.ts';
import { withEngine } from './activeBranch.ts';

class NothingToNoteError extends OffshootError {
  constructor() {
    super('conversation-empty', defineMessage('Nothing has been said on this branch yet.'));
  }
}

/** The user has allowed the request. */
interface Asked {
  readonly chatId: string;
  /** The name the program gives itself. */
  readonly program: string;
}

export interface AskedCheckpoint extends Asked {
  readonly name: string;
  readonly messageId: string;
}

export interface AskedNote extends Asked {
  readonly branch: string;
  readonly text: string;
}

export interface AskedSummary extends Asked {
  readonly from: string;
  readonly into: string;
  readonly text: string;
}

/** The branch, and the message that was marked or made. */
export interface Written {
  readonly branch: string;
  readonly messageId: string;
}

type ProgramWritesParts = Pick<ConversationParts, 'userId' | 'store'> & {
  readonly runs: Pick<ConversationParts['runs'], 'get'>;
};

/** The user has allowed each of these writes; none switches the user to another branch or changes existing data. */
export class ProgramWrites {
  private readonly by: { readonly userId: string };

  constructor(private readonly parts: ProgramWritesParts) {
    this.by = { userId: parts.userId };
  }

  /** An existing checkpoint of the name is not moved. @throws CheckpointExistsError, MessageNotFoundError */
  async createCheckpoint({ chatId, name, messageId }: AskedCheckpoint): Promise<void> {
    const { store } = this.parts;
    if (await store.getCheckpoint(chatId, name)) throw new CheckpointExistsError(name);
    if (!(await store.getMessage(chatId, messageId))) throw new MessageNotFoundError(messageId);
    await withEngine(this.parts, chatId, (engine) => engine.checkpoint(name, { messageId }));
  }

  /** The note is for the model. @throws BranchBusyError while an answer is written there */
  async addNote({ chatId, branch: name, text, program }: AskedNote): Promise<Written> {
    const branch = await this.idle(chatId, name);
    const head = branch.headMessageId;
    if (head === null) throw new NothingToNoteError();
    const note = summaryMessage(
      {
        kind: 'note',
        text,
        model: program,
        writtenAt: new Date().toISOString(),
        source: { branch: name, headMessageId: head, from: head, to: head, count: 0 },
      },
      undefined,
    );
    const saved = await this.parts.store.saveMessages({
      chatId,
      branch: name,
      expectedHead: head,
      onHeadConflict: 'error',
      ...this.by,
      newBranchAt: undefined,
      activate: false,
      messages: [note],
    });
    return { branch: saved.branch.name, messageId: note.id };
  }

  /** @throws BranchBusyError while an answer is written there, NothingToTakeError */
  async mergeSummary({ chatId, from, into, text, program }: AskedSummary): Promise<Written> {
    const source = await this.named(chatId, from);
    const target = await this.idle(chatId, into);
    const written = { text, model: program, now: Date.now() };
    const { name, headMessageId } = await mergeSummary(this.parts.store, source, target, written, this.by);
    return { branch: name, messageId: headMessageId ?? '' };
  }

  /** @throws NothingToTakeError when `into` has every message of `from` */
  async requireOwnPart(chatId: string, from: string, into: string): Promise<void> {
    await ownPart(this.parts.store, await this.named(chatId, from), await this.named(chatId, into));
  }

  private async named(chatId: string, name: string): Promise<BranchData> {
    const branch = await this.parts.store.getBranch(chatId, name, this.by);
    if (!branch) throw new BranchNotFoundError(name);
    return branch;
  }

  /** A branch with no answer in progress, in this window or in another. */
  private async idle(chatId: string, name: string): Promise<BranchData> {
    const { runs, store } = this.parts;
    const drafts = await store.listDrafts(chatId, this.by);
    const isAnswered = drafts.some(({ branch, isBeingWritten }) => branch === name && isBeingWritten);
    if (isAnswered || runs.get(chatId, name)) throw new BranchBusyError(name);
    return this.named(chatId, name);
  }
}
