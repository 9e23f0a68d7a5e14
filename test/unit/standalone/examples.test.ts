import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = process.cwd();
const engine = pathToFileURL(path.join(root, 'dist', 'engine.mjs')).href;

interface Example {
  readonly place: string;
  readonly source: string;
  /** What it says it prints: what stands behind each `console.log(…); //`. */
  readonly printed: readonly string[];
}

/** The examples in the comments of what the module exports. */
async function examples(): Promise<Example[]> {
  const found: Example[] = [];
  for (const folder of ['engine', 'standalone']) {
    const files = await readdir(path.join(root, 'src', folder), { recursive: true });
    for (const file of files.filter((name) => name.endsWith('.ts')).sort()) {
      const text = await readFile(path.join(root, 'src', folder, file), 'utf8');
      for (const [, block = ''] of text.matchAll(/^ *\* ```js\n([\s\S]*?)^ *\* ```$/gm)) {
        const source = block.replaceAll(/^ *\* ?/gm, '');
        const printed = Array.from(
          source.matchAll(/^.*console\.log\(.*\); \/\/ (.*)$/gm),
          ([, line = '']) => line,
        );
        found.push({ place: path.join(folder, file), source, printed });
      }
    }
  }
  return found;
}

describe('the examples in the documentation of dist/engine.mjs', function () {
  this.timeout(60_000);
  let folder: string;
  beforeEach(async () => {
    await mkdir(path.join(root, 'out'), { recursive: true });
    folder = await mkdtemp(path.join(root, 'out', 'examples-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('run, and print what they say', async () => {
    const all = await examples();
    assert.ok(all.length >= 4, `${all.length} examples`);
    for (const [index, { place, source, printed }] of all.entries()) {
      const names = [...source.matchAll(/\b[A-Za-z]+\b/g)].map(([name]) => name);
      const exported = Object.keys((await import(engine)) as object).filter((name) => names.includes(name));
      const given = /\bconst store\b/.test(source) ? '' : 'const store = new InMemoryContextStore();';
      const imports = new Set([...exported, ...(given === '' ? [] : ['InMemoryContextStore'])]);
      const file = path.join(folder, `${index}.mjs`);
      await writeFile(
        file,
        `import { ${[...imports].join(', ')} } from ${JSON.stringify(engine)};\n${given}\n${source}`,
      );
      const { stdout } = await run(process.execPath, [file], { cwd: folder });
      assert.deepEqual(stdout.trimEnd().split('\n'), printed, `${place}:\n${source}`);
    }
  });
});
