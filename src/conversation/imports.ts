import { ImportError } from '../engine/errors.ts';
import { MAX_DATABASE_BYTES, MAX_SAVE_LENGTH } from '../engine/limits.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import type { PortableChat } from '../engine/portableChat.ts';
import type { ContextStore } from '../engine/store.ts';
import { keepBlobs } from '../importExport/conversationsFile.ts';
import { BatchList, type FoundChat, type ImportBatch } from '../importExport/importBatch.ts';
import { addFile, importFormats } from '../importExport/importFormats.ts';
import { ImportReport } from '../importExport/importReport.ts';
import {
  isSameSource,
  sourceMetadata,
  sourceOf,
  type ForeignChat,
  type ImportSource,
} from '../importExport/importSource.ts';

export interface ImportOutcome {
  readonly created: readonly string[];
  /** With the number of new messages. */
  readonly extended: readonly { readonly chatId: string; readonly messages: number }[];
  readonly unchanged: readonly string[];
  readonly failed: readonly { readonly title: string | undefined; readonly error: unknown }[];
  readonly leftOut: ImportReport;
  /** The import was stopped: repeating it imports the rest. */
  readonly isStopped: boolean;
}

export interface Chosen {
  readonly batch: ImportBatch;
  readonly found: readonly FoundChat[];
}

/** The growth of the database relative to the stored data: the word index and each row take extra room. */
const ROWS_AND_INDEX = 1.6;
const BYTES_PER_MESSAGE = 250;

type Store = Pick<
  ContextStore,
  | 'blobs'
  | 'importChats'
  | 'extendChat'
  | 'updateChat'
  | 'listChats'
  | 'getSkeleton'
  | 'listCheckpoints'
  | 'storageReport'
>;

export class Imports {
  readonly programs = importFormats;
  readonly addFile = addFile;

  constructor(
    private readonly store: Store,
    private readonly userId: string,
    private readonly maxBytes = MAX_DATABASE_BYTES,
  ) {}

  list(signal: AbortSignal): BatchList {
    return new BatchList(signal);
  }

  /** @throws ImportError when the database would grow beyond its limit */
  async checkRoom(found: readonly FoundChat[]): Promise<void> {
    const { database } = await this.store.storageReport();
    const room = this.maxBytes - (database.bytes - database.free);
    const needed = found.reduce(
      (sum, { length, messages }) => sum + length * ROWS_AND_INDEX + messages * BYTES_PER_MESSAGE,
      0,
    );
    if (needed <= room) return;
    throw new ImportError(
      defineMessage(
        'it needs about {0} MB, and there is room for {1} MB. Select fewer conversations, or delete chats and empty the trash',
        Math.ceil(needed / 1_048_576),
        Math.max(0, Math.floor(room / 1_048_576)),
      ),
    );
  }

  /**
   * Imports the chosen conversations, each in one transaction: an interrupted import continues when it is repeated.
   * @param onChat called with each chat before it is stored
   * @throws ImportError before anything is stored, when there is not enough room
   */
  async take(
    chosen: readonly Chosen[],
    now: number,
    signal: AbortSignal,
    onChat: (title: string | undefined) => void,
  ): Promise<ImportOutcome> {
    await this.checkRoom(chosen.flatMap(({ found }) => found));
    const taking = new Taking(this.store, this.userId, now);
    await taking.readSources();
    const isStopped = (): boolean => signal.aborted;
    for (const { batch, found } of chosen) {
      if (isStopped()) break;
      try {
        for await (const foreign of batch.read(new Set(found.map(({ key }) => key)))) {
          if (isStopped()) break;
          onChat(foreign.chat.title);
          await taking.take(foreign);
        }
      } catch (error) {
        taking.failed.push({ title: found.length === 1 ? found[0]?.title : undefined, error });
      }
    }
    return taking.outcome(isStopped());
  }
}

class Taking {
  readonly failed: { title: string | undefined; error: unknown }[] = [];
  private readonly created: string[] = [];
  private readonly extended: { chatId: string; messages: number }[] = [];
  private readonly unchanged: string[] = [];
  private readonly leftOut = new ImportReport();
  private readonly known: {
    readonly chatId: string;
    readonly source: ImportSource & { readonly at: number };
  }[] = [];

  constructor(
    private readonly store: Store,
    private readonly userId: string,
    private readonly now: number,
  ) {}

  outcome(isStopped: boolean): ImportOutcome {
    const { created, extended, unchanged, failed, leftOut } = this;
    return { created, extended, unchanged, failed, leftOut, isStopped };
  }

  async readSources(): Promise<void> {
    for (const { id, metadata } of await this.store.listChats({ userId: this.userId, details: false })) {
      const source = sourceOf(metadata);
      if (source) this.known.push({ chatId: id, source });
    }
  }

  async take(foreign: ForeignChat): Promise<void> {
    try {
      const known = this.known.find(({ source }) => isSameSource(source, foreign.source));
      await (known ? this.update(known.chatId, known.source, foreign) : this.create(foreign));
      this.leftOut.addAll(foreign.report);
    } catch (error) {
      this.failed.push({ title: foreign.chat.title, error });
    }
  }

  private async create({ source, chat, blobs }: ForeignChat): Promise<void> {
    refuseTooLong(chat);
    await keepBlobs(this.store.blobs, blobs);
    const metadata = { ...chat.metadata, ...sourceMetadata(source, this.now) };
    const [chatId] = await this.store.importChats(this.userId, [{ ...chat, metadata }]);
    if (chatId === undefined) return;
    this.created.push(chatId);
    this.known.push({ chatId, source: { ...source, at: this.now } });
  }

  private async update(
    chatId: string,
    before: ImportSource & { readonly at: number },
    { source, chat, blobs }: ForeignChat,
  ): Promise<void> {
    const there = new Set((await this.store.getSkeleton(chatId)).map(({ id }) => id));
    const marked = new Set((await this.store.listCheckpoints(chatId)).map(({ messageId }) => messageId));
    // A checkpoint that was deleted here is not restored.
    const checkpoints = chat.checkpoints.filter(
      ({ messageId, createdAt }) =>
        !there.has(messageId) || (createdAt > before.at && !marked.has(messageId)),
    );
    const isNew = chat.messages.some(({ id }) => !there.has(id)) || checkpoints.length > 0;
    if (!isNew) {
      this.unchanged.push(chatId);
      return;
    }
    refuseTooLong(chat);
    await keepBlobs(this.store.blobs, blobs);
    const { messages } = await this.store.extendChat(
      chatId,
      { ...chat, checkpoints },
      { userId: this.userId },
    );
    const ids = [...new Set([...before.ids, ...source.ids])];
    await this.store.updateChat(chatId, { metadata: sourceMetadata({ ...source, ids }, this.now) });
    if (messages === 0 && checkpoints.length === 0) this.unchanged.push(chatId);
    else this.extended.push({ chatId, messages });
  }
}

/** A chat is stored in one transaction. @throws ImportError */
function refuseTooLong({ messages }: PortableChat): void {
  const length = messages.reduce((sum, { data }) => sum + JSON.stringify(data).length, 0);
  if (length <= MAX_SAVE_LENGTH) return;
  throw new ImportError(
    defineMessage('it is larger than {0}', `${Math.round(MAX_SAVE_LENGTH / 1_048_576)} MB`),
  );
}
