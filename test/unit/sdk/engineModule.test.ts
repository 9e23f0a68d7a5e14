import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { typeErrors } from '../../fixtures/typeErrors.ts';

const run = promisify(execFile);
const root = process.cwd();
const engine = path.join(root, 'dist', 'engine.mjs');

describe('dist/engine.mjs', () => {
  let folder: string;

  beforeEach(async () => {
    // Inside the project, where the compiler finds the packages the types name.
    await mkdir(path.join(root, 'out'), { recursive: true });
    folder = await mkdtemp(path.join(root, 'out', 'engine-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const script = async (name: string, source: string): Promise<string> => {
    const file = path.join(folder, name);
    await writeFile(file, source);
    return file;
  };

  it('runs the example of the README', async () => {
    const readme = await readFile(path.join(root, 'README.md'), 'utf8');
    const [, example] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];
    assert.ok(example);
    const source = example.replace('./dist/engine.mjs', pathToFileURL(engine).href);
    const { stdout } = await run(process.execPath, [await script('example.mjs', source)]);
    assert.equal(stdout, 'main-v2 <role>You are helpful.</role> 2\n');
  });

  it('keeps conversations in an SQLite file, from one process to the next', async () => {
    const database = await mkdtemp(path.join(tmpdir(), 'offshoot-engine-'));
    try {
      const source = `
        import { ContextEngine, SqliteContextStore, user } from ${JSON.stringify(pathToFileURL(engine).href)};
        const store = new SqliteContextStore(${JSON.stringify(path.join(database, 'chat.db'))});
        const context = new ContextEngine({ store, chatId: 'c', userId: 'u' });
        await context.set(user('hello')).save();
        console.log((await context.resolve()).messages.length);
        await store.close();`;
      const file = await script('store.mjs', source);
      for (const count of [1, 2, 3]) {
        const { stdout } = await run(process.execPath, [file]);
        assert.equal(stdout, `${count}\n`);
      }
    } finally {
      await rm(database, { recursive: true, force: true });
    }
  });

  it('has types that a strict program compiles against', async () => {
    const source = `
      import { ContextEngine, InMemoryContextStore, user, type BranchInfo, type UIMessage } from '../../dist/engine.mjs';
      const context = new ContextEngine({ store: new InMemoryContextStore(), chatId: 'c', userId: 'u' });
      await context.set(user('hello', { id: 'q1' })).save();
      const branch: BranchInfo = await context.rewind('q1');
      const messages: UIMessage[] = (await context.resolve()).messages;
      console.log(branch.name, messages.length);
      // @ts-expect-error a chat has an owner
      new ContextEngine({ store: new InMemoryContextStore(), chatId: 'c' });`;
    const file = await script('consumer.mts', source);
    assert.deepEqual(await typeErrors(file, ['--module', 'nodenext', '--types', 'node']), []);
  });
});
