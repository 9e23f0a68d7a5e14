import { uriBelow } from '../../host/fileUri.ts';
import type { FileTexts } from '../../host/fileTexts.ts';
import type { GuardedFile, GuardedFiles } from '../../host/guardedFiles.ts';
import { startOf } from '../tools/textLimits.ts';
import { inputsOf } from './promptBody.ts';
import { readPromptFile, type PromptFile } from './promptFile.ts';
import { isUnreadable, readPromptText, type PromptProblem } from './promptText.ts';

/** The folders of prompt files, below a workspace folder, and their suffixes; the first of equal names wins. */
export const PROMPT_FOLDERS = [
  { folder: '.offshoot/prompts', ending: /(?:\.prompt)?\.md$/iu },
  { folder: '.github/prompts', ending: /\.prompt\.md$/iu },
] as const;

export const MAX_PROMPT_NAMES = 200;

export interface FoundPrompt {
  readonly name: string;
  readonly at: GuardedFile;
  /** Undefined when it cannot be run. */
  readonly prompt: PromptFile | undefined;
  readonly problem: PromptProblem | undefined;
  /** It has inputs or describes an argument. */
  readonly takesInput: boolean;
}

/** The prompt files of the open folders, by name, as saved on disk. A link that leads out is not followed. */
export async function findPrompts(
  files: GuardedFiles,
  reserved: ReadonlySet<string>,
  texts: FileTexts,
): Promise<{ readonly prompts: readonly FoundPrompt[]; readonly hidden: readonly string[] }> {
  const found = new Map<string, FoundPrompt>();
  const hidden: string[] = [];
  for (const { uri } of files.folders()) {
    for (const { folder, ending } of PROMPT_FOLDERS) {
      for (const name of await namesIn(files, uriBelow(uri, folder))) {
        if (!ending.test(name)) continue;
        const place = uriBelow(uri, `${folder}/${name}`);
        const prompt = await readPrompt(files, place, name.replace(ending, ''), texts);
        if (!prompt) continue;
        if (found.has(prompt.name) || reserved.has(prompt.name)) hidden.push(prompt.at.shown);
        else found.set(prompt.name, prompt);
      }
    }
  }
  return { prompts: [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), hidden };
}

/** The names of the files of a folder, in order; none where there is no such folder. */
export async function namesIn(files: GuardedFiles, uri: string): Promise<string[]> {
  try {
    const entries = await files.list(await files.resolve({ uri }));
    const names = entries.filter(({ isFolder }) => !isFolder).map(({ name }) => name);
    return names.sort().slice(0, MAX_PROMPT_NAMES);
  } catch (error) {
    if (isUnreadable(error)) return [];
    throw error;
  }
}

/** Undefined when it no longer exists, leads elsewhere, or may not be read. */
async function readPrompt(
  files: GuardedFiles,
  uri: string,
  fileName: string,
  texts: FileTexts,
): Promise<FoundPrompt | undefined> {
  try {
    const { at, text, problem } = await readPromptText(files, uri, texts);
    if (problem) return unusable(at, fileName, problem);
    const read = readPromptFile(text);
    if (!read.ok) return unusable(at, fileName, { kind: 'front-matter', text: read.problem });
    const { prompt } = read;
    const name = nameFor(prompt.name ?? fileName);
    const takesInput = prompt.argumentHint !== undefined || inputsOf(prompt.body).length > 0;
    return name === undefined ? undefined : { name, at, prompt, problem: undefined, takesInput };
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

function unusable(at: GuardedFile, fileName: string, problem: PromptProblem): FoundPrompt | undefined {
  const name = nameFor(fileName);
  return name === undefined ? undefined : { name, at, prompt: undefined, problem, takesInput: false };
}

/** In UTF-16 units: as long as the name of a skill may be. */
const MAX_NAME = 64;

/** A name without spaces, so that it can be typed after a slash; undefined if nothing remains. */
export function nameFor(given: string): string | undefined {
  const visible = given
    .normalize('NFC')
    .replaceAll(/(?:[^\p{L}\p{N}_.-]|\p{Default_Ignorable_Code_Point})+/gu, '-')
    .replaceAll(/^[-.]+|[-.]+$/gu, '');
  const name = startOf(visible, MAX_NAME);
  return name === '' ? undefined : name;
}
