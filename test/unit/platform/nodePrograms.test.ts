import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CommandTextError } from '../../../src/host/commandShells.ts';
import { uriOf } from '../../../src/host/node/fileUris.ts';
import { NodePrograms } from '../../../src/host/node/nodePrograms.ts';
import type { ProgramEnd, RunningShell } from '../../../src/host/programs.ts';

describe('a program of this machine', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'offshoot-programs-')));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Runs a script in Node. */
  const run = async (
    script: string,
    onLine: (line: string) => boolean,
    { signal = new AbortController().signal, options = [] as readonly string[] } = {},
  ): Promise<ProgramEnd> =>
    new NodePrograms('/').run(
      { program: process.execPath, options: ['-e', script, '--', ...options], folder: uriOf(folder), signal },
      onLine,
    );

  it('runs in its folder, and is heard line by line', async () => {
    const lines: string[] = [];
    const options = ['a b', '$HOME', ';exit 1'];
    const script = 'console.log(process.cwd()); for (const each of process.argv.slice(1)) console.log(each)';
    const end = await run(script, (line) => lines.push(line) > 0, { options });
    assert.deepEqual(lines, [folder, ...options]);
    assert.deepEqual(end, { status: 0, problem: '' });
  });

  it('says how it ended, and the beginning of what it says of errors', async () => {
    const end = await run("console.error('no '.repeat(1_000)); process.exitCode = 2", () => true);
    assert.equal(end.status, 2);
    assert.match(end.problem, /^no no /);
    assert.ok(end.problem.length <= 2_000);
  });

  it('ends as soon as there is enough', async () => {
    const lines: string[] = [];
    const end = await run("setInterval(() => console.log('x'), 1)", (line) => lines.push(line) < 3);
    assert.deepEqual([lines, end.status], [['x', 'x', 'x'], null]);
  });

  it('ends when nobody waits for it any more, and is not even begun after that', async () => {
    const stop = new AbortController();
    const script = "console.log('x'); setInterval(() => undefined, 1_000)";
    const running = run(
      script,
      () => {
        stop.abort();
        return true;
      },
      { signal: stop.signal },
    );
    await assert.rejects(running, { name: 'AbortError' });
    await assert.rejects(
      run(script, () => assert.fail(), { signal: stop.signal }),
      { name: 'AbortError' },
    );
  });

  it('that is not there is an error', async () => {
    const start = {
      program: path.join(folder, 'none'),
      options: [],
      folder: uriOf(folder),
      signal: new AbortController().signal,
    };
    await assert.rejects(
      new NodePrograms('/').run(start, () => true),
      { code: 'ENOENT' },
    );
  });

  it('is a shell that runs a text as it is, without startup files, and none with a NUL', async () => {
    if (process.platform === 'win32') return;
    const file = path.join(folder, 'startup');
    await writeFile(file, 'echo() { printf startup; }\n');
    const before = process.env['BASH_ENV'];
    process.env['BASH_ENV'] = file;
    try {
      let output = '';
      const start = (command: string): RunningShell =>
        new NodePrograms('/').startShell({
          shell: 'bash',
          command,
          folder: uriOf(folder),
          onOutput: (text) => (output += text),
        });
      assert.equal(await start('echo "a!b" $PAGER $GIT_TERMINAL_PROMPT').ended, 0);
      assert.equal(await start('--version').ended, 127);
      assert.match(output, /^a!b cat 0\n.*--version: command not found\n$/);
      assert.throws(() => start('echo a\0b'), CommandTextError);
    } finally {
      if (before === undefined) delete process.env['BASH_ENV'];
      else process.env['BASH_ENV'] = before;
    }
  });

  it('gets a text as a file, which is gone afterwards, also when the work fails', async () => {
    const programs = new NodePrograms('/');
    const read = await programs.withTextFile('*\n!a.ts\n', async (file) => [
      file,
      await readFile(file, 'utf8'),
    ]);
    assert.equal(read[1], '*\n!a.ts\n');
    assert.equal(existsSync(path.dirname(read[0] ?? '')), false);
    let failed = '';
    const failing = programs.withTextFile('x', (file) => {
      failed = file;
      return Promise.reject(new Error('no'));
    });
    await assert.rejects(failing, /no/);
    assert.equal(existsSync(path.dirname(failed)), false);
  });

  it('is found among the files of the editor where it is ripgrep, by each name it had', async () => {
    const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
    assert.equal(new NodePrograms(folder).ripgrep(), undefined);
    for (const place of [
      ['node_modules.asar.unpacked', '@vscode', 'ripgrep', 'bin'],
      ['node_modules', '@vscode', 'ripgrep-universal', 'bin', `${process.platform}-${process.arch}`],
    ]) {
      const bin = path.join(folder, ...place);
      await mkdir(bin, { recursive: true });
      await writeFile(path.join(bin, name), '');
      assert.equal(new NodePrograms(folder).ripgrep(), path.join(bin, name));
    }
  });
});
