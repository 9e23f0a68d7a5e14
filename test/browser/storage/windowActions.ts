import { DraftSaver } from '../../../src/agent/run/draftSaver.ts';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { assistant, user } from '../../../src/engine/fragments/index.ts';
import { textMessage, textOf } from '../../../src/engine/uiMessage.ts';
import { webStorage } from '../../../src/host/browser/webStorage.ts';
import { DurableContextStore } from '../../../src/store/durableContextStore.ts';
import type { RecoveryReport, StorageAccess } from '../../../src/store/durable/storageErrors.ts';
import { sqliteWasm } from '../wasm.ts';

/** What a window reports without being asked. */
export type WindowReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'saved'; readonly chatId: string; readonly index: number }
  | { readonly kind: 'refused'; readonly chatId: string; readonly index: number; readonly code: string }
  | { readonly kind: 'draft'; readonly length: number }
  | { readonly kind: 'access'; readonly access: StorageAccess }
  | { readonly kind: 'recovery'; readonly recovery: RecoveryReport }
  | { readonly kind: 'refresh' }
  | { readonly kind: 'error'; readonly code: string; readonly message: string };

export interface OpenOptions {
  /** Windows with the same name share their conversations. */
  readonly name: string;
  /** In bytes; by default so small that a snapshot is being made most of the time. */
  readonly journalLimit?: number;
}

export interface SaveOptions {
  /** Of each of its chats. */
  readonly saves: number;
  /** Of each message. */
  readonly length?: number;
  /** What the names of its chats begin with. */
  readonly prefix?: string;
}

/** What a window does when it is asked to. What is thrown arrives with its code. */
export interface WindowActions {
  /** @returns whether it is the writer */
  readonly open: (options: OpenOptions) => Promise<boolean>;
  /** Saves in three chats at once, two messages each time. */
  readonly save: (options: SaveOptions) => Promise<void>;
  /** As `save`, once it is the writer. */
  readonly saveAsWriter: (options: SaveOptions) => Promise<void>;
  readonly say: (...texts: string[]) => Promise<void>;
  readonly texts: () => Promise<string[]>;
  /** An answer that grows until the window ends, its draft saved as that of an answer is. */
  readonly stream: () => Promise<void>;
  readonly drafts: () => Promise<{ readonly length: number; readonly isBeingWritten: boolean }[]>;
  readonly putBlob: (length: number, byte?: number) => Promise<string>;
  readonly blobLength: (hash: string) => Promise<number | undefined>;
  readonly exportedMessages: () => Promise<number>;
  readonly close: () => Promise<void>;
}

export function windowActions(tell: (report: WindowReport) => void): WindowActions {
  let opened: DurableContextStore | undefined;
  const becomesWriter = Promise.withResolvers<undefined>();
  const store = (): DurableContextStore => {
    if (!opened) throw new Error('Nothing is open.');
    return opened;
  };

  async function saveIn(chatId: string, { saves, length = 200 }: SaveOptions): Promise<void> {
    const engine = new ContextEngine({ store: store(), chatId, userId: 'ann' });
    const before = (await engine.resolve()).messages.length / 2;
    const filler = 'x'.repeat(length);
    for (let index = before; index < before + saves; index++) {
      engine.set(user(`save ${index} question ${filler}`), assistant(`save ${index} answer ${filler}`));
      try {
        await engine.save();
        tell({ kind: 'saved', chatId, index });
      } catch (error) {
        tell({ kind: 'refused', chatId, index, code: codeOf(error) });
        break;
      }
    }
    await engine.close();
  }

  const actions: WindowActions = {
    open: async ({ name, journalLimit = 20_000 }) => {
      const { folder, platform } = webStorage(name, sqliteWasm);
      opened = new DurableContextStore({
        folder,
        platform,
        journalLimit,
        onRecovery: (recovery) => tell({ kind: 'recovery', recovery }),
        onError: (error) => tell({ kind: 'error', code: codeOf(error), message: String(error) }),
        onDidChangeAccess: (access) => {
          tell({ kind: 'access', access });
          if (access.kind === 'writer') becomesWriter.resolve(undefined);
        },
        onDidRefresh: () => tell({ kind: 'refresh' }),
      });
      await opened.listChats({ limit: 1 });
      return opened.isWriter;
    },
    save: async (options) => {
      const { prefix = '' } = options;
      await Promise.all(['a', 'b', 'c'].map((chat) => saveIn(`${prefix}${chat}`, options)));
    },
    saveAsWriter: async (options) => {
      await becomesWriter.promise;
      await actions.save(options);
    },
    say: async (...texts) => {
      const engine = new ContextEngine({ store: store(), chatId: 'chat', userId: 'ann' });
      for (const text of texts) await engine.set(user(text)).save();
      await engine.close();
    },
    texts: async () => {
      const engine = new ContextEngine({ store: store(), chatId: 'chat', userId: 'ann' });
      const texts = (await engine.resolve()).messages.map(textOf);
      await engine.close();
      return texts;
    },
    stream: async () => {
      await actions.say('question');
      let text = '';
      const saver = new DraftSaver({
        length: () => text.length,
        save: async () => {
          const message = textMessage('answer', 'assistant', text);
          await store().saveDraft({ chatId: 'chat', branch: 'main', message });
          tell({ kind: 'draft', length: textOf(message).length });
        },
        onError: (error) => tell({ kind: 'error', code: codeOf(error), message: String(error) }),
        scheduler: {
          now: () => performance.now(),
          after: (milliseconds, callback) => {
            const timer = setTimeout(callback, milliseconds);
            return { dispose: () => clearTimeout(timer) };
          },
        },
      });
      setInterval(() => {
        text += 'A few words more. '.repeat(20);
        saver.grown();
      }, 5);
    },
    drafts: async () => {
      const drafts = await store().listDrafts('chat');
      return drafts.map(({ message, isBeingWritten }) => ({
        length: textOf(message).length,
        isBeingWritten,
      }));
    },
    putBlob: (length, byte = 7) => store().blobs.put(new Uint8Array(length).fill(byte)),
    blobLength: async (hash) => (await store().blobs.get(hash))?.byteLength,
    exportedMessages: async () => (await store().exportChat('chat')).messages.length,
    close: () => store().close(),
  };
  return actions;
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
