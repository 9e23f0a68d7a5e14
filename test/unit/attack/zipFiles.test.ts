import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Imports } from '../../../src/conversation/imports.ts';
import { NodeForeignFiles } from '../../../src/host/node/nodeForeignFiles.ts';
import { exportEntries, pictureFinder } from '../../../src/importExport/exportArchive.ts';
import { conversationsJson } from '../../fixtures/conversationsJson.ts';
import { pictureOf } from '../../fixtures/realWorkspace.ts';
import { memoryStore } from '../../fixtures/stores.ts';
import { until } from '../../fixtures/until.ts';
import { zipOf, type ZipEntry } from '../../fixtures/zipFile.ts';

const NAME = 'conversations.json';
const png = Uint8Array.from(Buffer.from('iVBORw0KGgoAAAAN', 'base64'));

/** Names that would lead elsewhere if files were made of them. */
const strayingNames = [
  '../conversations.json',
  '../../../../etc/passwd',
  'a/../../conversations.json',
  'a/b/../../../conversations.json',
  './../conversations.json',
  '/conversations.json',
  '/etc/passwd',
  '//server/share/conversations.json',
  'C:/conversations.json',
  'c:conversations.json',
  '..\\conversations.json',
  'a\\..\\..\\conversations.json',
  '\\\\server\\share\\conversations.json',
  '\\\\?\\C:\\conversations.json',
  '..',
  'a/..',
];

/** Names that lead nowhere, and mean nothing but themselves. */
const oddNames = [
  'a\u0000/conversations.json',
  'conversations.json\u0000.png',
  'snosj\u202enoj.snoitasrevnoc/conversations.json',
  'CON/conversations.json',
  'aux.json/conversations.json',
  '.git/hooks/conversations.json',
  '.vscode/conversations.json',
  '~/conversations.json',
  '$HOME/conversations.json',
  '%2e%2e/conversations.json',
  '..%2fconversations.json/conversations.json',
  'a:b/conversations.json',
  '.../conversations.json',
  `${'a/'.repeat(2_000)}conversations.json`,
  `${'b'.repeat(60_000)}/conversations.json`,
  '__proto__/conversations.json',
  '\ud83d\ude00/conversations.json',
];

/** Files that lie about what is in them, by how their bytes are changed. */
const lies: Readonly<Record<string, (bytes: Buffer) => Uint8Array>> = {
  'a size of 4 GB': (bytes) => withCentral(bytes, 24, 0xfffffffe),
  'a size of nothing': (bytes) => withCentral(bytes, 24, 0),
  'a packed size of 4 GB': (bytes) => withCentral(bytes, 20, 0xfffffffe),
  'a size in a field that is not there': (bytes) => withCentral(bytes, 24, 0xffffffff),
  'a place beyond its end': (bytes) => withCentral(bytes, 42, 0x7ffffffe),
  'a place within its list': (bytes) => withCentral(bytes, 42, bytes.indexOf('PK\x01\x02')),
  'a method that is none': (bytes) => withCentral(bytes, 10, 99, 2),
  'no compression': (bytes) => withCentral(bytes, 10, 0, 2),
  'a lock': (bytes) => withCentral(bytes, 8, 0x0801, 2),
  'a strong lock': (bytes) => withCentral(bytes, 8, 0x0841, 2),
  'a name of 64 KB': (bytes) => withCentral(bytes, 28, 0xffff, 2),
  'a note of 64 KB': (bytes) => withCentral(bytes, 32, 0xffff, 2),
  'more files than there are': (bytes) => withEnd(bytes, 10, 0xfffe, 2),
  'a list beyond its end': (bytes) => withEnd(bytes, 16, 0x7ffffffe),
  'two disks': (bytes) => withEnd(bytes, 4, 1, 2),
  'no end': (bytes) => bytes.subarray(0, -10),
  'no bytes': () => new Uint8Array(),
  'a list of zeros': (bytes) => Buffer.from(bytes).fill(0, bytes.indexOf('PK\x01\x02'), bytes.length - 22),
  'another ending after it': (bytes) =>
    Buffer.concat([bytes, Buffer.from('PK\x05\x06'), bytes.subarray(-18)]),
};

function withCentral(bytes: Buffer, at: number, value: number, length = 4): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUIntLE(value, copy.indexOf('PK\x01\x02') + at, length);
  return copy;
}

function withEnd(bytes: Buffer, at: number, value: number, length = 4): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUIntLE(value, copy.lastIndexOf('PK\x05\x06') + at, length);
  return copy;
}

/** How many files this process holds open, where the system tells. */
async function openFiles(): Promise<number> {
  return process.platform === 'linux' ? (await readdir('/proc/self/fd')).length : 0;
}

describe('attack: a ZIP file', () => {
  let folder: string;
  let files: NodeForeignFiles;
  let before: Record<string, string>;
  let opened: number;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'offshoot-zip-'));
    files = new NodeForeignFiles({}, folder);
    opened = await openFiles();
  });
  afterEach(async () => {
    assert.deepEqual(await pictureOf(folder), before, 'nothing was unpacked');
    await until(async () => (await openFiles()) <= opened, 'nothing to be left open');
    await rm(folder, { recursive: true, force: true });
  });

  async function archiveOf(bytes: Uint8Array) {
    const zip = path.join(folder, 'x.zip');
    await writeFile(zip, bytes);
    before = await pictureOf(folder);
    return files.archive(pathToFileURL(zip).href);
  }

  /** What becomes of it: the reason, or the chats that it brought. */
  async function imported(bytes: Uint8Array): Promise<{ readonly chats: number; readonly refused: boolean }> {
    const store = memoryStore();
    try {
      const archive = await archiveOf(bytes);
      try {
        const imports = new Imports(store, 'ann');
        const { signal } = new AbortController();
        const list = imports.list(signal);
        for (const entry of exportEntries(archive.entries))
          await imports.addFile(list, entry, 1, pictureFinder(archive.entries));
        const chosen = list.batches.map((batch) => ({ batch, found: batch.found }));
        const { created, failed } = await imports.take(chosen, 1, signal, () => undefined);
        return { chats: created.length, refused: list.unread.length + failed.length > 0 };
      } finally {
        archive.close();
      }
    } catch (error) {
      assert.ok(error instanceof Error && error.message.length < 200_000);
      return { chats: 0, refused: true };
    } finally {
      await store.close();
    }
  }

  const chat = (name = NAME): ZipEntry => ({ name, text: conversationsJson() });

  it('is read where it is honest', async () => {
    assert.deepEqual(await imported(zipOf([chat()])), { chats: 1, refused: false });
  });

  for (const name of strayingNames) {
    it(`is refused whole with a name that leads elsewhere: ${name}`, async () => {
      assert.deepEqual(await imported(zipOf([chat(), { name, text: 'x' }])), { chats: 0, refused: true });
    });
  }

  for (const name of oddNames) {
    it(`unpacks nothing to a name: ${JSON.stringify(name.slice(0, 60))}`, async () => {
      const { chats } = await imported(zipOf([chat(name)]));
      assert.ok(chats <= 1);
    });
  }

  for (const [what, lie] of Object.entries(lies)) {
    it(`comes to nothing, or to what is in it, with ${what}`, async () => {
      const { chats, refused } = await imported(lie(Buffer.from(zipOf([chat()]))));
      assert.ok(chats === 1 || refused);
    });
  }

  it('brings each conversation once, though a name is there twice or in other letters', async () => {
    for (const names of [
      [NAME, NAME],
      [NAME, 'CONVERSATIONS.JSON', 'Conversations.json'],
      ['a/conversations.json', 'A/conversations.json'],
    ]) {
      const { chats, refused } = await imported(zipOf(names.map((name) => chat(name))));
      assert.deepEqual([chats <= 1, refused], [true, false], names.join());
    }
  });

  it('cannot have one picture stand for another by a later name', async () => {
    const archive = await archiveOf(
      zipOf([
        { name: 'file-abc-one.png', text: png },
        { name: 'below/file-abc-two.png', text: '<svg onload="x">' },
      ]),
    );
    try {
      assert.deepEqual((await pictureFinder(archive.entries)('file-service://file-abc'))?.bytes, png);
    } finally {
      archive.close();
    }
  });

  for (const [what, text] of [
    ['a script', '<script>x</script>'],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="x"/>'],
    ['a link', '/etc/passwd'],
    ['a program', '\u007fELF'],
    ['a PDF', '%PDF-1.7 %%EOF'],
    ['nothing', ''],
    ['half of a picture', '\u0089PN'],
  ] as const) {
    it(`brings no picture that is ${what}`, async () => {
      const archive = await archiveOf(zipOf([{ name: 'file-abc.png', text }]));
      try {
        assert.equal(await pictureFinder(archive.entries)('file-service://file-abc'), undefined);
      } finally {
        archive.close();
      }
    });
  }

  for (const pointer of [
    '../file-abc',
    'file:///etc/passwd',
    '__proto__',
    'file-',
    'https://evil.example/file-x',
  ]) {
    it(`has no picture for what points elsewhere: ${pointer}`, async () => {
      const archive = await archiveOf(zipOf([{ name: 'file-abc.png', text: png }]));
      try {
        const found = await pictureFinder(archive.entries)(pointer);
        assert.ok(found === undefined || Buffer.from(found.bytes).equals(png));
      } finally {
        archive.close();
      }
    });
  }

  it('does not grow beyond measure, be it one file, or one in another', async () => {
    const zeros = '0'.repeat(3_000_000);
    assert.deepEqual(await imported(zipOf([{ name: NAME, text: zeros }])), { chats: 0, refused: true });
    const inner = zipOf([{ name: NAME, text: zeros }]);
    assert.deepEqual(await imported(zipOf([{ name: NAME, text: inner }])), { chats: 0, refused: true });
  });
});
