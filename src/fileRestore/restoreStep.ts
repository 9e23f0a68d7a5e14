import type { FileVersion } from '../engine/effects.ts';
import type { FileLocation } from '../platform/workspaceFiles.ts';
import type { RestoredFile } from './fileHistory.ts';

/** One file that is changed, and what of it is remembered. */
export interface RestoreStep {
  readonly location: FileLocation;
  readonly from: FileVersion | null;
  readonly to: FileVersion | null;
  /** Removed when they are empty after the file is gone. */
  readonly madeFolders: readonly string[];
  /** What its editor holds and the disk does not: dropped by the step, and brought back when it is taken back. */
  readonly unsaved: string | undefined;
  /** Text to put into its editor, unsaved, when all is done. */
  readonly unsavedAfter?: string | undefined;
  readonly standAfter: Pick<RestoredFile, 'messageId' | 'version'>;
  readonly standBefore: Pick<RestoredFile, 'messageId' | 'version'>;
}

/** The step that takes a step back. */
export function reversed(step: RestoreStep): RestoreStep {
  const { from, to, standBefore, standAfter, unsaved } = step;
  return {
    ...step,
    from: to,
    to: from,
    unsaved: undefined,
    unsavedAfter: unsaved,
    standBefore: standAfter,
    standAfter: standBefore,
  };
}
