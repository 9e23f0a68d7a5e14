import { OffshootError } from '../engine/errors.ts';
import { SqlContextStore } from '../store/sqlite/contextStore.ts';
import { memoryBacking } from '../store/sqlite/inMemory.ts';

export * from './portable.ts';

/** The location of SQLite: the address of `sql-wasm.wasm`, or its bytes. */
export type WasmSource = string | URL | Uint8Array<ArrayBuffer>;

/** Options of a store in a browser. */
export interface InMemoryContextStoreOptions {
  /** Default: `sql-wasm.wasm` next to the module, where bundlers that follow `new URL(…, import.meta.url)` put it. */
  readonly wasm?: WasmSource;
}

/** `sql-wasm.wasm` could not be fetched, or the fetched file is something else. */
export class WasmNotLoadedError extends OffshootError {
  constructor(
    readonly address: string,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(
      'wasm-not-loaded',
      `Could not load SQLite from ${address} (${reason}). Serve the package's sql-wasm.wasm there, or pass its address or bytes as "wasm".`,
      options,
    );
  }
}

/** Conversations in memory for the lifetime of this object, in a browser. The first call fetches SQLite. */
export class InMemoryContextStore extends SqlContextStore {
  constructor({ wasm = new URL('./sql-wasm.wasm', import.meta.url) }: InMemoryContextStoreOptions = {}) {
    super(memoryBacking(() => wasmBytes(wasm)));
  }
}

async function wasmBytes(source: WasmSource): Promise<Uint8Array<ArrayBuffer>> {
  if (source instanceof Uint8Array) return source;
  const address = String(source);
  const response = await fetch(source).catch((error: unknown) => {
    throw new WasmNotLoadedError(address, 'no connection', { cause: error });
  });
  if (!response.ok) throw new WasmNotLoadedError(address, `status ${response.status}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  // Servers of single-page applications return their page for unknown addresses.
  if (!isWasm(bytes)) throw new WasmNotLoadedError(address, 'not a WebAssembly file');
  return bytes;
}

function isWasm(bytes: Uint8Array): boolean {
  return [0x00, 0x61, 0x73, 0x6d].every((byte, index) => bytes[index] === byte);
}
