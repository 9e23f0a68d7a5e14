import { findMemory } from '../../agent/memory/findMemory.ts';
import { memoryFragments } from '../../agent/memory/memoryFragments.ts';
import {
  changeMemoryFile,
  MEMORY_FILE,
  unrecorded,
  type MemoryPlace,
} from '../../agent/memory/memoryPlace.ts';
import { uriBelow } from '../../host/fileUri.ts';
import type { GuardedFiles } from '../../host/guardedFiles.ts';
import { shownPath } from '../../host/pathSyntax.ts';
import { editorTexts } from '../files/editorEncodings.ts';
import { openTexts } from '../files/openTexts.ts';
import type { MemoryMachine, MemoryWork } from './memory.ts';

/** The code memory needs, loaded with the commands: splitting the file would save nothing. */
export const memoryWork: MemoryWork = {
  findMemory,
  memoryFragments,
  memoryPlaces,
  changeMemory: (place, change) => changeMemoryFile(place, openTexts, change),
  texts: editorTexts,
};

/** A file in each folder of the project, then that of the user. */
function memoryPlaces(
  host: MemoryMachine,
  project: GuardedFiles,
  own: GuardedFiles | undefined,
): readonly MemoryPlace[] {
  const folders = project.folders();
  return [
    ...placesIn(host, 'project', project, (name) => shownPath(folders.length, name, MEMORY_FILE)),
    ...(own ? placesIn(host, 'user', own, (name) => `${name}/${MEMORY_FILE}`) : []),
  ];
}

function placesIn(
  host: MemoryMachine,
  scope: MemoryPlace['scope'],
  files: GuardedFiles,
  shown: (folder: string) => string,
): MemoryPlace[] {
  const write = unrecorded(host.workspaceFiles(() => files.folders()));
  return files
    .folders()
    .map(({ name, uri }) => ({ scope, files, uri: uriBelow(uri, MEMORY_FILE), shown: shown(name), write }));
}
