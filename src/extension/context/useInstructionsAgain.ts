import { z } from 'zod';
import { artifactVersion } from '../../engine/effects.ts';
import { ArtifactNotFoundError } from '../../engine/errors.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import type { InstructionsKept } from '../instructions/instructionsKept.ts';
import { INSTRUCTIONS } from '../instructions/instructionsName.ts';
import { pickOldInstructions, type PickFromContextDeps } from './pickFromContext.ts';

export interface UseInstructionsAgainDeps extends PickFromContextDeps {
  readonly instructions: InstructionsKept;
  readonly store: ReadonlyStore;
}

const versionArgument = z.object({ kind: z.literal('artifactVersion'), version: artifactVersion });

/** Restores an earlier version of instructions, as the Context view lists them. */
export function useInstructionsAgainCommand(
  deps: UseInstructionsAgainDeps,
): CommandHandlers<'useInstructionsAgain'> {
  const { instructions, store } = deps;
  return {
    useInstructionsAgain: async (argument) => {
      const version = versionArgument.safeParse(argument).data?.version ?? (await pickOldInstructions(deps));
      if (!version?.name.startsWith(INSTRUCTIONS)) return;
      const bytes = await store.blobs.get(version.hash);
      if (!bytes) throw new ArtifactNotFoundError(version.name);
      await instructions.takeAgain(version, bytes);
    },
  };
}
