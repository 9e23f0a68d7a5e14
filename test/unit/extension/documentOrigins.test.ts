import assert from 'node:assert/strict';
import path from 'node:path';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { assistant, user } from '../../../src/engine/fragments/index.ts';
import { importedEdits } from '../../fixtures/importedEdits.ts';
import { documentOf, originsInWindow } from '../../fixtures/shownOrigins.ts';
import { until } from '../../fixtures/until.ts';
import { FilesWorld } from '../../worlds/filesWorld.ts';

const START = 'const first = 1;\nconst second = 2;\nconst third = 3;\n';
const SESSION = `${START}const fourth = 4;\nconst fifth = 5;\n`;
const NOW = SESSION.replace('= 5', '= five()');

/** The origins of lines in a window on a world's folder, and how often they searched the store. */
async function originsIn(world: FilesWorld) {
  let searches = 0;
  const store = new Proxy(world.store, {
    get(target, name) {
      if (name === 'searchAllMessages') searches += 1;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  const shown = await originsInWindow(world.workspace.uri, { store, userId: 'me', shared: undefined });
  return { ...shown, searches: () => searches };
}

async function importInto({ store, workspace }: FilesWorld): Promise<void> {
  const file = path.join(workspace.folder, 'a.ts');
  const session = importedEdits('Elsewhere', file, SESSION, ['const fifth = 5;', 'const fifth = five();']);
  await store.importChats('me', [session]);
}

describe('lines of documents that imported sessions edited', () => {
  it('are those that no recorded step wrote, each with the last message that did', async () => {
    await using world = await FilesWorld.make();
    await world.turn({ 'a.ts': START });
    await importInto(world);
    const { origins, hover } = await originsIn(world);
    const { document } = documentOf(`${world.workspace.uri}/a.ts`, NOW);
    const lines = await origins.importedLines(document);
    assert.deepEqual(
      lines.map(({ line, edit, isImported }) => [line, edit.messageId, isImported]),
      [
        [3, 'imported:write', true],
        [4, 'imported:edit', true],
      ],
    );
    assert.deepEqual(
      (await origins.recordedLines(document)).map(({ line, isImported }) => [line, isImported]),
      [
        [0, false],
        [1, false],
        [2, false],
      ],
    );
    const text = (await hover(document, 3)) ?? '';
    assert.match(text, /“Write it”[^]*Step 1 · Fable · .* · imported from Claude Code/u);
    assert.match(text, /\[Show Message\]\(command:/u);
    // There are no versions of the file, and nothing to go back to.
    assert.doesNotMatch(text, /Replaced|Attempts|Rewind/u);
    origins.dispose();
  });

  it('are searched for once, whatever is typed, until something is said or imported', async () => {
    await using world = await FilesWorld.make();
    await importInto(world);
    const { origins, hover, searches } = await originsIn(world);
    const { document, type } = documentOf(`${world.workspace.uri}/a.ts`, NOW);
    for (const line of [0, 1, 2, 3, 4]) assert.ok(await hover(document, line), String(line));
    type(`// mine\n${NOW}`);
    assert.equal(await hover(document, 0), undefined);
    assert.ok(await hover(document, 1));
    assert.equal(searches(), 1);
    const engine = new ContextEngine({ store: world.store, chatId: 'other', userId: 'me' });
    await engine.set(user('And now?'), assistant('yes')).save();
    await engine.close();
    await until(async () => {
      await hover(document, 1);
      return searches() === 2;
    }, 'a second search');
    origins.dispose();
  });

  it('cost no search where nothing was imported, and are told once it is', async () => {
    await using world = await FilesWorld.make();
    await world.turn({ 'b.ts': START });
    const { origins, hover, searches } = await originsIn(world);
    const { document } = documentOf(`${world.workspace.uri}/a.ts`, NOW);
    assert.equal(await hover(document, 1), undefined);
    assert.equal(searches(), 0);
    await importInto(world);
    assert.match((await hover(document, 1)) ?? '', /imported from Claude Code/u);
    origins.dispose();
  });
});
