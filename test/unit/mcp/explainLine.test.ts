import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { sourceMetadata } from '../../../src/importExport/importSource.ts';
import { explainLine } from '../../../src/mcp/reading/explainLine.ts';
import { LineOrigins } from '../../../src/lineOrigins/lineOrigins.ts';
import { utf8TextOf } from '../../../src/lineOrigins/utf8Text.ts';
import { locationsOf } from '../../../src/mcp/reading/readingFiles.ts';
import { LOCAL_USER } from '../../../src/engine/users.ts';
import { assistant, user } from '../../../src/engine/fragments/index.ts';
import type { FileLocation } from '../../../src/host/workspaceFiles.ts';
import { CHAT, FilesWorld } from '../../worlds/filesWorld.ts';
import { importedEdits } from '../../fixtures/importedEdits.ts';
import { allNames } from '../../fixtures/hostileNames.ts';

const START = 'const first = 1;\nconst second = 2;\nconst third = 3;\n';

const answered = z.object({
  path: z.string(),
  steps: z.array(z.looseObject({ message: z.string(), at: z.string() })),
  notKnown: z.unknown(),
});

/** The tool over the files of a world, as a user sees its chats. */
function explaining(world: FilesWorld, userId = 'me') {
  const { folder } = world.workspace;
  const text = ({ path: name }: FileLocation): Promise<string | undefined> =>
    readFile(path.join(folder, name), 'utf8').catch(() => undefined);
  const files = { folders: (recorded: readonly string[]) => recorded, text };
  return async (input: Record<string, unknown>) => {
    const answer = await explainLine.run({ store: world.store, userId, files }, { path: 'a.ts', ...input });
    // What is said to have a shape has it.
    explainLine.output?.parse(answer.data);
    return { text: answer.text, data: answered.parse(answer.data) };
  };
}

describe('why lines are as they are, for other agents', () => {
  it('is told by step: where it was said, for which question, and what else was tried', async () => {
    await using world = await FilesWorld.make();
    const explain = explaining(world);
    const disk = path.join(world.workspace.folder, 'a.ts');
    await writeFile(disk, START);
    const first = await world.turn({ 'a.ts': START.replace('= 1', '= one()') });
    await world.turn({ 'a.ts': START.replace('= 1', '= one()').replace('= 2', '= two()') });
    await world.engine.rewind(first);
    await world.restoreTo(first);
    await world.edit({ 'a.ts': START.replace('= 1', '= one()').replace('= 2', '= double(first)') });
    const parts = [{ type: 'text' as const, text: 'done' }];
    const answer = { id: 'tried', role: 'assistant' as const, metadata: { modelLabel: 'Fable' }, parts };
    await world.engine.set(user('Use the first', { id: 'q' }), assistant(answer)).save();
    await writeFile(disk, (await readFile(disk, 'utf8')).replace('double(first)', 'double(first, 2)'));

    const { text, data } = await explain({ line: 1, endLine: 9 });
    const { title, at, ...told } = data.steps[1] ?? assert.fail();
    assert.deepEqual(told, {
      chat: CHAT,
      branch: 'main-v2',
      message: 'tried',
      question: 'Use the first',
      step: 1,
      model: 'Fable',
      person: 'me',
      lines: [{ from: 2, to: 2 }],
      knownBy: 'versions',
      changedSince: true,
      otherAttempts: [
        { chat: CHAT, title, branch: 'main', message: 'a2', question: 'do it', step: 1, at, person: 'me' },
      ],
    });
    assert.deepEqual([data.path, data.notKnown], ['a.ts', [{ from: 3, to: 3 }]]);
    assert.equal(
      text,
      [
        '"a.ts"',
        `Line 1: message "a1" in chat "${CHAT}" (no title), branch "main-v2", step 1, ${at}, of me\n` +
          '  Question: do it',
        `Line 2: message "tried" in chat "${CHAT}" (no title), branch "main-v2", step 1, Fable, ${at}, of me; ` +
          'changed since by something else\n  Question: Use the first\n' +
          `- Other attempt: message "a2" in chat "${CHAT}" (no title), branch "main", step 1, ${at}, of me\n` +
          '  Question: do it',
        'Line 3: no step of a chat is known.',
      ].join('\n\n'),
    );
  });

  it('says from which program a chat was imported, and no hidden text of a question', async () => {
    await using world = await FilesWorld.make();
    await world.edit({ 'a.ts': START });
    await world.engine.set(user(`${allNames}\u{E0041}`, { id: 'q' }), assistant('done', { id: 'a' })).save();
    await world.store.updateChat(CHAT, { metadata: sourceMetadata({ program: 'codex', ids: ['1'] }, 1) });
    const { text, data } = await explaining(world)({ line: 1 });
    assert.match(text, /, of me, imported from Codex\n {2}Question: /u);
    assert.equal(data.steps[0]?.['importedFrom'], 'Codex');
    assert.doesNotMatch(text, /[\u202E\u2028]|[\u{E0000}-\u{E007F}]/u);
    assert.equal(text.split('\n').length, 4);
  });

  it('is told of lines that only an imported session edited, as they are now', async () => {
    await using world = await FilesWorld.make();
    const explain = explaining(world);
    await world.turn({ 'a.ts': START });
    const disk = path.join(world.workspace.folder, 'a.ts');
    const more = 'const fourth = 4;\nconst fifth = 5;\n';
    const edited = ['const fifth = 5;', 'const fifth = five();'] as const;
    const session = importedEdits('From elsewhere', disk, START + more, edited);
    const [chat = ''] = await world.store.importChats('me', [session]);
    await writeFile(disk, `${START}const fourth = 4;\n  const fifth = five();\nconst sixth = 6;\n`);

    const { text, data } = await explain({ line: 3, endLine: 6 });
    const [recorded, edit, write] = data.steps;
    assert.deepEqual([recorded?.message, recorded?.['knownBy']], ['a1', 'versions']);
    assert.deepEqual(edit, {
      chat,
      title: 'From elsewhere',
      branch: 'main',
      message: 'imported:edit',
      question: 'Write it',
      step: 2,
      at: '1970-01-01T00:00Z',
      person: 'me',
      importedFrom: 'Claude Code',
      lines: [{ from: 5, to: 5 }],
      knownBy: 'session',
      changedSince: false,
      otherAttempts: [],
    });
    assert.deepEqual([write?.message, write?.['lines']], ['imported:write', [{ from: 4, to: 4 }]]);
    assert.deepEqual(data.notKnown, [{ from: 6, to: 6 }]);
    assert.match(
      text,
      /^Line 5: message "imported:edit" .*, imported from Claude Code; known by what its session edited, .*$/mu,
    );

    await world.store.updateChat(chat, { metadata: { archived: true } });
    const archived = await explain({ line: 4, endLine: 6 });
    assert.deepEqual([archived.data.steps, archived.data.notKnown], [[], [{ from: 4, to: 6 }]]);
  });

  it('takes what a window knows already, and else reads all records with each call', async () => {
    await using world = await FilesWorld.make();
    await world.turn({ 'a.ts': START });
    let reads = 0;
    const store = new Proxy(world.store, {
      get(target, name) {
        if (name === 'listFileChanges') reads += 1;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const files = { folders: () => [world.workspace.uri], text: () => Promise.resolve(START) };
    const reading = { store, userId: 'me', files };
    const known = new LineOrigins(store, 'me', utf8TextOf);
    const shared = { ...reading, lineOrigins: () => Promise.resolve(known) };
    const explain = async (by: typeof reading): Promise<string> =>
      (await explainLine.run(by, { path: 'a.ts', line: 1 })).text;
    for (const expected of [1, 2]) {
      assert.match(await explain(reading), /^Line 1: message "a1"/mu);
      assert.equal(reads, expected);
    }
    for (let call = 0; call < 2; call++) assert.match(await explain(shared), /^Line 1: message "a1"/mu);
    assert.equal(reads, 3);
    known.dispose();
  });

  it('names no chat that is archived, and no branch, and none of others', async () => {
    await using world = await FilesWorld.make();
    const explain = explaining(world);
    const first = await world.turn({ 'a.ts': START });
    await world.turn({ 'a.ts': `${START}const fourth = 4;\n` });
    const ids = async () => (await explain({ line: 1, endLine: 4 })).data.steps.map(({ message }) => message);
    assert.deepEqual(await ids(), ['a1', 'a2']);
    await assert.rejects(explaining(world, 'other')({ line: 1 }), /no text file "a\.ts"/u);
    await world.engine.rewind(first);
    await world.engine.set(user('on'), assistant('yes')).save();
    await world.store.archiveBranch(CHAT, 'main', { userId: 'me' });
    assert.deepEqual(await ids(), ['a1']);
    await world.store.updateChat(CHAT, { metadata: { archived: true } });
    assert.deepEqual(await ids(), []);
  });

  it('is refused for what is not there, with what to do', async () => {
    await using world = await FilesWorld.make();
    const explain = explaining(world);
    await world.turn({ 'a.ts': START });
    await assert.rejects(explain({ path: '../a.ts', line: 1 }), /There is no text file/u);
    await assert.rejects(explain({ path: 'none.ts', line: 1 }), /There is no text file "none\.ts"/u);
    await assert.rejects(explain({ line: 4 }), /The file has only 3 lines/u);
    await assert.rejects(explain({ line: 2, endLine: 1 }), /endLine comes before line/u);
    await assert.rejects(explain({ line: 1, endLine: 501 }), /at most 500 lines/u);
    await assert.rejects(explain({ line: 0 }), { name: 'ZodError' });
    const absolute = path.join(world.workspace.folder, 'a.ts');
    assert.equal((await explain({ path: absolute, line: 1 })).data.path, 'a.ts');
    const without = { store: world.store, userId: LOCAL_USER };
    await assert.rejects(explainLine.run(without, { path: 'a.ts', line: 1 }), /There is no text file/u);
  });

  it('takes paths as agents write them on any system', () => {
    const paths = (given: string, folder: string) => locationsOf(given, [folder]).map((each) => each.path);
    const [posix, windows] = ['file:///home/a%20b', 'file:///c%3A/Code'];
    assert.deepEqual(paths('src/x.ts', posix), ['src/x.ts']);
    assert.deepEqual(paths('./src//x.ts', posix), ['src/x.ts']);
    assert.deepEqual(paths('/home/a b/src/x.ts', posix), ['src/x.ts']);
    assert.deepEqual(paths('/home/a bc/x.ts', posix), []);
    assert.deepEqual(paths('a\\b.ts', posix), ['a\\b.ts']);
    assert.deepEqual(paths('src\\x.ts', windows), ['src/x.ts']);
    assert.deepEqual(paths('C:\\code\\src\\x.ts', windows), ['src/x.ts']);
    assert.deepEqual(paths('c:/Code/x.ts', windows), ['x.ts']);
    assert.deepEqual(paths('D:\\x.ts', windows), []);
    for (const given of ['/home/a b', '/', '', '.', 'src/../../x', '..'])
      assert.deepEqual(paths(given, posix), []);
    assert.deepEqual(paths('x.ts', 'machine:far/file:///x'), []);
  });
});
