import { findMemory } from '../../agent/memory/findMemory.ts';
import { memoryFragments } from '../../agent/memory/memoryFragments.ts';
import { memoryLock } from '../../agent/memory/memoryLock.ts';
import { changeMemoryFile, memoryPlaces } from '../../agent/memory/memoryPlace.ts';
import { editorTexts } from '../files/editorEncodings.ts';
import { openTexts } from '../files/openTexts.ts';
import type { MemoryWork } from './memory.ts';

/** The code memory needs, loaded with the commands: splitting the file would save nothing. */
export const memoryWork: MemoryWork = {
  findMemory,
  memoryFragments,
  memoryPlaces: ({ host, own, storage }, project) => {
    const lock = memoryLock(host.files, host.pathOf(storage.toString()));
    return memoryPlaces((folders) => host.workspaceFiles(folders), lock, project, own);
  },
  changeMemory: (place, change) => changeMemoryFile(place, openTexts, change),
  texts: editorTexts,
};
