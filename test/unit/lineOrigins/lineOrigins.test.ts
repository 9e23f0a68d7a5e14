import assert from 'node:assert/strict';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { assistant, user } from '../../../src/engine/fragments/index.ts';
import { LineOrigins } from '../../../src/lineOrigins/lineOrigins.ts';
import { utf8TextOf } from '../../../src/lineOrigins/utf8Text.ts';
import { readStepDetails } from '../../../src/lineOrigins/stepDetails.ts';
import { CHAT, FilesWorld } from '../../worlds/filesWorld.ts';

const START = 'const first = 1;\nconst second = 2;\nconst third = 3;\n';

/** Answers about the files on the disk of a world. */
function originsOf(world: FilesWorld) {
  const origins = new LineOrigins(world.store, 'me', utf8TextOf);
  const file = async (name: string, text?: string) => {
    origins.forget();
    const now = text ?? (await readFile(path.join(world.workspace.folder, name), 'utf8'));
    return origins.of(world.workspace.at(name), now);
  };
  return {
    file,
    /** By line, the messages of the steps that it is from, the last first, and whether it was changed since. */
    lines: async (name: string, text?: string): Promise<Record<number, string>> =>
      Object.fromEntries(
        (await file(name, text)).lines.map(({ line, edit, earlier, isChangedSince }) => [
          line,
          [edit, ...earlier].map(({ messageId }) => messageId).join(' ') + (isChangedSince ? ' changed' : ''),
        ]),
      ),
  };
}

describe('who wrote the lines of a file', () => {
  it('is known through edits of the user, formatters and moves', async () => {
    await using world = await FilesWorld.make();
    const { lines } = originsOf(world);
    const disk = path.join(world.workspace.folder, 'a.ts');
    await writeFile(disk, START);
    assert.deepEqual(await lines('a.ts'), {});
    await world.turn({ 'a.ts': START.replace('second = 2', 'second = compute(first, 2)') });
    assert.deepEqual(await lines('a.ts'), { 1: 'a1' });
    // The user's own lines, an indentation, and a line that moves.
    const own = '// mine\n  const third = 3;\n    const second =  compute(first, 2);\nconst first = 1;\n';
    await writeFile(disk, own);
    assert.deepEqual(await lines('a.ts'), { 2: 'a1' });
    // Unsaved, on top of that.
    assert.deepEqual(await lines('a.ts', own.replace('first, 2', 'first, 22')), { 2: 'a1 changed' });
    await world.turn({ 'a.ts': own.replace('first, 2', 'first, 2, third') });
    assert.deepEqual(await lines('a.ts'), { 2: 'a2 a1' });
  });

  it('moves with a block, brackets and all', async () => {
    await using world = await FilesWorld.make();
    const { lines } = originsOf(world);
    const own = 'class Own {\n  readonly a = 1;\n  readonly b = 2;\n}\n';
    const block = 'describe(() => {\n  check(1);\n});\n';
    await writeFile(path.join(world.workspace.folder, 'a.ts'), own);
    await world.turn({ 'a.ts': `${block}${own}` });
    assert.deepEqual(await lines('a.ts', `${own}${block}`), { 4: 'a1', 5: 'a1', 6: 'a1' });
  });

  it('counts the lines below one that had no end', async () => {
    await using world = await FilesWorld.make();
    const { lines } = originsOf(world);
    await writeFile(path.join(world.workspace.folder, 'a.ts'), START.trimEnd());
    await world.turn({ 'a.ts': `${START}const fourth = 4;\nconst fifth = 5;\n` });
    assert.deepEqual(await lines('a.ts'), { 3: 'a1', 4: 'a1' });
  });

  it('claims no line that only looks alike, and no bracket alone', async () => {
    await using world = await FilesWorld.make();
    const { lines } = originsOf(world);
    await world.turn({ 'a.ts': 'function one() {\n  return compute();\n}\n' });
    assert.deepEqual(await lines('a.ts'), { 0: 'a1', 1: 'a1', 2: 'a1' });
    const replaced = 'class Other {\n  readonly member = 5;\n}\n';
    assert.deepEqual(await lines('a.ts', replaced), {});
  });

  it('is as it was after a rewind, and tells what other branches made of the same lines', async () => {
    await using world = await FilesWorld.make();
    const { file, lines } = originsOf(world);
    await writeFile(path.join(world.workspace.folder, 'a.ts'), START);
    const first = await world.turn({ 'a.ts': START.replace('= 1', '= one()') });
    await world.turn({ 'a.ts': START.replace('= 1', '= one()').replace('= 2', '= two()') });
    assert.deepEqual(await lines('a.ts'), { 0: 'a1', 1: 'a2' });
    await world.engine.rewind(first);
    await world.restoreTo(first);
    assert.deepEqual(await lines('a.ts'), { 0: 'a1' });
    await world.turn({ 'a.ts': START.replace('= 1', '= one()').replace('= 2', '= double(first)') });
    assert.deepEqual(await lines('a.ts'), { 0: 'a1', 1: 'a3' });
    const known = await file('a.ts');
    const others = known.lines.map((origin) => known.otherEdits(origin).map(({ messageId }) => messageId));
    assert.deepEqual(others, [[], ['a2']]);
  });

  it('is the same whether a file is followed step by step or all at once, back to any version', async () => {
    await using world = await FilesWorld.make();
    const stepwise = originsOf(world);
    const texts = [START, START.replace('= 1', '= one()'), START.replace('= 2', '= two()')];
    for (const text of texts) {
      await world.turn({ 'a.ts': text });
      for (const each of texts)
        assert.deepEqual(await stepwise.lines('a.ts', each), await originsOf(world).lines('a.ts', each));
    }
    assert.deepEqual(await stepwise.lines('a.ts', texts[1]), { 0: 'a2 a1', 1: 'a1', 2: 'a1' });
  });

  it('follows a file that a step renamed, and one that the user did', async () => {
    await using world = await FilesWorld.make();
    const { lines } = originsOf(world);
    await world.turn({ 'a.ts': START });
    await world.turn({ 'a.ts': null, 'made/b.ts': START });
    assert.deepEqual(await lines('made/b.ts'), { 0: 'a1', 1: 'a1', 2: 'a1' });
    const { folder } = world.workspace;
    await rename(path.join(folder, 'made/b.ts'), path.join(folder, 'mine.ts'));
    assert.deepEqual(await lines('mine.ts'), { 0: 'a1', 1: 'a1', 2: 'a1' });
    assert.deepEqual(await lines('none.ts', 'const other = 1;\n'), {});
  });

  it('follows a file that steps renamed several times', async () => {
    await using world = await FilesWorld.make();
    const { lines } = originsOf(world);
    await world.turn({ 'a.ts': START });
    await world.turn({ 'a.ts': null, 'b.ts': START });
    await world.turn({ 'b.ts': null, 'c.ts': START });
    assert.deepEqual(await lines('c.ts', `// mine\n${START}`), { 1: 'a1', 2: 'a1', 3: 'a1' });
  });

  it('is known of a copy that another machine or a branch works in, where a file is half the same', async () => {
    await using world = await FilesWorld.make();
    const { lines } = originsOf(world);
    const text = new TextEncoder().encode(START);
    const after = { hash: await world.store.blobs.put(text), size: text.length };
    world.engine.files.add({ folder: 'machine:far/file:///x', path: 'a.ts', before: null, after, at: 1 });
    await world.engine.set(user('do it there', { id: 'q' }), assistant('done', { id: 'far' })).save();
    assert.deepEqual(await lines('a.ts', `// mine\n${START}`), { 1: 'far', 2: 'far', 3: 'far' });
    assert.deepEqual(await lines('a.ts', 'const first = 1;\nx\ny\nz\n'), {});
  });

  it('leaves out what a version that was not kept has added', async () => {
    await using world = await FilesWorld.make();
    const { lines } = originsOf(world);
    const large = `${START}${'// a large part\n'.repeat(10_000)}`;
    await world.turn({ 'a.ts': START });
    await world.turn({ 'a.ts': large });
    assert.deepEqual(await lines('a.ts', `${START}// added by nobody\n`), { 0: 'a1', 1: 'a1', 2: 'a1' });
  });

  it('says the question, the step and the model', async () => {
    await using world = await FilesWorld.make();
    await world.edit({ 'a.ts': START });
    const messages = [
      { id: 's1', role: 'assistant' as const, parts: [{ type: 'text' as const, text: 'looking' }] },
      {
        id: 's2',
        role: 'assistant' as const,
        metadata: { modelLabel: 'Fable' },
        parts: [{ type: 'text' as const, text: 'done' }],
      },
    ];
    await world.engine
      .set(user('Make it faster', { id: 'q' }), ...messages.map((message) => assistant(message)))
      .save();
    const details = await readStepDetails(world.store, 'me', { chatId: CHAT, messageId: 's2', at: 5 });
    assert.deepEqual(details, {
      chatId: CHAT,
      chatTitle: undefined,
      importedFrom: undefined,
      userId: 'me',
      messageId: 's2',
      branch: 'main',
      question: { messageId: 'q', text: 'Make it faster' },
      step: 2,
      model: 'Fable',
      at: 5,
    });
    assert.equal(
      await readStepDetails(world.store, 'other', { chatId: CHAT, messageId: 's2', at: 5 }),
      undefined,
    );
    assert.equal(
      await readStepDetails(world.store, 'me', { chatId: CHAT, messageId: 'none', at: 5 }),
      undefined,
    );
  });
});
