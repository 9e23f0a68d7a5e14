import { imageTypeOf } from './messageFiles.ts';

/** The largest picture that is kept, in bytes: servers accept no more once it is base64-encoded. */
const MAX_IMAGE_BYTES = 3_750_000;

/** How far from the end to search for a picture's end marker, in bytes: programs append their own data. */
const TAIL = 65_536;

const aliases: Readonly<Record<string, string>> = { 'image/jpg': 'image/jpeg', 'image/pjpeg': 'image/jpeg' };

/** In English; undefined if accepted. One damaged or wrongly declared picture makes servers refuse a conversation. */
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

/** In pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** Undefined if these first bytes do not contain it. */
export function pictureSize(bytes: Uint8Array): PictureSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (view.getUint32(0) === 0x89504e47) return { width: view.getUint32(16), height: view.getUint32(20) };
    if (view.getUint32(0) === 0x47494638) {
      return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
    }
    if (view.getUint16(0) === 0xffd8) return jpegSize(view);
    if (view.getUint32(0) === 0x52494646 && view.getUint32(8) === 0x57454250) return webpSize(view);
    return undefined;
  } catch (error) {
    // The data ends before the size.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The size is in the header of a frame, after segments of any kind. */
function jpegSize(view: DataView): PictureSize | undefined {
  for (let at = 2; view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** Each of the three kinds stores it at a different offset. */
function webpSize(view: DataView): PictureSize | undefined {
  switch (view.getUint32(12)) {
    case 0x56503820: // "VP8 "
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case 0x5650384c: {
      // "VP8L": 14 bits each, stored minus one.
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 0x56503858: {
      // "VP8X": 24 bits each, stored minus one.
      const width = view.getUint16(24, true) + (view.getUint8(26) << 16) + 1;
      return { width, height: view.getUint16(27, true) + (view.getUint8(29) << 16) + 1 };
    }
    default:
      return undefined;
  }
}
