import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { assistant, user } from '../../../src/engine/fragments/index.ts';
import { messagesOnLines } from '../../../src/extension/origins/messagesOnLines.ts';
import { searchChats } from '../../../src/extension/tree/chatSearch.ts';
import { LineOrigins } from '../../../src/lineOrigins/lineOrigins.ts';
import type { Authors } from '../../../src/lineOrigins/stepDetails.ts';
import { utf8TextOf } from '../../../src/lineOrigins/utf8Text.ts';
import { callOf, importedEdits } from '../../fixtures/importedEdits.ts';
import { CHAT, FilesWorld } from '../../worlds/filesWorld.ts';

const START = 'const first = 1;\nconst second = 2;\nconst third = 3;\n';

/** What is found, as `message: why`. */
async function find(world: FilesWorld, first: number, last = first): Promise<string[]> {
  return (await foundOf(world, first, last)).map(
    ({ message, about }) => `${message.id}: ${about?.join(', ')}`,
  );
}

async function foundOf({ store, workspace }: FilesWorld, first: number, last: number, authors?: Authors) {
  const text = await readFile(path.join(workspace.folder, 'src/a.ts'), 'utf8');
  const lines = new LineOrigins(store, 'me', utf8TextOf);
  const origins = await lines.of(workspace.at('src/a.ts'), text);
  lines.dispose();
  return messagesOnLines(store, 'me', { path: 'src/a.ts', first, last }, { text, origins }, authors);
}

async function talk({ store }: FilesWorld, id: string, question: string, reply: string): Promise<void> {
  const engine = new ContextEngine({ store, chatId: id, userId: 'me' });
  engine.set(user(question, { id: `${id}-q` }), assistant(reply, { id: `${id}-a` }));
  await engine.save();
  await engine.close();
}

describe('what was done and said about lines of a file', () => {
  it('are the steps that wrote them, on any branch, the last first', async () => {
    await using world = await FilesWorld.make();
    const first = await world.turn({ 'src/a.ts': START });
    await world.turn({ 'src/a.ts': START.replace('= 2', '= two()') });
    await world.restoreTo(first);
    await world.engine.rewind(first);
    await world.turn({ 'src/a.ts': START.replace('= 2', '= zwei()') });
    assert.deepEqual(await find(world, 2), ['a3: wrote', 'a2: wrote', 'a1: wrote']);
    assert.deepEqual(await find(world, 3), ['a1: wrote']);
    // A line that is as it was before another branch changed it.
    await world.restoreTo(first);
    assert.deepEqual(await find(world, 1, 2), ['a3: wrote', 'a2: wrote', 'a1: wrote']);
    const [{ snippet } = { snippet: '' }] = await foundOf(world, 2, 2);
    assert.equal(snippet, 'do it');
  });

  it('are what another branch put in the same place', async () => {
    await using world = await FilesWorld.make();
    const first = await world.turn({ 'src/a.ts': START });
    await world.turn({ 'src/a.ts': `${START}const fourth = four();\n` });
    await world.restoreTo(first);
    await world.engine.rewind(first);
    await world.turn({ 'src/a.ts': `${START}export { third };\n` });
    assert.deepEqual(await find(world, 4), ['a3: wrote', 'a2: wrote']);
  });

  it('are questions with which they were attached, and messages that name them', async () => {
    await using world = await FilesWorld.make();
    await world.turn({ 'src/a.ts': START });
    await talk(world, 'named', 'What of src/a.ts?', 'Look at `src/a.ts:2`.\n\nsrc/b.ts:1 as well');
    const engine = new ContextEngine({ store: world.store, chatId: 'attached', userId: 'me' });
    const data = { path: 'src/a.ts', startLine: 2, endLine: 3 };
    const whole = { path: 'src/a.ts' };
    const question = (id: string, attached: object) =>
      user(
        {
          id,
          role: 'user',
          parts: [
            { type: 'text', text: 'And here?' },
            { type: 'data-attached-file', data: attached },
          ],
        },
        { id },
      );
    await engine.set(question('lines', data), assistant('yes', { id: 'yes' })).save();
    await engine.set(question('whole', whole), assistant('no', { id: 'no' })).save();
    await engine.close();
    assert.deepEqual(await find(world, 1), ['a1: wrote']);
    assert.deepEqual(await find(world, 2), ['a1: wrote', 'lines: attached', 'named-a: named']);
    assert.deepEqual(await find(world, 3), ['a1: wrote', 'lines: attached']);
  });

  it('are edits of imported chats, as far as their lines still stand', async () => {
    await using world = await FilesWorld.make();
    await writeImported(world);
    await world.turn({
      'src/a.ts': `const first = 1;\n  const second = two();\nconst third = 3;\nreturn;\nreturn;\n`,
    });
    await world.engine.updateChat({ title: 'recorded' });
    assert.deepEqual(await find(world, 1), ['a1: wrote', 'imported:write: imported']);
    assert.deepEqual(await find(world, 2), ['a1: wrote', 'imported:edit: imported']);
    // What stands several times may be anybody's.
    assert.deepEqual(await find(world, 5), ['a1: wrote']);
  });

  it('are no calls of other tools in a chat that was not imported', async () => {
    await using world = await FilesWorld.make();
    await world.turn({ 'src/a.ts': START });
    const engine = new ContextEngine({ store: world.store, chatId: 'own', userId: 'me' });
    const part = callOf('Write', { file_path: 'src/a.ts', content: START });
    engine.set(user('Write it', { id: 'q' }), assistant({ id: 'a', role: 'assistant', parts: [part] }));
    await engine.save();
    await engine.close();
    assert.deepEqual(await find(world, 1), ['a1: wrote']);
  });

  it('have the names of other people in a shared store', async () => {
    await using world = await FilesWorld.make();
    await world.turn({ 'src/a.ts': START });
    await world.turn({ 'src/a.ts': START.replace('= 2', '= two()') });
    const authors = {
      authorsOf: (chatId: string) =>
        Promise.resolve(
          new Map(
            chatId === CHAT
              ? [
                  ['a1', 'Ann'],
                  ['a2', 'me'],
                ]
              : [],
          ),
        ),
    };
    assert.deepEqual(
      (await foundOf(world, 2, 2, authors)).map(({ message, author }) => [message.id, author]),
      [
        ['a2', undefined],
        ['a1', 'Ann'],
      ],
    );
  });

  it('are looked for when the words of a search are such lines, and shown by chat', async () => {
    await using world = await FilesWorld.make();
    await world.turn({ 'src/a.ts': START });
    const search = (roles: 'all' | 'questions', words: string) =>
      searchChats(world.store, 'me', { words, roles, limit: 50 }, async (query) =>
        query === 'src/a.ts:1' ? foundOf(world, 1, 1) : undefined,
      );
    const { chats, count } = await search('all', 'src/a.ts:1');
    assert.equal(count, 1);
    assert.deepEqual(chats[0]?.branches[0]?.messages[0]?.about, ['wrote']);
    assert.equal((await search('questions', 'src/a.ts:1')).count, 0);
    assert.equal((await search('all', 'do it')).count, 1);
  });
});

async function writeImported({ store, workspace }: FilesWorld): Promise<void> {
  const at = path.join(workspace.folder, 'src/a.ts');
  const edited = ['const second = 2;', 'const second = two();'] as const;
  await store.importChats('me', [importedEdits('imported', at, `${START}return;\n`, edited)]);
}
