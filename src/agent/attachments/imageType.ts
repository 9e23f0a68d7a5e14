import { imageTypes, type ImageType } from './messageFiles.ts';

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
