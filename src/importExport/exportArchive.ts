import { ImportError } from '../engine/errors.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import type { SourceFile } from './importBatch.ts';
import type { FindPicture } from './keptPictures.ts';

// Exports in a ZIP file with conversations, for some programs with the pictures next to them. Entries are only looked
// up by name: nothing is unpacked.

/** Those of ChatGPT and Claude.ai; the database in a backup of Cherry Studio. */
const conversations = /(?:^|\/)conversations(?:-\d+)?\.json$|^data\.json$/u;

/** The largest picture that is imported, in bytes. */
const MAX_PICTURE = 20 * 1024 * 1024;

/** @throws ImportError if there are none */
export function exportEntries(entries: readonly SourceFile[]): SourceFile[] {
  const found = entries.filter(({ name }) => conversations.test(name));
  if (found.length > 0) return found;
  throw new ImportError(
    defineMessage(
      'there is no conversations.json in it, as in exports of ChatGPT and Claude.ai, and no data.json of Cherry Studio',
    ),
  );
}

/**
 * Finds the pictures of messages among the entries: for ChatGPT, an entry's name starts with the picture's pointer; other
 * programs say the whole name.
 */
export function pictureFinder(entries: readonly SourceFile[]): FindPicture {
  const byPointer = new Map<string, SourceFile>();
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  for (const entry of entries) {
    const base = entry.name.slice(entry.name.lastIndexOf('/') + 1);
    const id = /^file[-_][a-zA-Z0-9]+/u.exec(base)?.[0];
    if (id !== undefined && !byPointer.has(id)) byPointer.set(id, entry);
  }
  return async (name) => {
    const id = /^file[-_][a-zA-Z0-9]+/u.exec(name.split('://').at(-1) ?? '')?.[0];
    const entry = id === undefined ? byName.get(name) : byPointer.get(id);
    if (!entry || entry.size > MAX_PICTURE) return undefined;
    try {
      const bytes = await bytesOf(entry);
      const mediaType = mediaTypeOf(bytes);
      return mediaType === undefined ? undefined : { mediaType, bytes };
    } catch {
      // An unreadable picture counts as missing.
      return undefined;
    }
  };
}

async function bytesOf(entry: SourceFile): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of entry.chunks()) {
    size += piece.byteLength;
    if (size > MAX_PICTURE) throw new RangeError('It is too large.');
    pieces.push(piece);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  return bytes;
}

/** By the first bytes: entry names are unreliable. */
function mediaTypeOf(bytes: Uint8Array): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 12));
  if (start.startsWith('\u0089PNG')) return 'image/png';
  if (start.startsWith('\u00ff\u00d8\u00ff')) return 'image/jpeg';
  if (start.startsWith('GIF8')) return 'image/gif';
  return start.startsWith('RIFF') && start.endsWith('WEBP') ? 'image/webp' : undefined;
}
