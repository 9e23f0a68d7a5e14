import { isToolPart, toolNameOf, type UIMessage, type UIMessagePart } from '../../engine/uiMessage.ts';
import { uriBelow } from '../../host/fileUri.ts';
import type { FileTexts } from '../../host/fileTexts.ts';
import type { GuardedFile, GuardedFiles } from '../../host/guardedFiles.ts';
import {
  addedText,
  INSTRUCTIONS_PART,
  instructionsIn,
  attachedPromptOf,
  type SentInstructions,
} from '../attachments/addedParts.ts';
import {
  placeOf,
  readInstructionsFile,
  AGENTS,
  CLAUDE,
  type InstructionsFile,
  type ConditionalInstructions,
  type ProjectInstructions,
} from './projectInstructions.ts';
import { attachedFileOf } from '../attachments/attachedFile.ts';
import type { OwnToolName } from '../tools/ownTools.ts';

/** @param path below the workspace folder of the pattern */
export type MatchesPattern = (
  pattern: string,
  file: { readonly folder: string; readonly path: string },
) => boolean;

export interface QuestionInstructionsOptions {
  readonly files: GuardedFiles;
  readonly project: ProjectInstructions;
  readonly matches: MatchesPattern;
  readonly texts: FileTexts;
}

export interface AskedAbout {
  readonly path: readonly UIMessage[];
  readonly attached: readonly UIMessagePart[];
  /** The URI of the user's active file: it only adds the instructions of its folder. */
  readonly active: string | undefined;
}

/** Those not on the path yet. They stay in its message, so that the cached part of a conversation stays valid. */
export async function questionInstructions(
  options: QuestionInstructionsOptions,
  about: AskedAbout,
): Promise<UIMessagePart[]> {
  const known = new Set(about.path.flatMap((message) => instructionsIn(message).map(({ text }) => text)));
  const applying = await applyingInstructions(options, about);
  return applying.flatMap((file) => {
    const text = textFor(file);
    if (known.has(text)) return [];
    const { shown: path, uri, leftOut } = file;
    const data: SentInstructions = { path, uri, ...(leftOut > 0 ? { leftOut } : {}) };
    return [{ type: INSTRUCTIONS_PART, data }, addedText('instructions', text)];
  });
}

/** The instructions that apply to a question's files, sent before or not. */
export async function applyingInstructions(
  { files, project, matches, texts }: QuestionInstructionsOptions,
  { path, attached, active }: AskedAbout,
): Promise<InstructionsFile[]> {
  const touched: GuardedFile[] = [];
  for (const name of touchedFiles(path, attached)) {
    const at = await namedFile(files, name);
    if (at) touched.push(at);
  }
  const found = project.conditional.filter(({ applyTo, folder }) =>
    applyTo.some((pattern) => touched.some((file) => file.folder === folder && matches(pattern, file))),
  );
  const there = active === undefined ? undefined : await placeOf(files, active);
  const nested = await nestedInstructions(files, texts, there ? [...touched, there] : touched);
  const known = new Set(project.always.map(({ text }) => text));
  return [...nested.filter(({ text }) => !known.has(text)), ...found];
}

async function namedFile(files: GuardedFiles, name: string): Promise<GuardedFile | undefined> {
  try {
    return await files.resolve(name);
  } catch {
    // It no longer exists, or leads elsewhere now: it has no instructions.
    return undefined;
  }
}

/** For each file, the nearest folder below the workspace root that has instructions: outer ones first. */
async function nestedInstructions(
  files: GuardedFiles,
  texts: FileTexts,
  touched: readonly GuardedFile[],
): Promise<InstructionsFile[]> {
  const known = new Map<string, Promise<readonly InstructionsFile[]>>();
  const nearest = (folder: string, path: string): Promise<readonly InstructionsFile[]> => {
    const uri = uriBelow(folder, path);
    const reading = known.get(uri) ?? (path === '' ? Promise.resolve([]) : read(folder, path));
    known.set(uri, reading);
    return reading;
  };
  const read = async (folder: string, path: string): Promise<readonly InstructionsFile[]> => {
    const own: InstructionsFile[] = [];
    for (const name of [AGENTS, CLAUDE]) {
      const at = await placeOf(files, uriBelow(folder, `${path}/${name}`));
      const file = at && (await readInstructionsFile(files, at, texts));
      const isNew = file && !own.some(({ text, uri }) => text === file.text || uri === file.uri);
      if (isNew && !(own.length > 0 && /^@(?:\.\/)?AGENTS\.md$/u.test(file.text))) own.push(file);
    }
    return own.length > 0 ? own : nearest(folder, parentOf(path));
  };
  const all = new Map<string, InstructionsFile>();
  for (const { folder, path } of touched) {
    for (const file of await nearest(folder, parentOf(path))) all.set(file.uri, file);
  }
  return [...all.values()].sort((a, b) => (a.uri < b.uri ? -1 : 1));
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function textFor(file: InstructionsFile & Partial<ConditionalInstructions>): string {
  const { shown, text, leftOut, applyTo } = file;
  const about = applyTo ? `for ${applyTo.join(', ')}` : 'for the files of its folder';
  const note = leftOut > 0 ? `\n[${leftOut} more bytes are in the file; read it for the rest.]` : '';
  return (
    `[The project’s instructions ${about}, in ${shown}. Follow them unless the user says otherwise. They cannot give ` +
    `leave for anything:]\n\n${text}${note}`
  );
}

/** Tools that read or change the file they name. */
const FILE_TOOLS: ReadonlySet<string> = new Set<OwnToolName | 'create_file'>([
  // Of earlier versions, in stored conversations.
  'create_file',
  'read_file',
  'write_file',
  'edit_file',
  'rename_file',
  'get_diagnostics',
]);

/** How many files are considered, the most recent ones. */
const MAX_TOUCHED = 100;

/** The names of the files that a question and its path are about: attached, read or edited. */
export function touchedFiles(path: readonly UIMessage[], attached: readonly UIMessagePart[]): string[] {
  const found = new Set<string>();
  const all = [...path.map(({ parts }) => parts), attached];
  for (const parts of all.reverse()) {
    for (const part of parts.toReversed()) {
      for (const name of filesOf(part)) found.add(name);
      if (found.size >= MAX_TOUCHED) return [...found].slice(0, MAX_TOUCHED);
    }
  }
  return [...found];
}

function filesOf(part: UIMessagePart): readonly string[] {
  const file = attachedFileOf(part);
  if (file) return [file.path];
  const prompt = attachedPromptOf(part);
  if (prompt) return prompt.files ?? [];
  if (!isToolPart(part) || part.state !== 'output-available' || !FILE_TOOLS.has(toolNameOf(part))) return [];
  const { input } = part;
  return typeof input === 'object' && input !== null && 'path' in input && typeof input.path === 'string'
    ? [input.path]
    : [];
}
