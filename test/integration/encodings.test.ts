import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { editorEncodings, editorTexts, searchEncodings } from '../../src/extension/files/editorEncodings.ts';
import { markFor } from '../../src/host/textEncodings.ts';
import { useFileTurns } from './fileTurns.ts';
import { FolderFiles } from './folderFiles.ts';
import { offshoot } from './support.ts';

/** As VS Code writes it, without a mark. */
async function encoded(text: string, encoding: string): Promise<Uint8Array> {
  return Uint8Array.from(await vscode.workspace.encode(text, { encoding }));
}

/** Settings of files in the open folder, taken back after each test. */
function useFileSettings(): (name: string, value: unknown, languageId?: string) => Promise<void> {
  const changed: [string, string | undefined][] = [];
  const set = async (name: string, value: unknown, languageId?: string): Promise<void> => {
    const { uri } = new FolderFiles().folder;
    const scope = languageId === undefined ? uri : { uri, languageId };
    await vscode.workspace
      .getConfiguration('files', scope)
      .update(name, value, vscode.ConfigurationTarget.Workspace, languageId !== undefined);
  };
  afterEach(async () => {
    for (const [name, languageId] of changed.splice(0)) await set(name, undefined, languageId);
  });
  return async (name, value, languageId) => {
    changed.push([name, languageId]);
    await set(name, value, languageId);
  };
}

describe('the encodings of files', () => {
  const set = useFileSettings();
  let files: FolderFiles;

  beforeEach(async () => {
    files = FolderFiles.forOneTest('encodings-test');
    await files.makeFolder();
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await files.remove();
  });

  const encodingOf = async (name: string): Promise<string> =>
    editorEncodings.of(files.uri(name).toString(), await files.bytes(name));
  const textOf = async (name: string): Promise<string> =>
    (await editorTexts.read(files.uri(name).toString(), await files.bytes(name))).text;
  /** As VS Code opens it, which is the last that is asked: a document that is open tells its encoding. */
  const opened = async (name: string): Promise<[text: string, encoding: string]> => {
    const document = await vscode.workspace.openTextDocument(files.uri(name));
    return [document.getText(), document.encoding];
  };

  it('are those of the settings for their folder and language, as VS Code opens them', async () => {
    await set('encoding', 'windows1252');
    await set('encoding', 'shiftjis', 'ini');
    const latin = await encoded('café\n', 'windows1252');
    const japanese = await encoded('日本\n', 'shiftjis');
    await files.write('a.txt', latin);
    await files.write('b.ini', japanese);
    await files.write('c.txt', new Uint8Array([...markFor('utf16be'), 0x00, 0xe9]));
    await files.write('d.txt', new Uint8Array([0x68, 0, 0x69, 0]));
    for (const [name, text, encoding] of [
      ['a.txt', 'café\n', 'windows1252'],
      ['b.ini', '日本\n', 'shiftjis'],
      ['c.txt', 'é', 'utf16be'],
      ['d.txt', 'hi', 'utf16le'],
    ] as const) {
      assert.deepEqual([await textOf(name), await encodingOf(name)], [text, encoding], name);
      assert.deepEqual(await opened(name), [text, encoding], name);
    }
    assert.deepEqual(await editorTexts.contentOfNew(files.uri('new.ini').toString(), '日本\n'), japanese);
    assert.deepEqual(await editorTexts.contentOfNew(files.uri('new.txt').toString(), 'café\n'), latin);
    const settings = vscode.Uri.joinPath(files.folder.uri, '.vscode', 'settings.json').toString();
    assert.equal(await editorEncodings.ofNew(settings), 'utf8', 'as VS Code writes its own');
  });

  it('are those that VS Code guesses, where it is to', async () => {
    await set('autoGuessEncoding', true);
    await set('candidateGuessEncodings', ['utf8', 'shiftjis']);
    const text = 'これは日本語の文章です。文字コードを推測します。\n'.repeat(20);
    await files.write('a.txt', await encoded(text, 'shiftjis'));
    await files.write('b.txt', text);
    assert.deepEqual([await textOf('a.txt'), await encodingOf('a.txt')], [text, 'shiftjis']);
    assert.deepEqual([await textOf('b.txt'), await encodingOf('b.txt')], [text, 'utf8']);
    assert.deepEqual(await opened('a.txt'), [text, 'shiftjis']);
  });

  it('are those in which the user has opened them', async () => {
    await files.write('a.txt', await encoded('Привет\n', 'koi8r'));
    assert.notEqual(await textOf('a.txt'), 'Привет\n');
    await vscode.workspace.openTextDocument(files.uri('a.txt'), { encoding: 'koi8r' });
    assert.equal(await textOf('a.txt'), 'Привет\n');
    const file = await editorTexts.read(files.uri('a.txt').toString(), await files.bytes('a.txt'));
    assert.deepEqual(await file.contentWith('Привет!\n'), await encoded('Привет!\n', 'koi8r'));
  });

  it('refuse what they lack, in each of those that VS Code has', async () => {
    for (const encoding of [
      ...['windows1252', 'iso88591', 'macroman', 'cp437'],
      ...['shiftjis', 'eucjp', 'gbk', 'cp950'],
    ]) {
      const bytes = await editorEncodings.encode('plain\ntext\n', encoding);
      assert.equal(await editorEncodings.decode(bytes, encoding), 'plain\ntext\n');
      await assert.rejects(
        editorTexts.contentOf('plain\n😀', encoding),
        { code: 'not-encodable', character: '😀', line: 2 },
        encoding,
      );
    }
  });

  it('are told to searches: those in use, and that of each file', async () => {
    const { guarded } = (await offshoot()).parts;
    const search = searchEncodings(guarded);
    const folder = files.folder.uri.toString();
    assert.deepEqual(await search.inUse(folder), { set: ['utf8'], guessed: [] });
    await set('encoding', 'windows1252');
    await set('encoding', 'shiftjis', 'ini');
    assert.deepEqual((await search.inUse(folder)).set.toSorted(), ['shiftjis', 'utf8', 'windows1252']);
    await files.write('a.ini', '');
    assert.equal(await search.ofFile(files.uri('a.ini').toString()), 'shiftjis');
    assert.equal(await search.ofFile(files.uri('a.txt').toString()), 'windows1252');
    await set('autoGuessEncoding', true);
    await set('candidateGuessEncodings', ['gbk']);
    assert.deepEqual((await search.inUse(folder)).guessed, ['gbk']);
  });
});

describe('edits to review in a file that is not in UTF-8', () => {
  const set = useFileSettings();
  const turns = useFileTurns();
  // No other test has it open, in UTF-8.
  const name = 'latin.txt';
  const latin = (text: string) => encoded(text, 'windows1252');

  it('are counted, and kept and undone byte for byte', async () => {
    await set('encoding', 'windows1252');
    const { api, files: there, turn } = turns();
    const { current, review } = api.parts;
    await there.write(name, await latin('één\ntwo\nthree\nvier\n'));
    await turn({ [name]: await latin('één\ntwee\nthree\nviér\n') });
    const chatId = await current.chatId();
    const [file] = await review.read(chatId);
    assert.ok(file);
    assert.deepEqual(file.lines, { added: 2, removed: 2 });
    assert.equal(await review.baselineText(file), 'één\ntwo\nthree\nvier\n');
    const { keepHunk, undoHunk, hunksIn } = await import('../../src/extension/files/editedHunks.ts');
    const document = await vscode.workspace.openTextDocument(there.uri(name));
    const [first, second] = await hunksIn(review, file, document);
    assert.ok(first && second);
    await keepHunk(review, chatId, file, first);
    const [rest] = await review.read(chatId);
    assert.ok(rest);
    assert.equal(await review.baselineText(rest), 'één\ntwee\nthree\nvier\n');
    const [left] = await hunksIn(review, rest, document);
    assert.ok(left);
    await undoHunk({ files: api.parts.files, review }, chatId, { file: rest, document, hunk: left });
    assert.deepEqual(await there.bytes(name), await latin('één\ntwee\nthree\nvier\n'));
    assert.deepEqual(await review.read(chatId), []);
  });
});
