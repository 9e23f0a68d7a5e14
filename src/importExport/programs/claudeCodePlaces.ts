import type { ForeignFiles } from '../../host/foreignFiles.ts';

/** The longest name of a folder before a hash of the path takes the rest, in UTF-16 units. */
const MAX_NAME = 200;

/** The folder with one for each project. */
export function claudeHome(files: Pick<ForeignFiles, 'userFolder'>): string {
  return files.userFolder({ variable: 'CLAUDE_CONFIG_DIR', base: 'home', below: ['.claude'] }, 'projects');
}

/**
 * The name of the folder in which Claude Code keeps the sessions of a project: as version 2.1 was seen to name them,
 * a hyphen for each UTF-16 unit other than letters and digits of ASCII, so two for an emoji.
 */
export function claudeFolder(project: string): string {
  const name = project.replaceAll(/[^a-zA-Z0-9]/gu, (each) => '-'.repeat(each.length));
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME)}-${hashOf(project)}`;
}

/** 31 times the hash before each unit plus the unit, in 32 bits. */
function hashOf(text: string): string {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return Math.abs(hash).toString(36);
}
