import assert from 'node:assert/strict';
import path from 'node:path';
import { build } from 'esbuild';
import { root } from '../support/host.ts';
import { useServedPage } from './harness/useServedPage.ts';

const entry = { id: "'i'", size: '5', version: '0', time: '1' };
const record = (more: Partial<typeof entry>): string =>
  `({ ${Object.entries({ ...entry, ...more })
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')} })`;

/** What may stand in place of the record of a file, as a script: it is no file, and nothing is read. */
const records: Readonly<Record<string, string>> = {
  null: 'null',
  'a text': "'file'",
  'a number': '7',
  'a list': '[]',
  'an object': '({})',
  'an id that is a number': record({ id: '7' }),
  'an id that is a list': record({ id: "['i']" }),
  'a size below nothing': record({ size: '-1' }),
  'half a size': record({ size: '4.5' }),
  'a size without an end': record({ size: 'Infinity' }),
  'a size that is none': record({ size: 'NaN' }),
  'a size that is a text': record({ size: "'5'" }),
  'a size beyond all measure': record({ size: '2 ** 40' }),
  'a version that is a text': record({ version: "'0'" }),
  'a version below nothing': record({ version: '-1' }),
  'a time that is a date': record({ time: 'new Date()' }),
  'bytes in place of it': 'new Uint8Array(5)',
  'a map': "new Map([['id', 'i']])",
};

/** What may stand in place of bytes. */
const bytes: Readonly<Record<string, string>> = {
  null: 'null',
  'a text': "'hello'",
  'a list': '[104, 105]',
  'a buffer': 'new ArrayBuffer(5)',
  'larger numbers': 'new Uint16Array(5)',
  'an object': '({ length: 5, byteLength: 5 })',
  'a blob': "new Blob(['hello'])",
};

/** Names of files that are nothing but names. */
const names = [
  ...[
    'f/../g',
    'f/./a',
    'f//a',
    'f/__proto__',
    'f/constructor',
    'f/a\u0000b',
    'f/ a ',
    'f/日本',
    'f/\u202eb',
  ],
  ...['f/a/b/c', 'a', 'f/%2e%2e', 'f/..', 'f\\a', 'f/*', 'f/a:b'],
];

/** Databases of the name that others made, as a script. */
const others: Readonly<Record<string, string>> = {
  'of a later version': `open(name, 9, (database) => database.createObjectStore('meta'))`,
  'without tables': `open(name, 1, () => undefined)`,
  'with one table': `open(name, 1, (database) => database.createObjectStore('meta'))`,
  'with tables of another kind': `open(name, 1, (database) =>
    ['meta', 'entries', 'chunks'].forEach((table) => database.createObjectStore(table, { keyPath: 'x' })))`,
};

const HELPERS = `
  const { IndexedDatabase, IndexedFiles } = hostFiles;
  const name = crypto.randomUUID();
  const database = new IndexedDatabase(name);
  const files = new IndexedFiles(database);
  const text = async (path) => {
    const read = await files.read(path);
    return read && new TextDecoder().decode(read);
  };
  const write = (path, content) => files.write(path, [new TextEncoder().encode(content)]);
  const put = (table, value, key) => database.transaction('write', (tables) => tables[table].put(value, key));
  const outcome = (work) => work.then((value) => ({ value }), (error) => ({ error: error.name }));
  const open = (name, version, upgrade) => new Promise((resolve, reject) => {
    const request = indexedDB.open(name, version);
    request.onupgradeneeded = () => upgrade(request.result);
    request.onsuccess = () => { request.result.close(); resolve(); };
    request.onerror = () => reject(request.error);
  });`;

interface Outcome {
  readonly value?: unknown;
  readonly error?: string;
}

describe('what others put into the storage of a browser', () => {
  let script: string;
  before('bundle the files of a browser', async () => {
    const host = './src/host/browser';
    const { outputFiles } = await build({
      stdin: {
        contents: `export * from '${host}/indexedDatabase.ts'; export * from '${host}/indexedFiles.ts';`,
        resolveDir: path.join(root),
      },
      ...{ bundle: true, write: false, format: 'iife', globalName: 'hostFiles', platform: 'browser' },
    });
    script = outputFiles[0]?.text ?? '';
  });
  const use = useServedPage({ viewport: { width: 100, height: 100 } }, async (page, origin) => {
    await page.goto(`${origin}/blank`);
    await page.addScriptTag({ content: script });
    return {
      run: <T>(work: string): Promise<T> => page.evaluate<T>(`(async () => {${HELPERS} ${work}})()`),
      faults: () => page.evaluate<string[]>('window.faults'),
      screenshot: () => Promise.resolve(),
    };
  });

  for (const [what, value] of Object.entries(records)) {
    it(`is no file where its record is ${what}`, async () => {
      const found = await use().run<Outcome[]>(`
        await write('f/other', 'theirs');
        await write('f/a', 'hello');
        await put('entries', ${value}, ['f', 'a']);
        return [await outcome(text('f/a')), await outcome(text('f/other'))];`);
      assert.equal(found[0]?.value, undefined);
      assert.notEqual(found[0]?.error, undefined);
      assert.equal(found[1]?.value, 'theirs');
    });
  }

  for (const [what, value] of Object.entries(bytes)) {
    it(`is not read where its bytes are ${what}`, async () => {
      const found = await use().run<Outcome>(`
        await write('f/a', 'hello');
        const key = await database.transaction('read', ({ chunks }) => new Promise((resolve) => {
          const request = chunks.getAllKeys();
          request.onsuccess = () => resolve(request.result[0]);
        }));
        await put('chunks', ${value}, key);
        return outcome(text('f/a'));`);
      assert.deepEqual(found, { error: 'Error' });
    });
  }

  it('is itself alone by whatever name, and shown in no other folder', async () => {
    const found = await use().run<{ texts: string[]; listed: string[] }>(`
      const names = ${JSON.stringify(names)};
      for (const each of names) await write(each, each);
      const texts = [];
      for (const each of names) texts.push(await text(each));
      return { texts, listed: (await files.list('f')).map(({ name }) => name).sort() };`);
    assert.deepEqual(found.texts, names);
    const direct = names.filter((name) => /^f\/[^/]*$/u.test(name)).map((name) => name.slice(2));
    assert.deepEqual(found.listed, direct.sort());
    assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false);
  });

  for (const [what, make] of Object.entries(others)) {
    it(`is not written into where it is a database ${what}`, async () => {
      const [written, read] = await use().run<Outcome[]>(`
        await ${make};
        return [await outcome(write('f/a', 'hello')), await outcome(text('f/a'))];`);
      assert.notEqual(written?.error, undefined);
      assert.equal(read?.value, undefined);
    });
  }

  it('is none of another storage, though its name begins or ends like theirs', async () => {
    const found = await use().run<unknown[]>(`
      await write('f/a', 'hello');
      const read = [];
      for (const other of [name + ' ', name.slice(1), name.toUpperCase() + '.', 'offshoot ' + name])
        read.push(await new IndexedFiles(new IndexedDatabase(other)).read('f/a'));
      return read.map((each) => each === undefined);`);
    assert.deepEqual(found, [true, true, true, true]);
  });

  it('is told to be lost where others took its place', async () => {
    const found = await use().run<Outcome[]>(`
      await write('f/a', 'hello');
      await files.openLog('f/a');
      await put('meta', 'another', 'identity');
      return [await outcome(text('f/a')), await outcome(write('f/a', 'forged'))];`);
    assert.deepEqual(found, [{ error: 'FilesLostError' }, { error: 'FilesLostError' }]);
  });
});
