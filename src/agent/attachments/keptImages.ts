import type { BlobStore } from '../../engine/store.ts';
import type { FilePart, UIMessage, UIMessagePart } from '../../engine/uiMessage.ts';
import { toBase64 } from '../../engine/base64.ts';

/** The address of bytes that are kept beside the database: a message names them, and does not hold them. */
const SCHEME = 'offshoot-blob:';

/** What models take, and what a page may show: no SVG, which can hold scripts and addresses. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof imageTypes)[number];

/** A picture of a question, as its message holds it. */
export function imagePart(image: { hash: string; mediaType: ImageType; name: string }): FilePart {
  return {
    type: 'file',
    mediaType: image.mediaType,
    url: SCHEME + image.hash,
    filename: image.name,
  };
}

/** The SHA-256 of the bytes a part names; undefined for parts of other kinds. */
export function hashOfImage(part: UIMessagePart): string | undefined {
  return part.type === 'file' && 'url' in part && part.url.startsWith(SCHEME)
    ? part.url.slice(SCHEME.length)
    : undefined;
}

/** Puts the bytes of pictures back into messages, right before a model reads them. */
export class KeptImages {
  /** An answer with tools asks the model many times with the same pictures. */
  private readonly known = new Map<string, string>();

  constructor(private readonly blobs: Pick<BlobStore, 'get'>) {}

  async fill(messages: readonly UIMessage[]): Promise<UIMessage[]> {
    return Promise.all(
      messages.map(async (message) => {
        if (!message.parts.some((part) => hashOfImage(part) !== undefined)) return message;
        return { ...message, parts: await Promise.all(message.parts.map((part) => this.filled(part))) };
      }),
    );
  }

  private async filled(part: UIMessagePart): Promise<UIMessagePart> {
    const hash = hashOfImage(part);
    if (hash === undefined || part.type !== 'file') return part;
    const { mediaType, filename = 'image' } = part;
    const known = this.known.get(hash);
    if (known !== undefined) return { ...part, url: known };
    const bytes = await this.blobs.get(hash);
    if (!bytes) return { type: 'text', text: `[The image “${filename}” is no longer kept.]` };
    const url = `data:${mediaType};base64,${toBase64(bytes)}`;
    this.known.set(hash, url);
    return { ...part, url };
  }
}
