import { ImportError } from '../engine/errors.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import type { SourceFile } from './importBatch.ts';
import type { FindPicture } from './keptPictures.ts';

// What ChatGPT and Claude.ai export: a ZIP file with conversations, and with ChatGPT the pictures beside them. Entries are
// known by their names, and a name leads nowhere: nothing is unpacked.

const conversations = /(?:^|\/)conversations(?:-\d+)?\.json$/u;

/** The largest picture that is taken along, in bytes. */
const MAX_PICTURE = 20 * 1024 * 1024;

/** The entries with conversations. @throws ImportError where there are none */
export function exportEntries(entries: readonly SourceFile[]): SourceFile[] {
  const found = entries.filter(({ name }) => conversations.test(name));
  if (found.length > 0) return found;
  throw new ImportError(
    defineMessage('there is no conversations.json in it, as in exports of ChatGPT and Claude.ai'),
  );
}

/** Finds the pictures of ChatGPT's messages among the entries: each is named by its pointer, and begins so. */
export function pictureFinder(entries: readonly SourceFile[]): FindPicture {
  const byPointer = new Map<string, SourceFile>();
  for (const entry of entries) {
    const base = entry.name.slice(entry.name.lastIndexOf('/') + 1);
    const id = /^file[-_][a-zA-Z0-9]+/u.exec(base)?.[0];
    if (id !== undefined && !byPointer.has(id)) byPointer.set(id, entry);
  }
  return async (name) => {
    const id = /^file[-_][a-zA-Z0-9]+/u.exec(name.split('://').at(-1) ?? '')?.[0];
    const entry = id === undefined ? undefined : byPointer.get(id);
    if (!entry || entry.size > MAX_PICTURE) return undefined;
    try {
      const bytes = await bytesOf(entry);
      const mediaType = mediaTypeOf(bytes);
      return mediaType === undefined ? undefined : { mediaType, bytes };
    } catch {
      // One that cannot be read is one that is not there.
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

/** By how it begins: names of entries say little. */
function mediaTypeOf(bytes: Uint8Array): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 12));
  if (start.startsWith('\u0089PNG')) return 'image/png';
  if (start.startsWith('\u00ff\u00d8\u00ff')) return 'image/jpeg';
  if (start.startsWith('GIF8')) return 'image/gif';
  return start.startsWith('RIFF') && start.endsWith('WEBP') ? 'image/webp' : undefined;
}
