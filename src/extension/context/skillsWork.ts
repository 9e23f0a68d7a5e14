import * as vscode from 'vscode';
import { z } from 'zod';
import { linkedPath } from '../../agent/prompts/promptBody.ts';
import { findSkills } from '../../agent/skills/findSkills.ts';
import {
  PROJECT_SKILL_FOLDERS,
  USER_SKILL_FOLDERS,
  type SkillPlaces,
} from '../../agent/skills/skillPlaces.ts';
import { skillsFragments } from '../../agent/skills/skillsFragments.ts';
import { uriBelow } from '../../host/fileUri.ts';
import type { GuardedFiles } from '../../host/guardedFiles.ts';
import type { OpenedFolder } from '../../host/workspaceFiles.ts';
import { editorTexts } from '../files/editorEncodings.ts';
import type { SkillsMachine, SkillsWork } from './skills.ts';

/** The code skills need, loaded with the commands: splitting the file would save nothing. */
export const skillsWork: SkillsWork = { findSkills, skillsFragments, skillPlaces, texts: editorTexts };

/** The nearest first: those of the project, of the user, of extensions. */
function skillPlaces(host: SkillsMachine, project: GuardedFiles): readonly SkillPlaces[] {
  return [
    {
      scope: 'project',
      files: project,
      folders: project
        .folders()
        .flatMap(({ uri }) => PROJECT_SKILL_FOLDERS.map((folder) => uriBelow(uri, folder))),
      skills: [],
    },
    ...userPlaces(host),
    ...extensionPlaces(host, vscode.extensions.all),
  ];
}

function userPlaces(host: SkillsMachine): SkillPlaces[] {
  const { home } = host;
  if (home === undefined) return [];
  const folders = USER_SKILL_FOLDERS.map((folder): OpenedFolder => {
    return { name: `~/${folder}`, uri: uriBelow(home, folder) };
  });
  const files = host.guardedFiles(() => folders);
  return [{ scope: 'user', files, folders: folders.map(({ uri }) => uri), skills: [] }];
}

const contributed = z.object({
  isBuiltin: z.boolean().optional(),
  contributes: z.object({ chatSkills: z.array(z.unknown()) }),
});

const contributedSkill = z.object({ path: z.string().min(1).max(1_000), when: z.string().optional() });

/** What an extension says of itself; a part of `vscode.Extension`. */
type SaysOfItself = Pick<vscode.Extension<unknown>, 'id' | 'extensionUri' | 'packageJSON'>;

/** Those that an extension contributes always: conditions can’t be checked, and VS Code’s own are about its own chat. */
export function extensionPlaces(
  host: Pick<SkillsMachine, 'guardedFiles'>,
  extensions: readonly SaysOfItself[],
): SkillPlaces[] {
  return extensions.flatMap(({ id, extensionUri, packageJSON }): SkillPlaces[] => {
    const said = contributed.safeParse(packageJSON).data;
    if (!said || said.isBuiltin === true) return [];
    const uri = extensionUri.toString();
    const skills = said.contributes.chatSkills.flatMap((each) => {
      const skill = contributedSkill.safeParse(each).data;
      // VS Code’s documentation names the folder in one place, and its file in another.
      const path = skill && linkedPath('', skill.path.replace(/\/SKILL\.md$/iu, ''));
      return path === undefined || path === '' || skill?.when !== undefined ? [] : [uriBelow(uri, path)];
    });
    const files = host.guardedFiles(() => [{ name: id, uri }]);
    return skills.length === 0 ? [] : [{ scope: 'extension', files, folders: [], skills }];
  });
}
