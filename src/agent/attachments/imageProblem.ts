import { pictureSize } from '../sending/pictureSize.ts';
import { imageTypeOf } from './imageType.ts';

/** The largest picture that is kept, in bytes: servers accept no more once it is base64-encoded. */
const MAX_IMAGE_BYTES = 3_750_000;

/** How far from the end to search for a picture's end marker, in bytes: programs append their own data. */
const TAIL = 65_536;

/** Other names for the picture types. */
const aliases: Readonly<Record<string, string>> = { 'image/jpg': 'image/jpeg', 'image/pjpeg': 'image/jpeg' };

/**
 * Why bytes are rejected as a picture, in English; undefined if they are accepted. A server refuses a whole
 * conversation for one picture that is damaged or of a different type than declared.
 */
export function imageProblem(bytes: Uint8Array, declared: string): string | undefined {
  const type = imageTypeOf(bytes);
  if (type === undefined) return `its bytes are no ${declared}`;
  const named = declared.toLowerCase();
  if ((aliases[named] ?? named) !== type) return `it is said to be ${declared}, and is ${type}`;
  const size = pictureSize(bytes);
  if (size === undefined || size.width === 0 || size.height === 0 || !isWhole(bytes, type)) {
    return 'it is damaged';
  }
  return bytes.byteLength > MAX_IMAGE_BYTES
    ? `it is too large (${bytes.byteLength} bytes; models take up to ${MAX_IMAGE_BYTES})`
    : undefined;
}

/** Whether a picture is complete. */
function isWhole(bytes: Uint8Array, type: string): boolean {
  const tail = bytes.subarray(-TAIL);
  switch (type) {
    case 'image/png':
      return includes(tail, [0x49, 0x45, 0x4e, 0x44]);
    case 'image/jpeg':
      return includes(tail, [0xff, 0xd9]);
    case 'image/gif':
      return tail.includes(0x3b);
    default: {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      return view.getUint32(4, true) + 8 <= bytes.byteLength;
    }
  }
}

function includes(bytes: Uint8Array, wanted: readonly number[]): boolean {
  const [first = 0] = wanted;
  for (let at = bytes.lastIndexOf(first); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf(first, at - 1)) {
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return true;
  }
  return false;
}
