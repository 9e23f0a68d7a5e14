/** When the user is notified of runs. */
export type RunNotices = 'whenUnattended' | 'always' | 'never';

/** An event of a run that a user may want to know: it ended, failed, or waits for them. */
export interface RunMoment {
  readonly kind: 'ended' | 'failed' | 'stopped' | 'waits' | 'asks';
  /** The duration in milliseconds. */
  readonly duration: number;
  readonly hasUsedTools: boolean;
  readonly isSideQuestion: boolean;
  /** The chat is still busy: its next answer causes a notification. */
  readonly goesOn: boolean;
}

/** Where the user is. */
export interface Attendance {
  /** The window has the focus. */
  readonly isFocused: boolean;
  /** What the run writes is visible. */
  readonly isShown: boolean;
}

/** Nobody goes away during a shorter answer, in milliseconds. */
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
