import type { Disposable } from '../../kit/disposable.ts';
import type { GuardedFiles } from '../../platform/guardedFiles.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { CurrentChat } from '../chats/currentChat.ts';
import type { Settings } from '../settings/settings.ts';
import { InstructionsFiles, type InstructionsWork } from './instructionsFiles.ts';
import { InstructionsKept, type SaveInstructions } from './instructionsKept.ts';

export interface InstructionsOptions {
  readonly current: CurrentChat;
  readonly guarded: GuardedFiles;
  readonly save: SaveInstructions;
  readonly settings: Settings;
  readonly store: ReadonlyStore;
  readonly userId: string;
  readonly work: () => Promise<InstructionsWork>;
}

export interface Instructions extends Disposable {
  /** The user's own instructions. */
  readonly kept: InstructionsKept;
  /** The instructions in project files. */
  readonly files: InstructionsFiles;
}

/** The instructions of the user and of the project. */
export function createInstructions({
  current,
  guarded,
  save,
  settings,
  store,
  userId,
  work,
}: InstructionsOptions): Instructions {
  const kept = new InstructionsKept(store, userId, current, save);
  const files = new InstructionsFiles(settings, guarded, work);
  return {
    kept,
    files,
    dispose: () => {
      files.dispose();
      kept.dispose();
    },
  };
}
