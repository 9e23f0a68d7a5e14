import assert from 'node:assert/strict';
import { access, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

const manifest = z.object({
  scripts: z.record(z.string(), z.string()),
  contributes: z.object({
    menus: z.object({
      commandPalette: z.array(z.object({ command: z.string(), when: z.string().optional() })),
    }),
  }),
});

/** The documents that say how things are now; the changelog says how they were. */
async function documents(): Promise<string[]> {
  const top = (await readdir('.')).filter((name) => name.endsWith('.md') && name !== 'CHANGELOG.md');
  const below = (await readdir('docs', { recursive: true })).filter((name) => name.endsWith('.md'));
  return [...top, ...below.map((name) => path.join('docs', name))];
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** What is meant by each match of the first group that is not there. */
async function missing(
  pattern: RegExp,
  isFine: (found: string, document: string) => boolean | Promise<boolean>,
): Promise<string[]> {
  const faults: string[] = [];
  let count = 0;
  for (const document of await documents()) {
    for (const [, found = ''] of (await readFile(document, 'utf8')).matchAll(pattern)) {
      count += 1;
      if (!(await isFine(found, document))) faults.push(`${document}: ${found}`);
    }
  }
  assert.ok(count > 5, 'the pattern finds what it is for');
  return faults;
}

describe('the documents', () => {
  it('lead to files that are there', async () => {
    const links = /\]\((?![a-z]+:)([^)#\s]+)(?:#[^)]*)?\)/g;
    assert.deepEqual(
      await missing(links, (link, document) => isThere(path.join(path.dirname(document), link))),
      [],
    );
  });

  it('name files and folders that are there', async () => {
    const paths = /`((?:src|test|scripts|docs|schemas|bench|media|\.github|\.ci|\.vscode)\/[\w./-]*)`/g;
    assert.deepEqual(await missing(paths, (found) => isThere(found)), []);
  });

  it('name files in pictures that are there', async () => {
    // In a label, between the words: `<br>src/engine/graph.ts, src/engine/store.ts`.
    assert.deepEqual(await missing(/(?:<br>|, )(src\/[\w./-]*\w)(?=[",])/g, (found) => isThere(found)), []);
  });

  it('name scripts of npm that are there', async () => {
    const { scripts } = manifest.parse(JSON.parse(await readFile('package.json', 'utf8')));
    assert.deepEqual(await missing(/\bnpm run ([\w:-]+)/g, (script) => script in scripts), []);
  });

  it('and the texts that users see have none of the words that plain English does without', async () => {
    const words = z
      .array(z.string())
      .parse(JSON.parse(await readFile('scripts/refusedWords.json', 'utf8')))
      .map((word) => new RegExp(`\\b${word}\\b`, 'i'));
    const more = ['CHANGELOG.md', 'src/sdk/README.md', 'l10n/bundle.l10n.json', 'package.nls.json'];
    const faults: string[] = [];
    for (const document of [...(await documents()), ...more]) {
      // Code and ids are quoted as they are.
      const text = (await readFile(document, 'utf8')).replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '');
      for (const word of words) if (word.test(text)) faults.push(`${document}: ${word.source}`);
    }
    assert.deepEqual(faults, []);
  });

  it('name commands by their titles, and where the palette has them', async () => {
    const texts = z
      .record(z.string(), z.string())
      .parse(JSON.parse(await readFile('package.nls.json', 'utf8')));
    const { contributes } = manifest.parse(JSON.parse(await readFile('package.json', 'utf8')));
    const { commandPalette } = contributes.menus;
    const hidden = commandPalette.flatMap(({ command, when }) => (when === 'false' ? command : []));
    const titles = Object.values(texts);
    const listed = Object.entries(texts).flatMap(([key, title]) =>
      hidden.includes(key.replace(/^command/, 'offshoot')) ? [] : title,
    );
    assert.deepEqual(
      await missing(/\*\*Offshoot: ([^*]+)\*\*/g, (path) => {
        const [first = '', ...rows] = path.split(' › ');
        return listed.includes(first) && rows.every((row) => titles.includes(row));
      }),
      [],
    );
  });
});

describe('the picture of the layers', () => {
  it('has the arrows of what the linter allows, and of nothing else', async () => {
    const layers = z
      .record(z.string(), z.array(z.string()))
      .parse(JSON.parse(await readFile('scripts/layers.json', 'utf8')));
    const text = await readFile('docs/architecture.md', 'utf8');
    const picture = /```mermaid\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
    const arrows = [...picture.matchAll(/^ *(\w+)(?:\[.*?\])? --> (\w+)/gm)];
    const drawn = new Map<string, Set<string>>();
    for (const [, from = '', to = ''] of arrows) drawn.set(from, (drawn.get(from) ?? new Set()).add(to));
    const reached = (from: string): Set<string> => {
      const below = drawn.get(from) ?? new Set<string>();
      return new Set([...below, ...[...below].flatMap((layer) => [...reached(layer)])]);
    };
    for (const [layer, allowed] of Object.entries(layers)) {
      const missingArrows = allowed.filter((below) => !reached(layer).has(below));
      const forbidden = [...(drawn.get(layer) ?? [])].filter((below) => !allowed.includes(below));
      assert.deepEqual({ layer, missingArrows, forbidden }, { layer, missingArrows: [], forbidden: [] });
    }
    assert.deepEqual(
      [...drawn.keys()].filter((layer) => !(layer in layers)),
      [],
    );
  });
});
