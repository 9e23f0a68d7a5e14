import type { BlobStore } from '../../engine/store.ts';
import { isToolPart, type FilePart, type UIMessage, type UIMessagePart } from '../../engine/uiMessage.ts';
import { toBase64 } from '../../engine/bytes.ts';
import { toolFilesOf, withToolFiles } from './toolFiles.ts';

/** The address of bytes kept outside the database: a message names them and does not hold them. */
const SCHEME = 'offshoot-blob:';

/** The types that models accept and a page may show: no SVG, which can hold scripts and addresses. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof imageTypes)[number];

export const PDF_TYPE = 'application/pdf';

export function imagePart(image: { hash: string; mediaType: ImageType; name: string }): FilePart {
  return {
    type: 'file',
    mediaType: image.mediaType,
    url: SCHEME + image.hash,
    filename: image.name,
  };
}

export function pdfPart({
  hash,
  name,
  size,
  pages,
}: {
  readonly hash: string;
  readonly name: string;
  /** In bytes; omitted if unknown. */
  readonly size?: number | undefined;
  /** Omitted if they could not be counted. */
  readonly pages?: number | undefined;
}): FilePart {
  return {
    type: 'file',
    mediaType: PDF_TYPE,
    url: SCHEME + hash,
    filename: name,
    providerMetadata: {
      offshoot: { ...(size === undefined ? {} : { size }), ...(pages === undefined ? {} : { pages }) },
    },
  };
}

/** What is known of a PDF without its bytes; nothing for one recorded by another program. */
export function pdfFacts(metadata: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined): {
  readonly size?: number;
  readonly pages?: number;
} {
  const { size, pages } = metadata?.['offshoot'] ?? {};
  return {
    ...(isCount(size) ? { size } : {}),
    ...(isCount(pages) ? { pages } : {}),
  };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

/** The SHA-256 of the bytes a part names; undefined for other kinds of parts. */
export function hashOfFile(part: UIMessagePart): string | undefined {
  return part.type === 'file' && 'url' in part && part.url.startsWith(SCHEME)
    ? part.url.slice(SCHEME.length)
    : undefined;
}

/** Puts the bytes of pictures and PDFs back into messages, right before a model reads them. */
export class KeptFiles {
  /** An answer with tools sends the same files to the model many times. */
  private readonly known = new Map<string, string>();

  constructor(private readonly blobs: Pick<BlobStore, 'get'>) {}

  async fill(messages: readonly UIMessage[]): Promise<UIMessage[]> {
    return Promise.all(
      messages.map(async (message) => {
        if (!message.parts.some(namesFiles)) return message;
        return { ...message, parts: await Promise.all(message.parts.map((part) => this.filled(part))) };
      }),
    );
  }

  private async filled(part: UIMessagePart): Promise<UIMessagePart> {
    if (isToolPart(part)) {
      const files = toolFilesOf(part);
      if (files.length === 0) return part;
      const filled = await Promise.all(files.map((file) => this.filled(file)));
      // A missing file has become a text part.
      return withToolFiles(part, filled);
    }
    const hash = hashOfFile(part);
    if (hash === undefined || part.type !== 'file') return part;
    const { mediaType, filename = 'image' } = part;
    const known = this.known.get(hash);
    if (known !== undefined) return { ...part, url: known };
    const bytes = await this.blobs.get(hash);
    if (!bytes) {
      const what = mediaType === PDF_TYPE ? 'PDF' : 'image';
      return { type: 'text', text: `[The ${what} “${filename}” is no longer kept.]` };
    }
    const url = `data:${mediaType};base64,${toBase64(bytes)}`;
    this.known.set(hash, url);
    return { ...part, url };
  }
}

function namesFiles(part: UIMessagePart): boolean {
  return hashOfFile(part) !== undefined || (isToolPart(part) && toolFilesOf(part).length > 0);
}

const beginnings: Readonly<Record<ImageType, (bytes: Uint8Array) => boolean>> = {
  'image/png': (bytes) => begins(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  'image/jpeg': (bytes) => begins(bytes, [0xff, 0xd8, 0xff]),
  'image/gif': (bytes) => begins(bytes, [0x47, 0x49, 0x46, 0x38]),
  'image/webp': (bytes) =>
    begins(bytes, [0x52, 0x49, 0x46, 0x46]) && begins(bytes.subarray(8), [0x57, 0x45, 0x42, 0x50]),
};

/** The picture type of bytes by how they begin, ignoring their name; undefined for everything else. */
export function imageTypeOf(bytes: Uint8Array): ImageType | undefined {
  return imageTypes.find((type) => beginnings[type](bytes));
}

function begins(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

/** The largest PDF that is kept, in bytes: in base64 it must leave room in a request for the conversation. */
export const MAX_PDF_BYTES = 20_000_000;

/** The header may follow other bytes: readers search this far for it. */
const HEADER_WITHIN = 1_024;

export function isPdf(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, HEADER_WITHIN)).includes('%PDF-');
}
