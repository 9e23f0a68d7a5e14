import type { ForeignFiles } from '../../host/foreignFiles.ts';

/** The folder with one for each project. */
export function claudeHome(files: Pick<ForeignFiles, 'userFolder'>): string {
  return files.userFolder({ variable: 'CLAUDE_CONFIG_DIR', base: 'home', below: ['.claude'] }, 'projects');
}

/** The name of the folder for a project. */
export function claudeFolder(folder: string): string {
  return folder.replaceAll(/[^a-zA-Z0-9]/gu, '-');
}
