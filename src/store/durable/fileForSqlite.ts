/** How much longer the buffer of a file is than its bytes, as a part of them: as much as sql.js would add at once. */
export const SPARE = 1 / 8;

/**
 * The bytes of a database file for sql.js, which keeps its file in memory. It would make a copy of them with `slice`,
 * and another, larger one once the file grows; for a large file each takes longer than all else that opening does. So
 * it gets the bytes themselves, with the rest of their buffer to grow into: they belong to it from then on.
 * An sql.js that asks in another way gets a copy, as from any array.
 */
export class FileForSqlite extends Uint8Array<ArrayBuffer> {
  /** Parts of it are arrays as any other. */
  static get [Symbol.species](): Uint8ArrayConstructor {
    return Uint8Array;
  }

  /** @param file nobody else uses its buffer, and zeros follow it there */
  constructor(file: Uint8Array<ArrayBuffer>) {
    super(file.buffer, file.byteOffset, file.byteLength);
  }

  override slice(start = 0, end = this.length): Uint8Array<ArrayBuffer> {
    const isWhole = start === 0 && end === this.length;
    return isWhole ? new Uint8Array(this.buffer, this.byteOffset) : super.slice(start, end);
  }
}
