import type { GuardedFiles } from '../../host/guardedFiles.ts';

/** The folders of skills below a workspace folder; of equal names, the first one counts. */
export const PROJECT_SKILL_FOLDERS = [
  '.offshoot/skills',
  '.agents/skills',
  '.github/skills',
  '.claude/skills',
] as const;

/** Those below the user's own folder. */
export const USER_SKILL_FOLDERS = [
  '.offshoot/skills',
  '.agents/skills',
  '.copilot/skills',
  '.claude/skills',
] as const;

/** The nearest comes first: its skills count where names are equal. */
export type SkillScope = 'project' | 'user' | 'extension';

/** Where skills are looked for. */
export interface SkillPlaces {
  readonly scope: SkillScope;
  /** A link that leads out of their folders is not followed. */
  readonly files: GuardedFiles;
  /** The URIs of folders whose subfolders are skills. */
  readonly folders: readonly string[];
  /** The URIs of folders that are a skill each. */
  readonly skills: readonly string[];
}
