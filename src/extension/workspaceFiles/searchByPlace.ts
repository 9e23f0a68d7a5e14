import type { TextSearch } from '../../agent/tools/files/workspaceHost.ts';
import type { Host } from '../../platform/hostMachine.ts';
import type { Programs } from '../../platform/programs.ts';

/** The ways to search, each loaded on first use. */
export interface Searches {
  readonly byProgram: () => Promise<(programs: Programs) => TextSearch>;
  readonly walked: () => Promise<TextSearch>;
}

/** Searches files on this machine with a program, and other folders by reading their files. */
export function searchByPlace(
  { programs, isLocal }: Pick<Host, 'programs' | 'isLocal'>,
  { byProgram, walked }: Searches,
): TextSearch {
  const of = async (folder: string): Promise<TextSearch> =>
    programs && isLocal(folder) ? (await byProgram())(await programs()) : walked();
  return {
    find: async (folder, ...given) => (await of(folder)).find(folder, ...given),
    secretFiles: async (folder, ...given) => (await of(folder)).secretFiles(folder, ...given),
  };
}
