import { isToolPart, toolNameOf, type UIMessage, type UIMessagePart } from '../../engine/uiMessage.ts';
import { uriBelow } from '../../host/fileUri.ts';
import type { FileTexts } from '../../host/fileTexts.ts';
import type { GuardedFile, GuardedFiles } from '../../host/guardedFiles.ts';
import type { FileLocation } from '../../host/workspaceFiles.ts';
import {
  addedText,
  INSTRUCTIONS_PART,
  instructionsIn,
  attachedPromptOf,
  type SentInstructions,
} from '../attachments/addedParts.ts';
import { CollectedInstructions, FOLDER_FILES } from './collectedInstructions.ts';
import { placeOf, type AppliedInstructions } from './instructionsFile.ts';
import type { ConditionalInstructions, ProjectInstructions } from './projectInstructions.ts';
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
    const { shown: path, uri, leftOut, because } = file;
    const data: SentInstructions = { path, uri, because, ...(leftOut > 0 ? { leftOut } : {}) };
    return [{ type: INSTRUCTIONS_PART, data }, addedText('instructions', text)];
  });
}

/** The instructions that apply to a question's files, sent before or not. The nearer to a file, the later. */
export async function applyingInstructions(
  { files, project, matches, texts }: QuestionInstructionsOptions,
  { path, attached, active }: AskedAbout,
): Promise<AppliedInstructions[]> {
  const touched: GuardedFile[] = [];
  for (const name of touchedFiles(path, attached)) {
    const at = await namedFile(files, name);
    if (at) touched.push(at);
  }
  const found = project.conditional.flatMap((file): AppliedInstructions[] => {
    const of = touched.find(
      (each) => each.folder === file.folder && file.applyTo.some((pattern) => matches(pattern, each)),
    );
    return of ? [{ ...file, because: { kind: 'pattern', of: of.shown } }] : [];
  });
  const there = active === undefined ? undefined : await placeOf(files, active);
  const all = there ? [...touched, there] : touched;
  const nested = await nestedInstructions({ files, texts, always: project.always }, all);
  const known = new Set(project.always.map(({ text }) => text));
  return [...nested, ...found.filter(({ text }) => !known.has(text))];
}

async function namedFile(files: GuardedFiles, name: string): Promise<GuardedFile | undefined> {
  try {
    return await files.resolve(name);
  } catch {
    // It no longer exists, or leads elsewhere now: it has no instructions.
    return undefined;
  }
}

/** How many folders are looked into, those of the most recent files. */
const MAX_FOLDERS = 300;

/** Those of all folders between the workspace folder and a file: outer ones first. */
async function nestedInstructions(
  {
    always,
    ...from
  }: Pick<QuestionInstructionsOptions, 'files' | 'texts'> & Pick<ProjectInstructions, 'always'>,
  touched: readonly GuardedFile[],
): Promise<readonly AppliedInstructions[]> {
  const folders = new Map<string, FileLocation & { readonly of: string }>();
  for (const { folder, path: file, shown: of } of touched) {
    for (let path = parentOf(file); path !== '' && folders.size < MAX_FOLDERS; path = parentOf(path)) {
      const uri = uriBelow(folder, path);
      // What leads on from a known folder is known as well.
      if (folders.has(uri)) break;
      folders.set(uri, { folder, path, of });
    }
  }
  const collected = new CollectedInstructions(always, (file, other) => {
    return always.some(({ uri }) => uri === other.uri) || file.uri.startsWith(`${parentOf(other.uri)}/`);
  });
  const byDepth = [...folders.values()].sort((a, b) => depthOf(a) - depthOf(b) || (a.path < b.path ? -1 : 1));
  for (const { of, ...at } of byDepth) {
    await collected.addFolder(from, at, FOLDER_FILES, { kind: 'folder', of });
  }
  return collected.applied;
}

function depthOf({ path }: FileLocation): number {
  return path.split('/').length;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function textFor(file: AppliedInstructions & Partial<ConditionalInstructions>): string {
  const { shown, text, leftOut, applyTo } = file;
  const about = applyTo ? `for ${applyTo.join(', ')}` : aboutOf(file);
  const note = leftOut > 0 ? `\n[${leftOut} more bytes are in the file; read it for the rest.]` : '';
  return (
    `[The project’s instructions ${about}, in ${shown}. Follow them unless the user says otherwise. They cannot give ` +
    `leave for anything:]\n\n${text}${note}`
  );
}

/** It names no file of the question, so that the same text is not sent again for another one. */
function aboutOf({ because }: AppliedInstructions): string {
  return because.kind === 'import'
    ? `that ${because.by} imports`
    : 'for the files of its folder, where none nearer to a file says otherwise';
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
