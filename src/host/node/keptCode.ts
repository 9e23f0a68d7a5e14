import { readFile } from 'node:fs/promises';
import { createRequire, Module } from 'node:module';
import path from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { pathOf } from './fileUris.ts';
import { KeptFile } from './keptFile.ts';

/** The checksums of the source and of what was made of it, before the latter. */
const HEADER_BYTES = 8;

/**
 * A CommonJS file of the extension with the machine code that V8 made of it, kept in a folder for the next start:
 * compiling takes longer than all else that is done to load it. Without it, or with that of another version, the file
 * is compiled as usual. It can't `import()`, which the build replaces in it.
 */
export class KeptCode {
  private reading: Promise<[source: Buffer, kept: Buffer | undefined]> | undefined;
  private compiled: { readonly script: Script; readonly sum: number } | undefined;

  private readonly file: string;
  private readonly kept: KeptFile;

  /**
   * @param file its URI
   * @param kept the URI of the file with the machine code
   */
  constructor(file: string, kept: string) {
    this.file = pathOf(file);
    this.kept = new KeptFile(kept);
  }

  /** Reads both files, which takes no time of this thread. */
  begin(): void {
    this.reading ??= Promise.all([readFile(this.file), this.kept.read()]);
    // Who loads it gets the error.
    this.reading.catch(() => undefined);
  }

  /** From then on, `require` has it. */
  async load(): Promise<void> {
    const require = createRequire(this.file);
    // The folder may be a link.
    const file = require.resolve(this.file);
    if (require.cache[file]) return;
    this.begin();
    const [source = Buffer.of(), kept] = (await this.reading) ?? [];
    const sum = crc32(source);
    const cachedData = kept && codeIn(kept, sum);
    const script = new Script(Module.wrap(source.toString()), {
      filename: file,
      ...(cachedData && { cachedData }),
    });
    const module = new Module(file);
    module.filename = file;
    require.cache[file] = module;
    try {
      const run = script.runInThisContext() as (...given: readonly unknown[]) => void;
      run.call(module.exports, module.exports, require, module, file, path.dirname(file));
      module.loaded = true;
    } catch (error) {
      Reflect.deleteProperty(require.cache, file);
      throw error;
    }
    if (!cachedData || script.cachedDataRejected === true) this.compiled = { script, sum };
  }

  /** Keeps the code of what has run by now, unless that is what it was loaded from. It takes this thread some time. */
  async keep(): Promise<void> {
    const { compiled, kept } = this;
    if (!compiled) return;
    this.compiled = undefined;
    const code = compiled.script.createCachedData();
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt32LE(compiled.sum, 0);
    header.writeUInt32LE(crc32(code), 4);
    await kept.write(Buffer.concat([header, code]));
  }
}

/** @returns undefined if it was made of another source or is damaged, which V8 itself does not check */
function codeIn(kept: Buffer, sum: number): Buffer | undefined {
  if (kept.byteLength < HEADER_BYTES || kept.readUInt32LE(0) !== sum) return undefined;
  const code = kept.subarray(HEADER_BYTES);
  return kept.readUInt32LE(4) === crc32(code) ? code : undefined;
}
