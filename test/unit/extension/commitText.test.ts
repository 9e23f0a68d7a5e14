import assert from 'node:assert/strict';
import type { FileChange } from '../../../src/engine/effects.ts';
import type { MessageData } from '../../../src/engine/graph.ts';
import type * as commitTexts from '../../../src/extension/branches/commitText.ts';
import type { DecidedFile } from '../../../src/files/decidedFiles.ts';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';

const FOLDER = 'file:///w';

const message = (name: string, text: string, ...files: readonly FileChange[]): MessageData => ({
  id: text,
  chatId: 'c',
  parentId: null,
  depth: 0,
  invocationId: 'turn',
  replaces: undefined,
  name,
  type: 'message',
  data: { id: text, role: name, parts: [{ type: 'text', text }] },
  createdAt: 0,
  effects: { files: [...files] },
});

const version = (hash: string) => ({ hash, size: 1 });
const change = (path: string, before: string | null, after: string | null, at = 1): FileChange => ({
  folder: FOLDER,
  path,
  before: before === null ? null : version(before),
  after: after === null ? null : version(after),
  at,
});

describe('a commit message from a branch', () => {
  let texts: typeof commitTexts;
  before(async () => {
    texts = await withVsCodeStub(() => import('../../../src/extension/branches/commitText.ts'), {
      workspace: { workspaceFolders: undefined },
    });
  });
  const summary = (path: readonly MessageData[], decided: readonly DecidedFile[] = []) =>
    texts.commitSummary(path, decided);

  it('has what was asked in its words, decisions with reasons, files as they ended, and a trailer for git', () => {
    const path = [
      message('user', 'Cache the  list\nof birds'),
      message(
        'assistant',
        'Let me look at the code.',
        change('a.ts', 'a1', 'a2'),
        change('gone.ts', 'g', null),
      ),
      message('reminder', 'not said by anyone'),
      message(
        'assistant',
        'I decided to use a Map because the order counts. Done.',
        change('a.ts', 'a2', 'a3'),
        change('new.ts', null, 'n'),
        change('back.ts', 'b1', 'b2'),
        change('back.ts', 'b2', 'b1'),
      ),
      message('user', 'And a test'),
    ];
    const found = summary(path);
    assert.deepEqual(found, {
      questions: ['Cache the list of birds', 'And a test'],
      decisions: ['I decided to use a Map because the order counts.'],
      files: ['gone.ts (deleted)', 'a.ts (changed)', 'new.ts (created)'],
    });
    assert.equal(
      texts.commitText({ ...found, subject: 'Birds', link: 'vscode://x/chat/1' }),
      'Birds\n\n' +
        'Asked:\n- Cache the list of birds\n- And a test\n\n' +
        'Decided:\n- I decided to use a Map because the order counts.\n\n' +
        'Files:\n- gone.ts (deleted)\n- a.ts (changed)\n- new.ts (created)\n\n' +
        'Offshoot-Chat: vscode://x/chat/1',
    );
  });

  it('leaves out what the user undid as a whole, and sections without lines', () => {
    const location = (path: string) => ({ folder: FOLDER, path });
    const path = [message('assistant', 'Done.', change('a.ts', 'a1', 'a2'), change('b.ts', 'b1', 'b2'))];
    const decided = [
      { location: location('a.ts'), version: version('a1'), at: 2 },
      { location: location('b.ts'), version: version('half'), at: 2 },
    ];
    assert.deepEqual(summary(path, decided).files, ['b.ts (changed)']);
    const none = { questions: [], decisions: [], files: [] };
    assert.equal(texts.commitText({ ...none, subject: 'Only this', link: undefined }), 'Only this');
  });

  it('stays short, with the last questions, and one line for each', () => {
    const path = Array.from({ length: 60 }, (_, at) =>
      message('user', `${at} ${'long '.repeat(100)}`, change(`${at}\n.ts`, null, 'x')),
    );
    const { questions, files } = summary(path);
    assert.equal(questions.length, 20);
    assert.match(questions.at(-1) ?? '', /^59 long .*…$/u);
    assert.ok(questions.every((question) => question.length <= 200));
    assert.equal(files.length, 51);
    assert.equal(files.at(-1), 'and 10 more');
    assert.ok(files.every((file) => !file.includes('\n')));
  });
});
