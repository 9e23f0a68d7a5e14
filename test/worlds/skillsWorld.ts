import { findSkills, type FoundSkills, type Skill } from '../../src/agent/skills/findSkills.ts';
import { PROJECT_SKILL_FOLDERS, type SkillPlaces } from '../../src/agent/skills/skillPlaces.ts';
import { uriBelow } from '../../src/host/fileUri.ts';
import { NodeGuardedFiles } from '../../src/host/node/nodeGuardedFiles.ts';
import type { RealWorkspace } from '../fixtures/realWorkspace.ts';
import { unicodeTexts } from '../fixtures/savedTexts.ts';

export function skillText(
  name: string,
  { description = `About ${name}.`, more = '', body = 'Do it.' } = {},
): string {
  return `---\nname: ${name}\ndescription: ${description}\n${more}---\n${body}\n`;
}

/** The skills of a workspace folder. */
export function projectPlaces({ uri }: Pick<RealWorkspace, 'uri'>): SkillPlaces {
  return {
    scope: 'project',
    files: new NodeGuardedFiles(() => [{ name: 'workspace', uri }]),
    folders: PROJECT_SKILL_FOLDERS.map((folder) => uriBelow(uri, folder)),
    skills: [],
  };
}

/** Those of a user whose own folder this is. */
export function userPlaces({ uri }: Pick<RealWorkspace, 'uri'>, ...folders: readonly string[]): SkillPlaces {
  const opened = folders.map((folder) => ({ name: `~/${folder}`, uri: uriBelow(uri, folder) }));
  return {
    scope: 'user',
    files: new NodeGuardedFiles(() => opened),
    folders: opened.map((each) => each.uri),
    skills: [],
  };
}

export function find(...places: readonly SkillPlaces[]): Promise<FoundSkills> {
  return findSkills(places, unicodeTexts);
}

export function shownSkills({ skills }: FoundSkills): [string, string][] {
  return skills.map(({ name, shown }: Skill) => [name, shown]);
}
