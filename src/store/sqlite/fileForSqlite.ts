/**
 * The bytes of a database file for sql.js, which keeps its file in memory. sql.js would copy them with `slice`, and
 * copy them again, larger, once the file grows; for a large file each copy takes longer than the rest of opening.
 * Therefore it gets the bytes themselves, with spare room to grow in their buffer, and owns them from then on. An
 * sql.js that accesses them differently gets a copy, as from any array.
 */
export class FileForSqlite extends Uint8Array<ArrayBuffer> {
  /** Slices of it are ordinary arrays. */
  static get [Symbol.species](): Uint8ArrayConstructor {
    return Uint8Array;
  }

  /** @param file its buffer must not be used elsewhere, and must hold zeros after the file */
  constructor(file: Uint8Array<ArrayBuffer>) {
    super(file.buffer, file.byteOffset, file.byteLength);
  }

  override slice(start = 0, end = this.length): Uint8Array<ArrayBuffer> {
    const isWhole = start === 0 && end === this.length;
    return isWhole ? new Uint8Array(this.buffer, this.byteOffset) : super.slice(start, end);
  }
}
