import type { FileTexts } from '../../host/fileTexts.ts';
import { uriBelow } from '../../host/fileUri.ts';
import type { GuardedFiles } from '../../host/guardedFiles.ts';
import { shownPath } from '../../host/pathSyntax.ts';
import { WorkspaceFileError } from '../../host/workspaceFiles.ts';
import { nameFor } from '../prompts/findPrompts.ts';
import { isUnreadable, readPromptText, type PromptProblem } from '../prompts/promptText.ts';
import { readSkillFile, type SkillFile } from './skillFile.ts';
import type { SkillPlaces, SkillScope } from './skillPlaces.ts';

/** How many folders are looked into for a skill, in all places together. */
export const MAX_SKILLS = 300;

/** How many files are read at once. */
const AT_ONCE = 16;

/** The file of a skill, by the specification; its own tools also take the second name. */
const SKILL_FILES = ['SKILL.md', 'skill.md'] as const;

export interface Skill extends SkillFile {
  /** As it is called by the model, and typed after a slash. */
  readonly name: string;
  readonly scope: SkillScope;
  /** Its file, as the user and the model name it. */
  readonly shown: string;
  /** The URI of that. */
  readonly uri: string;
  /** The URI of its folder. */
  readonly folder: string;
  /** What reads the files of its folder. */
  readonly files: GuardedFiles;
}

export type UnusedSkillReason = { readonly kind: 'taken'; readonly by: string } | PromptProblem;

export interface UnusedSkill {
  readonly name: string;
  readonly shown: string;
  readonly uri: string;
  readonly reason: UnusedSkillReason;
}

export interface FoundSkills {
  /** The nearest first. */
  readonly skills: readonly Skill[];
  readonly unused: readonly UnusedSkill[];
  /** How many folders were not looked into, because there are too many. */
  readonly notRead: number;
}

export const NO_SKILLS: FoundSkills = { skills: [], unused: [], notRead: 0 };

/** The skills of these places, as saved on disk. @param places the nearest first */
export async function findSkills(places: readonly SkillPlaces[], texts: FileTexts): Promise<FoundSkills> {
  const skills = new Map<string, Skill>();
  const unused: UnusedSkill[] = [];
  /** By their real files: several folders may lead to one skill. */
  const seen = new Set<string>();
  let notRead = 0;
  let left = MAX_SKILLS;
  for (const place of places) {
    const all = await candidatesIn(place);
    const tried = all.slice(0, left);
    left -= tried.length;
    notRead += all.length - tried.length;
    for (let from = 0; from < tried.length; from += AT_ONCE) {
      const read = tried.slice(from, from + AT_ONCE).map((folder) => skillAt(place, folder, texts));
      for (const found of (await Promise.all(read)).flatMap((each) => each ?? [])) {
        if (seen.has(found.real)) continue;
        seen.add(found.real);
        const { name, shown, uri } = found;
        const first = skills.get(name);
        if (found.problem) unused.push({ name, shown, uri, reason: found.problem });
        else if (first) unused.push({ name, shown, uri, reason: { kind: 'taken', by: first.shown } });
        else skills.set(name, found.skill);
      }
    }
  }
  return { skills: [...skills.values()], unused, notRead };
}

/** The folders that may be skills, in the order in which they count. */
async function candidatesIn({ files, folders, skills }: SkillPlaces): Promise<string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    for (const name of await namesIn(files, folder)) found.push(uriBelow(folder, name));
  }
  return [...found, ...skills];
}

/** Folders, then what may be a link to one: no skill has a dot in its name. */
async function namesIn(files: GuardedFiles, folder: string): Promise<string[]> {
  try {
    const entries = await files.list(await files.resolve({ uri: folder }));
    const named = (isWanted: boolean): string[] =>
      entries
        .filter(({ name, isFolder }) => isFolder === isWanted && (isFolder || !name.includes('.')))
        .map(({ name }) => name)
        .sort();
    return [...named(true), ...named(false)];
  } catch (error) {
    if (isUnreadable(error)) return [];
    throw error;
  }
}

type SkillAt = Pick<UnusedSkill, 'name' | 'shown' | 'uri'> & {
  /** The URI of the real file. */
  readonly real: string;
} & (
    | { readonly problem: undefined; readonly skill: Skill }
    | { readonly problem: PromptProblem; readonly skill: undefined }
  );

/** Undefined when there is no skill. */
async function skillAt(
  { files, scope }: SkillPlaces,
  folder: string,
  texts: FileTexts,
): Promise<SkillAt | undefined> {
  const folderName = decodeURIComponent(folder.slice(folder.lastIndexOf('/') + 1));
  for (const fileName of SKILL_FILES) {
    const uri = uriBelow(folder, fileName);
    const named = { name: nameFor(folderName) ?? 'skill', shown: shownIn(files, scope, uri), uri };
    try {
      const { at, text, problem } = await readPromptText(files, uri, texts);
      const real = at.uri;
      if (problem) return { ...named, real, problem, skill: undefined };
      const read = readSkillFile(text, folderName);
      if (!read.ok) return { ...named, real, problem: read.problem, skill: undefined };
      const name = nameFor(read.skill.name ?? folderName) ?? named.name;
      const { shown } = named;
      const skill: Skill = { ...read.skill, name, scope, shown, uri, folder, files };
      return { name, shown, uri, real, problem: undefined, skill };
    } catch (error) {
      if (error instanceof WorkspaceFileError && LEADS_AWAY.has(error.code))
        return { ...named, real: uri, problem: { kind: 'outside' }, skill: undefined };
      if (!isUnreadable(error)) throw error;
    }
  }
  return undefined;
}

/** Of links that lead out of the folders, to nothing, or in a circle; and of repositories. */
const LEADS_AWAY: ReadonlySet<WorkspaceFileError['code']> = new Set<WorkspaceFileError['code']>([
  'outside-workspace',
  'unreachable',
  'git-repository',
]);

/** Files elsewhere are named with their folder even if there is only one. */
function shownIn(files: GuardedFiles, scope: SkillScope, uri: string): string {
  const folders = files.folders();
  const of = folders.find((folder) => uri.startsWith(`${folder.uri.replace(/\/$/u, '')}/`));
  if (!of) return decodeURIComponent(uri);
  const below = decodeURIComponent(uri.slice(of.uri.replace(/\/$/u, '').length + 1));
  return shownPath(scope === 'project' ? folders.length : 2, of.name, below);
}
