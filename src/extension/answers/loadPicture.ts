import { imageTypeOf } from '../../agent/attachments/imageType.ts';
import { toBase64 } from '../../engine/base64.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { ContextMeter } from '../context/contextMeter.ts';

/** Image types that hold nothing but a picture. */
const SHOWN = /^image\/(?:png|jpeg|gif|webp)$/i;

/** Larger ones, in bytes, are not shown in the chat; they can be opened from the Context view. */
const MAX_SIZE = 5_000_000;

/** A picture among the current artifacts, as a data address; without the address if there is none to show. */
export async function loadPicture(
  { context, store }: { readonly context: ContextMeter; readonly store: ReadonlyStore },
  name: string,
): Promise<{ address?: string }> {
  const { path, userArtifacts } = await context.read();
  const version = (path.effects.artifacts.get(name) ?? userArtifacts.get(name))?.at(-1);
  if (!version || !SHOWN.test(version.mediaType) || version.size > MAX_SIZE) return {};
  const bytes = await store.blobs.get(version.hash);
  if (!bytes) return {};
  return { address: `data:${version.mediaType};base64,${toBase64(bytes)}` };
}

/** A picture by the SHA-256 of its bytes. A page gets nothing else that is stored. */
export async function loadImage(
  { blobs }: Pick<ReadonlyStore, 'blobs'>,
  hash: string,
): Promise<{ mediaType: string; data?: string }> {
  const bytes = await blobs.get(hash);
  const mediaType = bytes && imageTypeOf(bytes);
  return bytes && mediaType ? { mediaType, data: toBase64(bytes) } : { mediaType: '' };
}
