import * as vscode from 'vscode';
import type { SearchEncodings } from '../../agent/tools/workspace/ripgrep.ts';
import { isSameBytes } from '../../base/sameBytes.ts';
import { FileTooLargeError } from '../../host/files.ts';
import { FileTexts } from '../../host/fileTexts.ts';
import type { GuardedFiles } from '../../host/guardedFiles.ts';
import {
  isUnicode,
  markOf,
  unicodeEncodings,
  utf16Of,
  type TextEncodings,
} from '../../host/textEncodings.ts';
import { WorkspaceFileError } from '../../host/workspaceFiles.ts';

/**
 * As VS Code opens and saves files: by their byte order mark, as an editor has them open, by a guess where the settings
 * want one, else by `files.encoding` for their folder and language. VS Code tells the encoding of open files only, so that
 * those of the settings are tried until one does the same.
 */
export const editorEncodings: TextEncodings = {
  of: async (file, content) =>
    markOf(content)?.encoding ?? openedIn(file) ?? utf16Of(content) ?? (await guessed(file, content)),
  ofNew: (file) => configured(parsed(file)),
  decode: async (bytes, encoding) =>
    isUnicode(encoding) || bytes.length === 0
      ? unicodeEncodings.decode(bytes, encoding)
      : vscode.workspace.decode(bytes, { encoding }),
  encode: async (text, encoding) =>
    isUnicode(encoding) || text === ''
      ? unicodeEncodings.encode(text, encoding)
      : vscode.workspace.encode(text, { encoding }),
};

export const editorTexts = new FileTexts(editorEncodings);

/** Texts that are no files. */
export const artifactTexts = new FileTexts(unicodeEncodings);

/** In bytes: the encoding of a larger file is not guessed for a search, which looks into no larger ones. */
const MAX_GUESSED = 10_000_000;

export function searchEncodings(guarded: GuardedFiles): SearchEncodings {
  return {
    decode: (...given) => editorEncodings.decode(...given),
    inUse: (folder) => {
      const uri = parsed(folder);
      return Promise.resolve({ set: settingsOf(uri), guessed: isGuessed(uri) ? candidates(uri) : [] });
    },
    ofFile: async (file) => {
      if (!isGuessed(parsed(file))) return openedIn(file) ?? configured(parsed(file));
      try {
        const content = await guarded.read(await guarded.resolve({ uri: file }), MAX_GUESSED);
        return await editorEncodings.of(file, content);
      } catch (error) {
        if (!(error instanceof WorkspaceFileError || error instanceof FileTooLargeError)) throw error;
        return configured(parsed(file));
      }
    },
  };
}

function parsed(uri: string): vscode.Uri {
  return vscode.Uri.parse(uri, true);
}

/** The user may have chosen it for this file. */
function openedIn(file: string): string | undefined {
  return vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === file)?.encoding;
}

/** A setting of files as it is for a folder, and for each language that has its own. */
function valuesOf<T>(name: string, uri: vscode.Uri): (T | undefined)[] {
  const files = vscode.workspace.getConfiguration('files', uri);
  const languages = files.inspect<T>(name)?.languageIds ?? [];
  return [
    files.get<T>(name),
    ...languages.map((languageId) =>
      vscode.workspace.getConfiguration('files', { uri, languageId }).get<T>(name),
    ),
  ];
}

/** UTF-8 is also that of VS Code's own files, whatever the settings say. */
function settingsOf(uri: vscode.Uri): string[] {
  const values = valuesOf<string>('encoding', uri);
  return [...new Set(['utf8', ...values.flatMap((each) => each ?? [])])];
}

async function configured(uri: vscode.Uri): Promise<string> {
  const names = settingsOf(uri);
  if (names.length === 1) return 'utf8';
  const letters = differingLetters();
  const wanted = await vscode.workspace.encode(letters, { uri });
  for (const encoding of names) {
    if (isSameBytes(await vscode.workspace.encode(letters, { encoding }), wanted)) return encoding;
  }
  return 'utf8';
}

function isGuessed(uri: vscode.Uri): boolean {
  return valuesOf<boolean>('autoGuessEncoding', uri).includes(true);
}

function candidates(uri: vscode.Uri): readonly string[] {
  const files = vscode.workspace.getConfiguration('files', uri);
  const wanted = files.get<string[]>('candidateGuessEncodings') ?? [];
  return wanted.length > 0 ? wanted : GUESSED;
}

/** What VS Code guesses, where nothing else is wanted (`guessableName` in its `encoding.ts`). */
const GUESSED: readonly string[] = [
  ...['windows1252', 'shiftjis', 'gb2312', 'cp950', 'eucjp', 'euckr', 'windows1251', 'koi8r', 'windows1250'],
  ...['iso88592', 'windows1253', 'iso88597', 'windows1255', 'iso88598', 'iso88595', 'cp866', 'cp1125'],
];

async function guessed(file: string, content: Uint8Array): Promise<string> {
  const uri = parsed(file);
  const usual = await configured(uri);
  if (!isGuessed(uri) || content.length === 0) return usual;
  const text = await decodedAsFile(content, uri);
  if (text === undefined) return usual;
  for (const encoding of new Set([usual, ...candidates(uri), ...GUESSED, 'gbk', 'gb18030'])) {
    if ((await editorEncodings.decode(content, encoding)) === text) return encoding;
  }
  return usual;
}

/** Undefined for what is binary. */
async function decodedAsFile(content: Uint8Array, uri: vscode.Uri): Promise<string | undefined> {
  try {
    return await vscode.workspace.decode(content, { uri });
  } catch {
    // VS Code has no error of its own for that.
    return undefined;
  }
}

/** No two encodings write them the same. */
function differingLetters(): string {
  const ranges = [
    ...[0xa0, 0x17f, 0x384, 0x3ce, 0x400, 0x4ff, 0x5d0, 0x5ea, 0x60c, 0x652, 0xe01, 0xe5b, 0x1e02, 0x1ef9],
    ...[0x2013, 0x2044, 0x20a0, 0x20bf, 0x2200, 0x22a5, 0x2500, 0x25a0, 0x3041, 0x30fe, 0x4e00, 0x4e40],
  ];
  let letters = '中文漢字龍가힣';
  for (let index = 0; index < ranges.length; index += 2) {
    for (let code = ranges[index] ?? 0; code <= (ranges[index + 1] ?? 0); code += 1) {
      letters += String.fromCharCode(code);
    }
  }
  return letters;
}
