import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { uriOf } from '../../../src/host/node/fileUris.ts';
import { KeptCode } from '../../../src/host/node/keptCode.ts';

const source = `"use strict";
exports.answer = () => 40 + 2;
exports.next = () => require('./next.cjs');
exports.where = [__dirname, __filename];
`;

interface Loaded {
  answer(): number;
  next(): unknown;
  readonly where: readonly string[];
}

describe('the code that is kept for the next start', () => {
  let folder: string;
  let kept: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'offshoot-code-'));
    kept = path.join(folder, 'storage', 'start.code');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Loaded as by a further start: each has a folder, and so a module, of its own. */
  async function start(
    name: string,
    text = source,
  ): Promise<{ code: KeptCode; loaded: Loaded; file: string }> {
    const file = path.join(folder, `${name}.cjs`);
    await writeFile(file, text);
    await writeFile(path.join(folder, 'next.cjs'), 'module.exports = "next";');
    const code = new KeptCode(uriOf(file), uriOf(kept));
    code.begin();
    await code.load();
    return { code, loaded: createRequire(file)(file) as Loaded, file };
  }

  it('is what `require` has from then on, with all that a file is given', async () => {
    for (const name of ['one', 'two']) {
      const { code, loaded, file } = await start(name);
      assert.equal(loaded.answer(), 42);
      assert.equal(loaded.next(), 'next');
      assert.deepEqual(loaded.where, [folder, file]);
      await code.keep();
    }
  });

  it('is written once, and not again by a start that used it', async () => {
    const first = await start('one');
    await first.code.keep();
    const before = await readFile(kept);
    await rm(kept);
    await first.code.keep();
    await assert.rejects(readFile(kept), { code: 'ENOENT' });
    await writeFile(kept, before);
    const second = await start('two');
    await rm(kept);
    await second.code.keep();
    await assert.rejects(readFile(kept), { code: 'ENOENT' }, 'it was used');
    assert.equal(second.loaded.answer(), 42);
  });

  it('can be written by nobody else, for it is run', async function () {
    if (process.platform === 'win32') this.skip();
    await (await start('one')).code.keep();
    assert.equal((await stat(kept)).mode & 0o777, 0o600);
    assert.equal((await stat(path.dirname(kept))).mode & 0o777, 0o700);
  });

  it('is not used for another source, nor when it is damaged, and is then written again', async () => {
    await (await start('one')).code.keep();
    const good = await readFile(kept);
    const { code, loaded } = await start('two', source.replace('40 + 2', '40 + 3'));
    assert.equal(loaded.answer(), 43);
    await code.keep();
    const other = await readFile(kept);
    assert.notDeepEqual(other, good);
    for (const [name, change] of [
      ['three', (bytes: Buffer) => bytes.fill(1, bytes.length - 20)],
      ['four', (bytes: Buffer) => bytes.subarray(0, bytes.length - 20)],
      ['five', (bytes: Buffer) => bytes.subarray(0, 3)],
      ['six', () => Buffer.of()],
    ] as const) {
      await writeFile(kept, change(Buffer.from(good)));
      const third = await start(name);
      assert.equal(third.loaded.answer(), 42);
      await rm(kept);
      await third.code.keep();
      assert.ok((await readFile(kept)).byteLength > 0, name);
    }
  });

  it('does not keep a file from being loaded where nothing can be kept', async () => {
    kept = path.join(folder, 'one.cjs', 'start.code');
    const { code, loaded } = await start('one');
    assert.equal(loaded.answer(), 42);
    await assert.rejects(code.keep());
  });

  it('is loaded by way of a link as by its own path', async () => {
    const { file } = await start('one');
    const link = path.join(folder, 'linked');
    await cp(file, path.join(folder, 'real', 'start.cjs'));
    await symlink(path.join(folder, 'real'), link);
    await new KeptCode(uriOf(path.join(link, 'start.cjs')), uriOf(kept)).load();
    const found = createRequire(path.join(link, 'x.cjs'))('./start.cjs') as Loaded;
    assert.deepEqual(found.where, [path.join(folder, 'real'), path.join(folder, 'real', 'start.cjs')]);
  });

  it('says what is wrong with a file that does not run, each time', async () => {
    const file = path.join(folder, 'one.cjs');
    await writeFile(file, 'throw new RangeError("Too much.")');
    const code = new KeptCode(uriOf(file), uriOf(kept));
    await assert.rejects(code.load(), RangeError);
    await assert.rejects(code.load(), RangeError);
    await assert.rejects(new KeptCode(uriOf(path.join(folder, 'none.cjs')), uriOf(kept)).load());
  });
});
