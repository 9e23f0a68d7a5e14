import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';

const run = promisify(execFile);
const root = process.cwd();
const engine = pathToFileURL(path.join(root, 'dist', 'engine.mjs')).href;

interface Example {
  readonly place: string;
  readonly source: string;
  /** What it says it prints: what stands behind each `console.log(…); //`. */
  readonly printed: readonly string[];
}

/** The examples in the comments of what the module exports, in JavaScript or TypeScript. */
async function examples(): Promise<Example[]> {
  const found: Example[] = [];
  for (const folder of ['engine', 'sdk']) {
    const files = await readdir(path.join(root, 'src', folder), { recursive: true });
    for (const file of files.filter((name) => name.endsWith('.ts')).sort()) {
      const text = await readFile(path.join(root, 'src', folder, file), 'utf8');
      for (const [, block = ''] of text.matchAll(/^ *\* ```[jt]s\n([\s\S]*?)^ *\* ```$/gm)) {
        const source = block.replaceAll(/^ *\* ?/gm, '');
        const printed = Array.from(
          source.matchAll(/^.*console\.log\(.*\); \/\/ (.*)$/gm),
          ([, line = '']) => line,
        );
        // One that shows nothing would pass whatever it does.
        assert.match(
          source,
          /\bassert\b|console\.log\(.*\); \/\//,
          `${file} has an example that shows nothing`,
        );
        found.push({ place: path.join(folder, file), source, printed });
      }
    }
  }
  return found;
}

/** A module that does what an example does, with the names it takes for granted. */
function asModule(source: string, exported: readonly string[]): string {
  const names = new Set([...source.matchAll(/\b[A-Za-z]+\b/g)].map(([name]) => name));
  const takesStore = names.has('store') && !/\bconst store\b/.test(source);
  const imports = exported.filter(
    (name) => names.has(name) || (takesStore && name === 'InMemoryContextStore'),
  );
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
  });
  return [
    "import assert from 'node:assert/strict';",
    `import { ${imports.join(', ')} } from ${JSON.stringify(engine)};`,
    takesStore ? 'const store = new InMemoryContextStore();' : '',
    outputText,
  ].join('\n');
}

describe('the examples in the documentation of dist/engine.mjs', function () {
  this.timeout(60_000);
  let folder: string;
  beforeEach(async () => {
    await mkdir(path.join(root, 'out'), { recursive: true });
    folder = await mkdtemp(path.join(root, 'out', 'examples-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('run, do what they say, and print what they say', async () => {
    const all = await examples();
    assert.ok(all.length >= 16, `${all.length} examples`);
    const exported = Object.keys((await import(engine)) as object);
    for (const [index, { source }] of all.entries())
      await writeFile(path.join(folder, `${index}.mjs`), asModule(source, exported));
    // One process for all of them, which says before each which one it is.
    const program = path.join(folder, 'all.mjs');
    const lines = all.map(({ place }, index) => `console.log('# ${place}'); await import('./${index}.mjs');`);
    await writeFile(program, lines.join('\n'));
    const { stdout } = await run(process.execPath, [program], { cwd: folder });
    const printout = all.flatMap(({ place, printed }) => [`# ${place}`, ...printed]);
    assert.deepEqual(stdout.trimEnd().split('\n'), printout);
  });
});
