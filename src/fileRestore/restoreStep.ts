import type { FileVersion } from '../engine/effects.ts';
import type { FileLocation } from '../platform/workspaceFiles.ts';
import type { RestoredFile } from './fileHistory.ts';

/** The change of one file, and what is recorded about it. */
export interface RestoreStep {
  readonly location: FileLocation;
  readonly from: FileVersion | null;
  readonly to: FileVersion | null;
  /** Removed if empty after the file is deleted. */
  readonly madeFolders: readonly string[];
  /** Its editor's unsaved text: discarded by the step, and brought back when the step is undone. */
  readonly unsaved: string | undefined;
  /** Text to put into its editor, unsaved, at the end. */
  readonly unsavedAfter?: string | undefined;
  readonly standAfter: Pick<RestoredFile, 'messageId' | 'version'>;
  readonly standBefore: Pick<RestoredFile, 'messageId' | 'version'>;
}

/** The step that undoes a step. */
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
