export type RunNotices = 'whenUnattended' | 'always' | 'never';

export interface RunMoment {
  readonly kind: 'ended' | 'failed' | 'stopped' | 'waits' | 'asks';
  /** In milliseconds. */
  readonly duration: number;
  readonly hasUsedTools: boolean;
  readonly isSideQuestion: boolean;
  /** The chat is still busy: its next answer causes a notification. */
  readonly goesOn: boolean;
}

export interface Attendance {
  readonly isFocused: boolean;
  /** What the run writes is visible. */
  readonly isShown: boolean;
}

/** Nobody goes away during a shorter answer, in milliseconds. */
export const LONG_MS = 10_000;

export function isNotified(moment: RunMoment, { isFocused, isShown }: Attendance, when: RunNotices): boolean {
  const { kind, duration, hasUsedTools, isSideQuestion, goesOn } = moment;
  if (when === 'never' || kind === 'stopped') return false;
  if (isFocused && isShown && (when === 'whenUnattended' || isSideQuestion)) return false;
  if (kind === 'asks') return true;
  if (goesOn) return false;
  return kind !== 'ended' || hasUsedTools || duration >= LONG_MS;
}
