import type { ForeignFiles } from '../../../host/foreignFiles.ts';

/** The folder of Codex, as a path. @param inside names of folders inside it */
export function codexHome(files: Pick<ForeignFiles, 'userFolder'>, ...inside: readonly string[]): string {
  return files.userFolder({ variable: 'CODEX_HOME', base: 'home', below: ['.codex'] }, ...inside);
}
