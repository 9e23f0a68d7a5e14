import { z } from 'zod';
import { readDataUrl } from '../base/dataUrl.ts';
import { fromBase64, sha256 } from '../engine/bytes.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import type { PortableChat } from '../engine/portableChat.ts';
import type { ImportReport } from './importReport.ts';

/** The URL prefix of a picture stored next to the conversations in an export. */
export const EXPORT_FILE = 'export-file:';

/** Finds a picture by its name in a conversation; undefined: it is missing. */
export type FindPicture = (name: string) => Promise<{ mediaType: string; bytes: Uint8Array } | undefined>;

const embedded = z.looseObject({
  type: z.literal('file'),
  // The types that models accept and a page may show.
  mediaType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  url: z.string().startsWith('data:'),
});

const exportFile = z.looseObject({ type: z.literal('file'), url: z.string().startsWith(EXPORT_FILE) });

const message = z.looseObject({ parts: z.array(z.unknown()) });

/** Keeps them outside the database, like those of our own questions; one that cannot be shown is left out. */
export async function keepPictures(
  chat: PortableChat,
  blobs: Map<string, Uint8Array>,
  report: ImportReport,
  find: FindPicture = () => Promise.resolve(undefined),
): Promise<PortableChat> {
  const keep = async (parts: readonly unknown[]): Promise<unknown[]> => {
    const all: unknown[] = [];
    for (const part of parts) {
      const kept = isFile(part) ? await keptPicture(part, blobs, find) : part;
      if (kept === undefined) report.add(defineMessage('Pictures that cannot be shown'));
      else all.push(kept);
    }
    return all;
  };
  const messages: PortableChat['messages'] = [];
  for (const each of chat.messages) {
    const read = message.safeParse(each.data).data;
    if (!read?.parts.some((part) => isFile(part) || shownBy(part))) {
      messages.push(each);
      continue;
    }
    const parts = await keep(read.parts);
    for (const [at, part] of parts.entries()) {
      const result = shownBy(part);
      if (!result) continue;
      parts[at] = { ...result, output: { ...result.output, files: await keep(result.output.files) } };
    }
    // A message needs content.
    if (parts.length === 0) parts.push({ type: 'text', text: '[A picture that cannot be shown]' });
    // The input was JSON, and nothing else was added.
    messages.push({ ...each, data: { ...read, parts } as PortableChat['messages'][number]['data'] });
  }
  return { ...chat, messages };
}

async function keptPicture(
  part: unknown,
  blobs: Map<string, Uint8Array>,
  find: FindPicture,
): Promise<object | undefined> {
  const exported = exportFile.safeParse(part).data;
  const found = exported && (await find(exported.url.slice(EXPORT_FILE.length)));
  if (found) {
    const file = { type: 'file', mediaType: found.mediaType };
    return embedded.shape.mediaType.safeParse(found.mediaType).success
      ? { ...file, url: await kept(Uint8Array.from(found.bytes), blobs) }
      : undefined;
  }
  const file = embedded.safeParse(part).data;
  const base64 = file && readDataUrl(file.url)?.base64;
  if (base64 === undefined || base64 === '') return undefined;
  try {
    return { ...file, url: await kept(Uint8Array.from(fromBase64(base64)), blobs) };
  } catch {
    // It is not base64.
    return undefined;
  }
}

async function kept(bytes: Uint8Array<ArrayBuffer>, blobs: Map<string, Uint8Array>): Promise<string> {
  const hash = await sha256(bytes);
  blobs.set(hash, bytes);
  return `offshoot-blob:${hash}`;
}

const toolResult = z.looseObject({
  type: z.literal('dynamic-tool'),
  output: z.looseObject({ files: z.array(z.unknown()) }),
});

/** The call of a tool whose result has files. */
function shownBy(part: unknown): z.infer<typeof toolResult> | undefined {
  return toolResult.safeParse(part).data;
}

function isFile(part: unknown): boolean {
  return typeof part === 'object' && part !== null && 'type' in part && part.type === 'file';
}
