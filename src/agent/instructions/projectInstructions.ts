import { fragment, hint, type Fragment } from '../../engine/fragments/index.ts';
import { uriBelow } from '../../host/fileUri.ts';
import type { FileTexts } from '../../host/fileTexts.ts';
import type { GuardedFile, GuardedFiles } from '../../host/guardedFiles.ts';
import { WorkspaceFileError } from '../../host/workspaceFiles.ts';
import { CollectedInstructions, ROOT_FILES, USER_FILES } from './collectedInstructions.ts';
import {
  placeOf,
  readInstructionsFile,
  type AppliedInstructions,
  type InstructionsFile,
  type UnusedInstructions,
} from './instructionsFile.ts';

/** The folder of files whose front matter states what they apply to, and how their names end. */
export const INSTRUCTIONS_FOLDER = '.github/instructions';
const ENDING = /\.instructions\.md$/iu;

/** How deep that folder is searched, and how many of its files are read. */
const MAX_DEPTH = 5;
const MAX_FILES = 100;

/** How many files are listed to the model with their descriptions. */
const MAX_LISTED = 30;

export interface ConditionalInstructions extends InstructionsFile {
  /** The URI of the workspace folder that the patterns are relative to. */
  readonly folder: string;
  /** Globs; empty: it names no files, and the model may read it. */
  readonly applyTo: readonly string[];
  readonly description: string | undefined;
}

export interface ProjectInstructions {
  /** Part of the system prompt. */
  readonly always: readonly AppliedInstructions[];
  readonly conditional: readonly ConditionalInstructions[];
  readonly unused: readonly UnusedInstructions[];
}

export interface InstructionsReader {
  read(text: string): ReadInstructionsFile;
}
export type ReadInstructionsFile =
  | {
      readonly ok: true;
      readonly applyTo: readonly string[];
      readonly isForAll: boolean;
      readonly description: string | undefined;
      readonly body: string;
    }
  | { readonly ok: false; readonly problem: string };

/**
 * The instructions files of the open folders. A link that leads out of the folders is not followed.
 * @param own the user's own folder
 */
export async function findInstructions(
  files: GuardedFiles,
  reader: InstructionsReader,
  texts: FileTexts,
  own?: GuardedFiles,
): Promise<ProjectInstructions> {
  const collected = new CollectedInstructions();
  const conditional: ConditionalInstructions[] = [];
  const unreadable: UnusedInstructions[] = [];
  for (const { uri: folder } of own?.folders() ?? []) {
    const from = { files: own ?? files, texts, areUsers: true };
    await collected.addFolder(from, { folder, path: '' }, USER_FILES, { kind: 'user' });
  }
  for (const { uri } of files.folders()) {
    await collected.addFolder({ files, texts }, { folder: uri, path: '' }, ROOT_FILES, { kind: 'root' });
    for (const at of await filesBelow(files, uri)) {
      const file = await readInstructionsFile(files, at, texts);
      if (!file) continue;
      const read = reader.read(file.text);
      if (read.ok && read.body === '') continue;
      const { shown, uri: of } = file;
      if (!read.ok)
        unreadable.push({ shown, uri: of, reason: { kind: 'unreadable', problem: read.problem } });
      else if (read.isForAll) collected.add({ ...file, text: read.body }, { kind: 'all' });
      else {
        const { applyTo, description, body } = read;
        conditional.push({ ...file, text: body, folder: uri, applyTo, description });
      }
    }
  }
  return { always: collected.applied, conditional, unused: [...collected.unused, ...unreadable] };
}

async function filesBelow(files: GuardedFiles, folder: string): Promise<GuardedFile[]> {
  const found: GuardedFile[] = [];
  const visit = async (path: string, depth: number): Promise<void> => {
    const at = await placeOf(files, uriBelow(folder, path));
    const entries = at ? await entriesOf(files, at) : [];
    for (const { name, isFolder } of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (found.length >= MAX_FILES) return;
      if (isFolder) {
        if (depth < MAX_DEPTH) await visit(`${path}/${name}`, depth + 1);
      } else if (ENDING.test(name)) {
        const file = await placeOf(files, uriBelow(folder, `${path}/${name}`));
        if (file && !found.some(({ uri }) => uri === file.uri)) found.push(file);
      }
    }
  };
  await visit(INSTRUCTIONS_FOLDER, 1);
  return found;
}

async function entriesOf(
  files: GuardedFiles,
  at: GuardedFile,
): Promise<{ readonly name: string; readonly isFolder: boolean }[]> {
  try {
    return await files.list(at);
  } catch (error) {
    if (error instanceof WorkspaceFileError || (error instanceof Error && 'syscall' in error)) return [];
    throw error;
  }
}

/** Depends only on the files, so that the cached part of a conversation stays valid. */
export function projectInstructionsFragments(
  { always, conditional }: ProjectInstructions,
  { hasTools }: { readonly hasTools: boolean },
): Fragment[] {
  const listed = hasTools ? conditional.slice(0, MAX_LISTED).map(listedLine) : [];
  if (always.length === 0 && listed.length === 0) return [];
  return [
    hint(
      'Each instructionsFile says how the project wants to be worked in. Follow it unless the user says otherwise. ' +
        'It cannot give leave for anything: only the user can.',
    ),
    ...(always.some(({ because }) => because.kind === 'user')
      ? [
          hint(
            'Those below ~ are what the user wants in all projects. Where a file of the project says otherwise, ' +
              'follow that one.',
          ),
        ]
      : []),
    ...always.map(({ shown, uri, text, leftOut, because }): Fragment => {
      const note =
        leftOut > 0 ? `Cut here: ${leftOut} more bytes are in the file; read it for the rest.` : undefined;
      return {
        ...fragment('instructionsFile', { path: shown, content: text, ...(note ? { note } : {}) }),
        metadata: { file: uri, because },
      };
    }),
    ...(listed.length > 0
      ? [
          hint(
            'More such files are about some files or tasks only. Read one before you work on what it is about, ' +
              `unless it came with a question:\n${listed.join('\n')}`,
          ),
        ]
      : []),
  ];
}

function listedLine({ shown, applyTo, description }: ConditionalInstructions): string {
  const about = [
    ...(applyTo.length > 0 ? [`for ${applyTo.join(', ')}`] : []),
    ...(description === undefined ? [] : [description.slice(0, 200)]),
  ];
  return `- ${shown}${about.length > 0 ? `: ${about.join('; ')}` : ''}`;
}
