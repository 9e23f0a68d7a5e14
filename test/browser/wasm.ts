let bytes: Promise<Uint8Array<ArrayBuffer>> | undefined;

/** The bytes of SQLite, from the server that the page came from. */
export function sqliteWasm(): Promise<Uint8Array<ArrayBuffer>> {
  bytes ??= fetch('/sql-wasm.wasm')
    .then((response) => response.arrayBuffer())
    .then((buffer) => new Uint8Array(buffer));
  return bytes;
}
