import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { lstat, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type * as Engine from '../../../src/sdk/index.ts';

const run = promisify(execFile);
const address = pathToFileURL(path.join(process.cwd(), 'dist', 'engine.mjs')).href;
const load = async (query = ''): Promise<typeof Engine> =>
  (await import(`${address}${query}`)) as typeof Engine;

describe('several stores on one file in one process', function () {
  this.timeout(60_000);
  let folder: string;
  let file: string;
  const opened: Engine.SqliteContextStore[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'offshoot-shared-'));
    file = path.join(folder, 'chat.db');
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()));
    await rm(folder, { recursive: true, force: true });
  });

  const open = async (at = file, query = ''): Promise<Engine.SqliteContextStore> => {
    const { SqliteContextStore } = await load(query);
    const store = new SqliteContextStore(at);
    opened.push(store);
    return store;
  };

  it('are told where a name is none of a file', async () => {
    const { InvalidArgumentError, SqliteContextStore } = await load();
    for (const name of [':memory:', '']) {
      assert.throws(
        () => new SqliteContextStore(name),
        (error) => error instanceof InvalidArgumentError && error.message.includes('InMemoryContextStore'),
      );
    }
  });

  it('are told what stands where the file should be, and leave it there', async () => {
    // Windows has no such names.
    if (process.platform === 'win32') return;
    const pipe = path.join(folder, 'pipe');
    await run('mkfifo', [pipe]);
    for (const at of [pipe, folder, '/dev/null']) {
      const store = await open(at);
      await assert.rejects(store.listChats(), { code: 'not-a-file' }, at);
    }
    assert.ok((await lstat(pipe)).isFIFO());
    assert.deepEqual(await readdir(folder), ['pipe']);
  });

  it('share what they store, whatever path each was given', async () => {
    await mkdir(path.join(folder, 'real'));
    await symlink(path.join(folder, 'real'), path.join(folder, 'link'));
    await symlink(path.join(folder, 'real', 'chat.db'), path.join(folder, 'other.db'));
    const paths = [
      path.join(folder, 'real', 'chat.db'),
      path.join(folder, 'link', 'chat.db'),
      path.join(folder, 'other.db'),
      path.relative(process.cwd(), path.join(folder, 'link', '..', 'real', 'chat.db')),
    ];
    const stores = await Promise.all(paths.map((each) => open(each)));
    await Promise.all(stores.map((store, index) => store.createChat({ id: `chat ${index}`, userId: 'ann' })));
    for (const store of stores) {
      assert.equal(store.isReadOnly, false);
      assert.equal((await store.listChats()).length, paths.length);
    }
  });

  it('share it between two copies of the module', async () => {
    const [one, other] = [await open(), await open(file, '?copy')];
    assert.notEqual(one.constructor, other.constructor);
    await one.createChat({ id: 'a', userId: 'ann' });
    await other.createChat({ id: 'b', userId: 'ann' });
    assert.equal((await one.listChats()).length, 2);
  });

  it('keep what each merges into the metadata, however they interleave', async () => {
    const { ContextEngine } = await load();
    const engines = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const metadata = { [`engine${index}`]: index };
        return new ContextEngine({ store: await open(), chatId: 'chat', userId: 'ann', metadata });
      }),
    );
    await Promise.all(
      engines.flatMap((engine, index) => [
        engine.updateChat({ metadata: { [`key${index}`]: index } }),
        engine.updateChat({ metadata: { shared: index } }),
      ]),
    );
    const chat = await (await open()).getChat('chat');
    const { shared: _, ...metadata } = chat?.metadata ?? {};
    const indexes = engines.map((_each, index) => index);
    assert.deepEqual(
      metadata,
      Object.fromEntries(
        indexes.flatMap((index) => [
          [`engine${index}`, index],
          [`key${index}`, index],
        ]),
      ),
    );
  });

  it('tell each other what they change, and are closed one by one', async () => {
    const [one, other] = [await open(), await open()];
    const heard: string[] = [];
    one.onDidChange(({ chatId }) => heard.push(`one: ${chatId}`));
    const subscription = other.onDidChange(({ chatId }) => heard.push(`other: ${chatId}`));
    await one.createChat({ id: 'a', userId: 'ann' });
    subscription.dispose();
    await other.createChat({ id: 'b', userId: 'ann' });
    assert.deepEqual(heard, ['one: a', 'other: a', 'one: b']);
    await one.close();
    await one.close();
    await assert.rejects(one.listChats(), { code: 'closed' });
    await other.createChat({ id: 'c', userId: 'ann' });
    assert.deepEqual([heard.length, (await other.listChats()).length], [3, 3]);
    await other.close();
    assert.equal(
      new DatabaseSync(file, { readOnly: true }).prepare('SELECT count(*) AS n FROM chats').get()?.['n'],
      3,
    );
  });

  it('can be opened while the last one is being closed', async () => {
    const one = await open();
    await one.createChat({ id: 'a', userId: 'ann' });
    const other = await open();
    const closing = one.close();
    await other.createChat({ id: 'b', userId: 'ann' });
    await closing;
    assert.deepEqual([other.isReadOnly, (await other.listChats()).length], [false, 2]);
  });

  it('try again after an opening that failed', async () => {
    await writeFile(path.join(folder, 'place'), 'a file where a folder has to be');
    const [one, other] = [
      await open(path.join(folder, 'place', 'chat.db')),
      await open(path.join(folder, 'place', 'chat.db')),
    ];
    await assert.rejects(one.listChats());
    await assert.rejects(other.listChats());
    await rm(path.join(folder, 'place'));
    await one.createChat({ id: 'a', userId: 'ann' });
    assert.equal((await other.listChats()).length, 1);
    await one.close();
    assert.equal((await other.listChats()).length, 1);
  });
});

describe('a script that closes nothing', function () {
  this.timeout(60_000);

  it('ends on its own, again and again, and all it was told is saved', async () => {
    const folder = await mkdtemp(path.join(process.cwd(), 'out', 'script-'));
    try {
      const file = path.join(folder, 'chat.db');
      const script = path.join(folder, 'script.mjs');
      // One store and one engine at each call, none of them closed, as in many an example.
      await writeFile(
        script,
        `import { ContextEngine, SqliteContextStore, XmlRenderer, role, user, assistant } from ${JSON.stringify(address)};
        async function chat(userMessage) {
          const store = new SqliteContextStore(${JSON.stringify(file)});
          const context = new ContextEngine({ store, chatId: 'chat-001', userId: 'user-001' });
          context.onDidChange(() => undefined);
          context.set(role('You are a friendly assistant.'), user(userMessage));
          const { messages } = await context.resolve({ renderer: new XmlRenderer() });
          context.set(assistant('answer to ' + userMessage));
          await context.save();
          return messages.length;
        }
        console.log(await chat('one'), await chat('two'), (await Promise.allSettled([chat('three')])).length);`,
      );
      for (const [first, second] of [
        [1, 3],
        [7, 9],
        [13, 15],
      ]) {
        // The process that left the lock is gone, so that it is taken over at once.
        const { stdout, stderr } = await run(process.execPath, [script], { timeout: 30_000 });
        assert.deepEqual([stdout, stderr], [`${first} ${second} 1\n`, '']);
      }
      const { SqliteContextStore } = await load();
      const store = new SqliteContextStore(file);
      assert.equal((await store.getBranch('chat-001', 'main'))?.messageCount, 18);
      await store.close();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('saves through another process that writes before it ends, however it waits for that', async () => {
    const folder = await mkdtemp(path.join(process.cwd(), 'out', 'script-'));
    const { SqliteContextStore } = await load();
    const file = path.join(folder, 'chat.db');
    const store = new SqliteContextStore(file);
    try {
      await store.createChat({ id: 'a', userId: 'ann' });
      const saving = `import { ContextEngine, SqliteContextStore, user } from ${JSON.stringify(address)};
        export async function save(id) {
          const store = new SqliteContextStore(${JSON.stringify(file)});
          const context = new ContextEngine({ store, chatId: id, userId: 'ann' });
          await context.set(user(id, { id })).save();
          console.log('saved', id);
        }`;
      const scripts = {
        saving,
        awaited: "import { save } from './saving.mjs'; await save('awaited');",
        started: "import { save } from './saving.mjs'; void save('started');",
        inThread: "import { save } from './saving.mjs'; void save('threaded');",
        threaded:
          "import { Worker } from 'node:worker_threads'; new Worker(new URL('./inThread.mjs', import.meta.url));",
        closed: `import { SqliteContextStore } from ${JSON.stringify(address)};
          const store = new SqliteContextStore(${JSON.stringify(file)});
          await store.listChats();
          await store.close();
          console.log('saved closed');`,
      };
      for (const [name, text] of Object.entries(scripts)) {
        await writeFile(path.join(folder, `${name}.mjs`), text);
      }
      const endings = ['awaited', 'started', 'threaded', 'closed'].map(async (name) => {
        const script = path.join(folder, `${name}.mjs`);
        const { stdout } = await run(process.execPath, [script], { timeout: 30_000 });
        assert.equal(stdout, `saved ${name}\n`);
      });
      await Promise.all(endings);
      for (const id of ['awaited', 'started', 'threaded']) assert.ok(await store.getMessage(id, id), id);
      assert.equal(store.isWriter, true);
    } finally {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('ends while another process writes, too', async () => {
    const folder = await mkdtemp(path.join(process.cwd(), 'out', 'script-'));
    try {
      const file = path.join(folder, 'chat.db');
      const { SqliteContextStore } = await load();
      const store = new SqliteContextStore(file);
      await store.createChat({ id: 'a', userId: 'ann' });
      const script = path.join(folder, 'script.mjs');
      await writeFile(
        script,
        `import { SqliteContextStore } from ${JSON.stringify(address)};
        const store = new SqliteContextStore(${JSON.stringify(file)});
        console.log((await store.listChats()).length, store.isWriter, store.isReadOnly);`,
      );
      const { stdout } = await run(process.execPath, [script], { timeout: 30_000 });
      assert.equal(stdout, '1 false false\n');
      await store.close();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
