import { ImportError } from '../engine/errors.ts';
import type { PortableChat } from '../engine/portableChat.ts';
import type { ContextStore } from '../engine/store.ts';
import { isConversations, keepBlobs, readConversations } from './conversationsFile.ts';
import { isPiSession, readPiSession } from './piSession.ts';
import { isVsCodeChat, readVsCodeChat } from './vscodeChat.ts';
import { phrase } from '../engine/phrase.ts';

/**
 * Takes in a file of Offshoot's, of VS Code's chat, or a session of pi: all of it or, with a fault anywhere, nothing.
 * @returns the ids of the chats
 * @throws ImportError
 */
export async function importFile(
  store: ContextStore,
  userId: string,
  bytes: Uint8Array,
  now: number,
): Promise<string[]> {
  const { chats, blobs } = readFile(textOf(bytes), now);
  await keepBlobs(store.blobs, blobs);
  return store.importChats(userId, chats);
}

function readFile(
  text: string,
  now: number,
): { chats: PortableChat[]; blobs: ReadonlyMap<string, Uint8Array> } {
  try {
    if (isPiSession(text)) return { chats: [readPiSession(text, now)], blobs: new Map() };
    const value = parsed(text);
    if (isConversations(value)) return readConversations(value);
    if (isVsCodeChat(value)) return { chats: [readVsCodeChat(value, now)], blobs: new Map() };
  } catch (cause) {
    // What nests without end is more than any reader can take.
    if (cause instanceof RangeError)
      throw new ImportError(phrase('it is nested too deep or too long'), { cause });
    throw cause;
  }
  throw new ImportError(
    phrase(
      'it is neither a file of conversations of Offshoot, nor an exported chat of VS Code, nor a session of pi',
    ),
  );
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ImportError(phrase('it is not a text in UTF-8'), { cause });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof RangeError) throw cause;
    throw new ImportError(
      phrase('it is not JSON ({0})', cause instanceof Error ? cause.message.slice(0, 200) : 'unreadable'),
      {
        cause,
      },
    );
  }
}
