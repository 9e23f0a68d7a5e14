import { listFiles, PackageManager } from '@vscode/vsce';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import type * as EngineProject from '../../../scripts/test/engine-project.mjs';
import { LocalServer } from '../../fixtures/localServer.ts';
import { databases } from '../../fixtures/postgres/databases.ts';
import { typeErrors } from '../../fixtures/typeErrors.ts';

const run = promisify(execFile);
const root = process.cwd();
const script = path.join(root, 'scripts', 'test', 'engine-project.mjs');
const example = path.join(root, 'examples', 'use-chat');
const fixtures = path.join(root, 'test', 'fixtures', 'engine-package');

/** What retrying.mjs and branching.mjs print. */
const retrying = [
  '1: What is 2 + 2?',
  'main-v2 q1 true 1',
  '<role>You are helpful.</role> <hint>Double-check your arithmetic.</hint>',
  'main main-v2 main-v2-v2 main-v2-v2-v2 main-v2-v2-v2-v2',
  'a1',
];
const branching = [
  'a1',
  'before-choice a1',
  'main-v2 main-v2',
  'main-v2-v2 main-v2',
  '4',
  '{"source":"web","tags":["python"]}',
  '<role>You are helpful.</role> <now>noon</now> true true',
  'q3 q1',
  'true Python, or rather Rust?',
];

/** What examples/use-chat prints: sent, regenerated, edited, gone on with, the branches, the first one, opened again. */
const useChat = [
  'Python or JavaScript? | answer 1 to 1 | Python. | answer 2 to 3',
  'Python or JavaScript? | answer 1 to 1 | Python. | answer 3 to 3',
  'Python or JavaScript? | answer 1 to 1 | JavaScript. | answer 4 to 3',
  'Python or JavaScript? | answer 1 to 1 | JavaScript. | answer 4 to 3 | Why? | answer 5 to 5',
  'main: 4, main-v2: 4, main-v2-v2: 6',
  'Python or JavaScript? | answer 1 to 1 | Python. | answer 2 to 3',
  'Python or JavaScript? | answer 1 to 1 | Python. | answer 2 to 3 | Go on. | answer 6 to 5',
  'And then? | answer 7 to 7',
];

/** What the AI SDK needs. */
const MODERN = 22;

describe('the package of the engine', function () {
  this.timeout(120_000);
  let scripts: typeof EngineProject;
  let project: string;
  let packed: { filename: string; files: string[] };

  before(async () => {
    project = await realpath(await mkdtemp(path.join(tmpdir(), 'offshoot-package-')));
    // Loaded rather than bundled, because scripts go by where they stand.
    scripts = (await import(pathToFileURL(script).href)) as typeof EngineProject;
    packed = await scripts.installEngine(project);
    // What a program with a model also needs.
    for (const name of ['ai', '@ai-sdk/openai-compatible', 'pg']) {
      const link = path.join(project, 'node_modules', name);
      await mkdir(path.dirname(link), { recursive: true });
      await symlink(path.join(root, 'node_modules', name), link, 'junction');
    }
  });
  after(() => rm(project, { recursive: true, force: true }));

  it('holds the entries with what they load, their types and what is to be read, and nothing else', async () => {
    const files = packed.files.filter((file) => !/^types\/.*\.d\.ts$|^shared-\w+\.mjs$/.test(file));
    assert.deepEqual(files.sort(), [
      'LICENSE',
      'README.md',
      'THIRD-PARTY-LICENSES.txt',
      'browser.d.mts',
      'browser.mjs',
      'index.d.mts',
      'index.mjs',
      'package.json',
      'postgres.d.mts',
      'postgres.mjs',
      'snapshotWorker.mjs',
      'sql-wasm.wasm',
      'tokenizer.mjs',
    ]);
    const readme = await readFile(path.join(root, 'src', 'sdk', 'README.md'), 'utf8');
    assert.ok(readme.includes(packed.filename), 'its README names the file to install');
  });

  it('has the version of the extension, and depends on sql.js alone, on the version whose wasm it brings', async () => {
    const read = async (file: string): Promise<Record<string, unknown>> =>
      z.record(z.string(), z.unknown()).parse(JSON.parse(await readFile(file, 'utf8')));
    const manifest = await read(path.join(project, 'node_modules', 'offshoot-engine', 'package.json'));
    const { version } = await read(path.join(root, 'node_modules', 'sql.js', 'package.json'));
    assert.deepEqual(manifest['dependencies'], { 'sql.js': version });
    assert.deepEqual(manifest['peerDependenciesMeta'], { pg: { optional: true } });
    assert.equal(manifest['version'], (await read(path.join(root, 'package.json')))['version']);
    const wasm = (folder: string): Promise<Buffer> => readFile(path.join(folder, 'sql-wasm.wasm'));
    const theirs = await wasm(path.join(root, 'node_modules', 'sql.js', 'dist'));
    assert.ok(theirs.equals(await wasm(path.join(project, 'node_modules', 'offshoot-engine'))));
  });

  it('runs the programs of its README and others on each Node there is here', async () => {
    await using server = await new EchoServer().listen();
    const database = (await databases.create())();
    const programs = (await scripts.readmePrograms()).filter(
      ({ source }) => !source.includes('offshoot-engine/browser'),
    );
    assert.ok(programs.length >= 4, `${programs.length} programs`);
    const names = await Promise.all(
      programs.map(async ({ source }, index) => {
        const local = source
          .replace('http://localhost:11434/v1', server.origin)
          .replace('postgres://localhost/offshoot', database);
        await writeFile(path.join(project, `readme-${index}.mjs`), local);
        return `readme-${index}.mjs`;
      }),
    );
    await cp(fixtures, project, { recursive: true });
    await cp(example, path.join(project, 'use-chat'), { recursive: true });
    const all = [
      ...programs.map(({ source, printed }, index) => ({ name: names[index] ?? '', source, printed })),
      { name: 'branching.mjs', source: '', printed: branching },
      { name: 'use-chat/main.mjs', source: "from 'ai'", printed: useChat },
      { name: 'retrying.mjs', source: "from 'ai'", printed: retrying },
    ];
    for (const node of await nodes()) {
      const cwd = await mkdtemp(path.join(project, 'run-'));
      for (const { name, source, printed } of all) {
        if (source.includes("from 'ai'") && node.major < MODERN) continue;
        assert.ok(printed.length > 0, `${name} shows nothing`);
        const { stdout, stderr } = await run(node.file, [path.join(project, name), server.origin], { cwd });
        assert.deepEqual(stdout.trimEnd().split('\n'), printed, `${name} on Node ${node.major}`);
        assert.equal(stderr.replaceAll(/^.*AI SDK.*\n/gm, ''), '', `${name} on Node ${node.major}`);
      }
      // Closing made the journal part of the file, which is the work of the snapshot's worker.
      for (const file of ['chat.db', 'branching.db']) {
        const header = (await readFile(path.join(cwd, file))).subarray(0, 15).toString('latin1');
        assert.equal(header, 'SQLite format 3', `${file} on Node ${node.major}`);
      }
    }
  });

  for (const [name, options] of Object.entries({
    nodenext: ['--module', 'nodenext'],
    bundler: ['--module', 'esnext', '--moduleResolution', 'bundler'],
  })) {
    it(`has types that a strict program without other types compiles against (${name})`, async () => {
      const file = path.join(project, `${name}.ts`);
      await writeFile(file, consumer);
      assert.deepEqual(await typeErrors(file, ['--types', '', ...options]), []);
    });
  }

  it('has types of its own for browsers', async () => {
    const file = path.join(project, 'page.ts');
    await writeFile(
      file,
      `import { InMemoryContextStore } from 'offshoot-engine';
      export const store = new InMemoryContextStore({ wasm: '/sql-wasm.wasm' });
      // @ts-expect-error a browser has no files
      export { SqliteContextStore } from 'offshoot-engine';`,
    );
    // The two above look into the declarations of both entries.
    const options = ['--module', 'esnext', '--moduleResolution', 'bundler', '--customConditions', 'browser'];
    const found = await typeErrors(file, ['--types', '', '--skipLibCheck', ...options]);
    assert.deepEqual(found, []);
  });

  it('is no part of the extension', async () => {
    // What is packed goes by names alone, and the folders of the repository that never are take long to read.
    const names = ['dist/engine.mjs', 'dist/tokenizer.cjs', 'README.md'];
    const ofPackage = packed.files.map((file) => `dist/engine/${file}`);
    const cwd = path.join(project, 'extension');
    for (const name of [...names, ...ofPackage]) {
      await mkdir(path.dirname(path.join(cwd, name)), { recursive: true });
      await writeFile(path.join(cwd, name), '');
    }
    for (const name of ['package.json', '.vscodeignore'])
      await cp(path.join(root, name), path.join(cwd, name));
    const files = await listFiles({ cwd, packageManager: PackageManager.None });
    assert.deepEqual(files.sort(), [...names, 'package.json'].sort());
  });
});

const consumer = `
  import { ContextEngine, InMemoryContextStore, SqliteContextStore, uiMessageSchema, user } from 'offshoot-engine';
  import type { BranchInfo, ContextStore, RecoveryReport, UIMessage } from 'offshoot-engine';
  import { InMemoryContextStore as InBrowser, WasmNotLoadedError } from 'offshoot-engine/browser';

  const report = ({ outcome, keptAside }: RecoveryReport): string => [outcome, ...keptAside].join();
  const stores: ContextStore[] = [
    new InMemoryContextStore(),
    new SqliteContextStore('./chat.db', { onRecovery: (found) => void report(found) }),
    new InBrowser({ wasm: new Uint8Array() }),
  ];
  for (const store of stores) {
    const context = new ContextEngine({ store, chatId: 'c', userId: 'u' });
    await context.set(user('hello', { id: 'q1' })).save();
    const branch: BranchInfo = await context.rewind('q1');
    const messages: UIMessage[] = (await context.resolve()).messages;
    // What zod infers has arrived as well: the schema's type is no \`any\`.
    const role: 'system' | 'user' | 'assistant' = uiMessageSchema.parse({ ...messages[0], id: branch.name }).role;
    // @ts-expect-error it is one of three
    const wrong: 'model' = uiMessageSchema.parse(role).role;
    console.log(wrong, new WasmNotLoadedError('/', 'gone').code);
  }
  // @ts-expect-error a chat has an owner
  new ContextEngine({ store: new InMemoryContextStore(), chatId: 'c' });`;

/** This Node and those on the PATH that the package is for, one of each version. */
async function nodes(): Promise<{ file: string; major: number }[]> {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const found = new Map<string, { file: string; major: number }>();
  for (const file of [process.execPath, ...folders.map((folder) => path.join(folder, 'node'))]) {
    const version = await run(file, ['--version']).then(
      ({ stdout }) => stdout.trim(),
      // There is none in that folder.
      () => undefined,
    );
    const [, major, minor] = /^v(\d+)\.(\d+)/.exec(version ?? '')?.map(Number) ?? [];
    if (version === undefined || major === undefined || minor === undefined || found.has(version)) continue;
    if (major > 20 || (major === 20 && minor >= 11)) found.set(version, { file, major });
  }
  return [...found.values()];
}

const request = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
});

/** A model server that answers with the number of messages it got, and the text of the last. */
class EchoServer extends LocalServer {
  protected override async answer(question: IncomingMessage, response: ServerResponse): Promise<void> {
    const { messages } = request.parse(await json(question));
    const turns = messages.filter(({ role }) => role !== 'system');
    const content = `${turns.length}: ${String(turns.at(-1)?.content)}`;
    const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }];
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ id: '1', object: 'chat.completion', created: 0, model: 'm', choices, usage }),
    );
  }
}
