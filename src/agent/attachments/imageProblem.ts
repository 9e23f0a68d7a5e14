import { pictureSize } from '../sending/pictureSize.ts';
import { imageTypeOf } from './imageType.ts';

/** The largest picture that is kept, in bytes: servers take no more once it is written in base64. */
const MAX_IMAGE_BYTES = 3_750_000;

/** How far from its end what ends a picture is looked for, in bytes: programs append notes of their own. */
const TAIL = 65_536;

/** What pictures are called besides by their own names. */
const aliases: Readonly<Record<string, string>> = { 'image/jpg': 'image/jpeg', 'image/pjpeg': 'image/jpeg' };

/**
 * Why bytes that are said to be a picture are not taken for one, in English; undefined where they are. A server refuses
 * a whole conversation for one picture that is damaged or of another kind than it says.
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

/** Whether a picture goes on to its end. */
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
