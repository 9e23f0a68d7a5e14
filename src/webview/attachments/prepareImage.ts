import { imageType, MAX_IMAGE_BYTES, MAX_PDF_BYTES } from '../../protocol/attachments.ts';
import { t } from '../state/texts.ts';

/** Models scale larger pictures down themselves; more pixels cost money without being used. */
const MAX_SIDE = 2_048;
const THUMBNAIL_SIDE = 96;

/** Larger files are not read, in bytes. */
const MAX_FILE_BYTES = 50_000_000;

/** A picture to send, in base64, and its thumbnail. */
export interface PreparedImage {
  readonly data: string;
  readonly thumbnail: string;
}

/** Scales it down if it is larger than models use. @throws Error that tells the user what to do */
export async function prepareImage(file: Blob, name: string): Promise<PreparedImage> {
  const type = imageType.safeParse(file.type).data;
  if (!type) throw new Error(t('{0} is not a picture that models take: PNG, JPEG, GIF or WebP.', name));
  if (file.size > MAX_FILE_BYTES) throw new Error(t('{0} is too large for a picture.', name));
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (!bitmap) throw new Error(t('{0} cannot be read as a picture. It may be damaged.', name));
  try {
    const thumbnail = await dataUrl(await drawn(bitmap, THUMBNAIL_SIDE, 'image/png'));
    const sent = await fitting(file, bitmap, type);
    if (!sent) throw new Error(t('{0} is too large for a model, also when it is made smaller.', name));
    const url = await dataUrl(sent);
    return { data: url.slice(url.indexOf(',') + 1), thumbnail };
  } finally {
    bitmap.close();
  }
}

/** In base64. @throws Error when it is too large */
export async function pdfData(file: Blob, name: string): Promise<string> {
  if (file.size > MAX_PDF_BYTES) {
    throw new Error(t('{0} is too large: PDFs have up to {1} MB.', name, MAX_PDF_BYTES / 1_000_000));
  }
  const url = await dataUrl(file);
  return url.slice(url.indexOf(',') + 1);
}

/** Unchanged if it fits; otherwise scaled down, and as a last resort with lossy compression. */
async function fitting(file: Blob, bitmap: ImageBitmap, type: string): Promise<Blob | undefined> {
  const isWide = Math.max(bitmap.width, bitmap.height) > MAX_SIDE;
  if (!isWide && file.size <= MAX_IMAGE_BYTES) return file;
  // An animation becomes its first frame.
  const first = await drawn(bitmap, MAX_SIDE, type === 'image/gif' ? 'image/png' : type);
  if (first.size <= MAX_IMAGE_BYTES) return first;
  const second = await drawn(bitmap, MAX_SIDE, 'image/jpeg');
  return second.size <= MAX_IMAGE_BYTES ? second : undefined;
}

function drawn(bitmap: ImageBitmap, side: number, type: string): Promise<Blob> {
  const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
  const [width, height] = [bitmap.width, bitmap.height].map((each) => Math.max(1, Math.round(each * scale)));
  const canvas = new OffscreenCanvas(width ?? 1, height ?? 1);
  const context = canvas.getContext('2d');
  if (!context) throw new Error(t('Pictures cannot be made smaller here.'));
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type, quality: 0.85 });
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '');
    reader.onerror = () => reject(reader.error ?? new Error('unreadable'));
    reader.readAsDataURL(blob);
  });
}
