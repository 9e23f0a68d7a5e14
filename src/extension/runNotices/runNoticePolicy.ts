/** When the user is notified of runs. */
export type RunNotices = 'whenUnattended' | 'always' | 'never';

/** Something of a run that a user may want to know: it ended, failed, or waits for them. */
export interface RunMoment {
  readonly kind: 'ended' | 'failed' | 'stopped' | 'waits' | 'asks';
  /** How long it took, in milliseconds. */
  readonly duration: number;
  readonly hasUsedTools: boolean;
  readonly isSideQuestion: boolean;
  /** The chat is still at work: the next of its answers will be told of. */
  readonly goesOn: boolean;
}

/** Where the user is. */
export interface Attendance {
  /** The window has the keyboard. */
  readonly isFocused: boolean;
  /** What the run writes is in sight. */
  readonly isShown: boolean;
}

/** An answer that took less is nothing one goes away for, in milliseconds. */
export const LONG_MS = 10_000;

/** Whether the user is notified. */
export function isNotified(moment: RunMoment, { isFocused, isShown }: Attendance, when: RunNotices): boolean {
  const { kind, duration, hasUsedTools, isSideQuestion, goesOn } = moment;
  if (when === 'never' || kind === 'stopped') return false;
  if (isFocused && isShown && (when === 'whenUnattended' || isSideQuestion)) return false;
  if (kind === 'asks') return true;
  if (goesOn) return false;
  return kind !== 'ended' || hasUsedTools || duration >= LONG_MS;
}
