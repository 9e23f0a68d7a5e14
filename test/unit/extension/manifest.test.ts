import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { clausesOf } from '../../../scripts/manifest/clauses.mjs';
import { holds, keysOf, parseWhen, type When } from '../../../scripts/manifest/when-clause.mjs';

const shown = { when: z.string().optional() };
const place = { group: z.string().optional(), ...shown };
const menuItem = z.union([
  z.object({ command: z.string(), submenu: z.undefined().optional(), ...place }),
  z.object({ submenu: z.string(), command: z.undefined().optional(), ...place }),
]);
const manifestSchema = z.object({
  activationEvents: z.array(z.string()),
  capabilities: z.object({
    untrustedWorkspaces: z.object({ restrictedConfigurations: z.array(z.string()) }),
  }),
  contributes: z.object({
    commands: z.array(
      z.object({ command: z.string(), title: z.string(), enablement: z.string().optional() }),
    ),
    menus: z.record(z.string(), z.array(menuItem)),
    submenus: z.array(z.object({ id: z.string(), label: z.string() })),
    keybindings: z.array(z.object({ command: z.string(), ...shown })),
    views: z.record(z.string(), z.array(z.object({ id: z.string(), ...shown }))),
    viewsWelcome: z.array(z.object({ view: z.string(), ...shown })),
    walkthroughs: z.array(
      z.object({ steps: z.array(z.object({ completionEvents: z.array(z.string()), ...shown })) }),
    ),
    configuration: z.object({ properties: z.record(z.string(), z.unknown()) }),
  }),
});

const ALWAYS: When = { kind: 'constant', value: true };

/** Keys of VS Code's own that clauses here ask for. */
const keysOfVsCode = new Set([
  'explorerResourceIsFolder',
  'resourceFilename',
  ...[
    'callHierarchyVisible',
    'cancellableOperation',
    'editorHasMultipleSelections',
    'editorHasSelection',
    'editorHoverVisible',
    'editorTextFocus',
    'findWidgetVisible',
    'inReferenceSearchEditor',
    'markersNavigationVisible',
    'messageVisible',
    'parameterHintsVisible',
    'referenceSearchVisible',
    'selectionAnchorSet',
    'suggestWidgetVisible',
    'typeHierarchyVisible',
  ],
  ...['activeWebviewPanelId', 'editorFocus', 'editorIsOpen', 'focusedView', 'inputFocus', 'isInDiffEditor'],
  ...[
    'isWorkspaceTrusted',
    'listDoubleSelection',
    'listMultiSelection',
    'resourceScheme',
    'virtualWorkspace',
    'scmProvider',
    'terminalTextSelected',
    'view',
    'viewItem',
  ],
  'webviewId',
]);

async function readManifest(): Promise<z.infer<typeof manifestSchema>> {
  return manifestSchema.parse(JSON.parse(await readFile('package.json', 'utf8')));
}

async function readTexts(file: string): Promise<Record<string, string>> {
  return z.record(z.string(), z.string()).parse(JSON.parse(await readFile(file, 'utf8')));
}

/** All sources below a folder as one text, without the ids that are written from package.json. */
async function readSources(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true });
  const sources = files.filter((file) => /\.tsx?$/.test(file) && path.basename(file) !== 'ids.ts');
  return (await Promise.all(sources.map((file) => readFile(path.join(folder, file), 'utf8')))).join('\n');
}

/** What the rows of the trees call themselves, for their menus. */
async function rowKinds(): Promise<string[]> {
  const given = (await readSources('src/extension')).matchAll(/\.contextValue = ([^;]*);/g);
  return [...given].flatMap(([, value = '']) =>
    [...value.matchAll(/'([^']*)'/g)].flatMap(([, kind = '']) =>
      // Rows of branches also say whether they have files of their own.
      /^branch| single$/u.test(kind) ? [kind, `${kind} files`, `${kind} discarded`] : [kind],
    ),
  );
}

function when(clause: string | undefined): When {
  return clause === undefined ? ALWAYS : parseWhen(clause);
}

function comparisonsIn(clause: When): (When & { kind: 'equals' | 'matches' })[] {
  switch (clause.kind) {
    case 'constant':
    case 'key':
      return [];
    case 'equals':
    case 'matches':
      return [clause];
    case 'not':
      return comparisonsIn(clause.of);
    case 'and':
    case 'or':
      return clause.of.flatMap(comparisonsIn);
  }
}

/** Whether anything makes all of the clauses hold at once, tried with every value that makes a difference to them. */
function canHoldTogether(clauses: readonly When[], rows: readonly string[]): boolean {
  const compared = clauses.flatMap(comparisonsIn);
  const valuesOf = (key: string): (string | boolean)[] => {
    const own = compared.filter((comparison) => comparison.key === key);
    if (own.length === 0) return [true, false];
    const named = own.flatMap((comparison) => (comparison.kind === 'equals' ? [comparison.value] : []));
    const known = key === 'viewItem' ? rows : key === 'resourceFilename' ? ['chat.json'] : [];
    return [...named, ...known, 'something else'];
  };
  let tried: ReadonlyMap<string, string | boolean>[] = [new Map()];
  for (const key of new Set(clauses.flatMap(keysOf))) {
    const values = valuesOf(key);
    tried = tried.flatMap((each) => values.map((value) => new Map([...each, [key, value]])));
  }
  return tried.some((values) => clauses.every((clause) => holds(clause, values)));
}

/** Of a menu, without the buttons in the title of a view or in a row. */
const MOST_ENTRIES = 9;

const NARROWING = new Set(['offshoot.isReadOnly', 'offshoot.isInBrowser', 'listMultiSelection']);

/** Each place in which a menu may open, with as much in it as there can be. */
function placesOf(
  clauses: readonly When[],
  rows: readonly string[],
): { readonly about: string; readonly values: ReadonlyMap<string, string | boolean> }[] {
  const compared = clauses.flatMap(comparisonsIn);
  const keys = [...new Set(clauses.flatMap(keysOf))];
  const fixed = keys
    .filter((key) => compared.every((comparison) => comparison.key !== key))
    .map((key) => [key, !NARROWING.has(key)] as const);
  let places: ReadonlyMap<string, string | boolean>[] = [new Map(fixed)];
  for (const key of new Set(compared.map((comparison) => comparison.key))) {
    const named = compared.flatMap((each) =>
      each.key === key && each.kind === 'equals' ? [each.value] : [],
    );
    const values = [...new Set([...named, ...(key === 'viewItem' ? rows : [])])];
    places = places.flatMap((place) => values.map((value) => new Map([...place, [key, value]])));
  }
  return places.map((values) => ({ about: JSON.stringify([...values]), values }));
}

describe('the manifest', () => {
  it('names only commands in its menus, keys and events that it has, each of them once', async () => {
    const { activationEvents, contributes } = await readManifest();
    const commands = contributes.commands.map(({ command }) => command);
    assert.deepEqual([...new Set(commands)], commands);
    const named = [
      ...Object.values(contributes.menus).flatMap((menu) => menu.flatMap(({ command }) => command ?? [])),
      ...contributes.keybindings.map(({ command }) => command),
      ...activationEvents.flatMap((event) => /^onCommand:(.*)$/.exec(event)?.[1] ?? []),
    ];
    assert.ok(named.length > 100);
    assert.deepEqual(
      named.filter((command) => !commands.includes(command)),
      [],
    );
    const ofOwn = Object.keys(contributes.menus).filter((menu) => menu.startsWith('offshoot.'));
    const placed = Object.values(contributes.menus).flatMap((menu) =>
      menu.flatMap(({ submenu }) => submenu ?? []),
    );
    const submenus = contributes.submenus.map(({ id }) => id).sort();
    assert.deepEqual(ofOwn.sort(), submenus);
    assert.deepEqual([...new Set(placed)].sort(), submenus);
    // VS Code leaves out a submenu that a menu has already, whatever its clause.
    for (const [menu, entries] of Object.entries(contributes.menus)) {
      const within = entries.flatMap(({ submenu }) => submenu ?? []);
      assert.deepEqual([...new Set(within)], within, menu);
    }
    const inPalette = contributes.menus['commandPalette']?.map(({ command }) => command) ?? [];
    assert.deepEqual([...new Set(inPalette)], inPalette);
  });

  it('has a title for each command and submenu, in English and in Chinese', async () => {
    const { commands, submenus } = (await readManifest()).contributes;
    for (const file of ['package.nls.json', 'package.nls.zh-cn.json']) {
      const texts = await readTexts(file);
      const titled = [
        ...commands.map(({ command, title }) => ({ wanted: command.replace(/^offshoot/, 'command'), title })),
        ...submenus.map(({ id, label }) => ({ wanted: id.replace(/^offshoot/, 'submenu'), title: label })),
      ];
      for (const { wanted, title } of titled) {
        const key = /^%(.*)%$/.exec(title)?.[1] ?? '';
        assert.equal(key, wanted);
        assert.ok((texts[key] ?? '').trim() !== '', `${file}: ${key}`);
      }
    }
  });

  it('has one command that adds a selection: in “Attach…”, the editor’s menu and by a key', async () => {
    const { commands, menus, keybindings } = (await readManifest()).contributes;
    const texts = await readTexts('package.nls.json');
    const named = commands.filter(({ command }) =>
      (texts[command.replace(/^\w+/, 'command')] ?? '').includes('Selection'),
    );
    assert.deepEqual(
      named.map(({ command }) => command),
      // That of a terminal is another one.
      ['offshoot.addSelection', 'offshoot.addTerminalSelection'],
    );
    const isIt = ({ command }: { readonly command?: string | undefined }): boolean =>
      command === 'offshoot.addSelection';
    assert.equal(menus['editor/context']?.filter(isIt).length, 1);
    assert.equal(keybindings.filter(isIt).length, 1);
  });

  it('calls nothing as VS Code calls what does something else', async () => {
    const texts = await readTexts('package.nls.json');
    const { commands } = (await readManifest()).contributes;
    const titles = commands.map(({ title }) => texts[title.slice(1, -1)] ?? '');
    const ofVsCode = ['Undo', 'Redo', 'Stop', 'Search…', 'Clear Search', 'Add Selection to Chat'];
    assert.deepEqual(
      titles.filter((title) => ofVsCode.includes(title)),
      [],
    );
  });

  it('gives no two entries that show at once the same place in a menu', async () => {
    const { menus } = (await readManifest()).contributes;
    const rows = await rowKinds();
    const doubled: string[] = [];
    for (const [menu, entries] of Object.entries(menus)) {
      if (menu === 'commandPalette') continue;
      for (const [index, one] of entries.entries()) {
        const nameOf = ({ command, submenu }: typeof one): string => command ?? submenu;
        assert.match(one.group ?? '', /^\w+@-?[\d.]+$/, `${menu}: ${nameOf(one)}`);
        for (const other of entries.slice(index + 1)) {
          if (one.group === other.group && canHoldTogether([when(one.when), when(other.when)], rows)) {
            doubled.push(`${menu} ${one.group ?? ''}: ${nameOf(one)} and ${nameOf(other)}`);
          }
        }
      }
    }
    assert.deepEqual(doubled, []);
  });

  it(`has no menu with more than ${MOST_ENTRIES} entries`, async () => {
    const { menus } = (await readManifest()).contributes;
    const rows = await rowKinds();
    const isButton = ({ group = '' }: { readonly group?: string | undefined }): boolean =>
      /^(?:inline|navigation)@/.test(group);
    const long: string[] = [];
    for (const [menu, entries] of Object.entries(menus)) {
      if (menu === 'commandPalette') continue;
      const listed = entries.filter((entry) => !isButton(entry));
      for (const { about, values } of placesOf(
        listed.map((entry) => when(entry.when)),
        rows,
      )) {
        const shown = listed.filter((entry) => holds(when(entry.when), values));
        if (shown.length > MOST_ENTRIES) long.push(`${menu}, ${about}: ${shown.length}`);
      }
    }
    assert.deepEqual(long, []);
  });

  it('shows no entry and takes no key where its command can never work', async () => {
    const { commands, menus, keybindings } = (await readManifest()).contributes;
    const rows = await rowKinds();
    const { commandPalette: palette = [], ...others } = menus;
    const offered = [...Object.values(others).flat(), ...keybindings, ...palette].filter(
      (entry) => entry.command !== undefined && entry.when !== 'false',
    );
    const dead = offered.filter((entry) => {
      const { enablement } = commands.find(({ command }) => command === entry.command) ?? {};
      return !canHoldTogether([when(entry.when), when(enablement)], rows);
    });
    assert.deepEqual(dead, []);
  });

  it('asks for those keys that the code sets, and the code sets no other', async () => {
    const { contributes } = await readManifest();
    const asked = new Set(clausesOf(contributes).flatMap((clause) => keysOf(parseWhen(clause))));
    const own = [...asked].filter((key) => key.startsWith('offshoot.'));
    assert.ok(own.length > 10);
    const host = await readSources('src/extension');
    // A name after `|` is part of a type, which sets nothing.
    const set = [...host.matchAll(/(?<!\| )'(offshoot\.(?:is|has|can)[A-Z]\w*)'/g)].map(
      ([, key = '']) => key,
    );
    assert.deepEqual([...new Set(set)].sort(), own.sort());
    const page = await readSources('src/webview');
    const unknown = [...asked].filter(
      (key) => !own.includes(key) && !keysOfVsCode.has(key) && !new RegExp(`\\b${key}\\b`).test(page),
    );
    assert.deepEqual(unknown, []);
  });

  it('compares with views, rows and documents that there are', async () => {
    const { activationEvents, contributes } = await readManifest();
    const views = Object.values(contributes.views)
      .flat()
      .map(({ id }) => id);
    const panels = activationEvents.flatMap((event) => /^onWebviewPanel:(.*)$/.exec(event)?.[1] ?? []);
    const rows = await rowKinds();
    assert.ok(rows.includes('chat pinned'));
    const host = await readSources('src/extension');
    const exists = ({ key, value }: { readonly key: string; readonly value: string }): boolean => {
      switch (key) {
        case 'view':
        case 'focusedView':
          return views.includes(value);
        case 'webviewId':
          return [...views, ...panels].includes(value);
        case 'viewItem':
          return rows.includes(value);
        case 'resourceScheme':
          return value === 'file' || host.includes(`'${value}'`);
        default:
          return true;
      }
    };
    const compared = clausesOf(contributes).flatMap((clause) => comparisonsIn(parseWhen(clause)));
    assert.ok(compared.length > 50);
    for (const comparison of compared) {
      if (comparison.kind === 'equals') assert.ok(exists(comparison), JSON.stringify(comparison));
      else {
        // Which files there are is not for the manifest to know.
        if (comparison.key === 'resourceFilename') continue;
        assert.equal(comparison.key, 'viewItem');
        assert.ok(
          rows.some((row) => comparison.pattern.test(row)),
          String(comparison.pattern),
        );
      }
    }
    for (const { view } of contributes.viewsWelcome) assert.ok(views.includes(view), view);
  });

  it('restricts only settings that there are', async () => {
    const { capabilities, contributes } = await readManifest();
    const { properties } = contributes.configuration;
    for (const name of capabilities.untrustedWorkspaces.restrictedConfigurations) {
      assert.ok(name in properties, name);
    }
  });

  it('says of each setting that does nothing in a browser that it is so, and of no other', async () => {
    const { contributes } = await readManifest();
    const inBrowsers = {
      'package.nls.json': /VS Code for the Web/u,
      'package.nls.zh-cn.json': /VS Code 网页版/u,
    };
    for (const [file, saying] of Object.entries(inBrowsers)) {
      const texts = await readTexts(file);
      for (const name of Object.keys(contributes.configuration.properties)) {
        const isAbsent = /^offshoot\.(?:commands|web|sharedStore)\./u.test(name);
        assert.equal(
          saying.test(texts[name.replace('offshoot', 'setting')] ?? ''),
          isAbsent,
          `${file}: ${name}`,
        );
      }
    }
  });
});
