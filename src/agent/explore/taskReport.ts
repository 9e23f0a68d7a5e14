import { isTextPart, isToolPart, type UIMessage } from '../../engine/uiMessage.ts';
import { startOf } from '../tools/storedStrings.ts';
import type { TaskProgress } from './taskProgress.ts';

/** How much all reports of a call may take together, in UTF-16 units. */
export const REPORTS_LENGTH = 24_000;

/** What became of a task. */
export interface TaskOutcome {
  readonly progress: TaskProgress;
  /** '' where it wrote none. */
  readonly report: string;
}

/** The last that was written in an answer of several messages: after the last tool was used, or else before it. */
export function lastText(messages: readonly Pick<UIMessage, 'parts'>[]): string {
  const parts = messages.flatMap((message) => message.parts);
  const after = parts.slice(parts.findLastIndex(isToolPart) + 1).filter(isTextPart);
  const written = after
    .map(({ text }) => text)
    .join('')
    .trim();
  return written === ''
    ? (parts
        .filter(isTextPart)
        .map(({ text }) => text.trim())
        .findLast(Boolean) ?? '')
    : written;
}

/** What the agent is told of the tasks: each report under its title, short ones whole. */
export function reportsText(outcomes: readonly TaskOutcome[]): string {
  const limits = fairShares(
    outcomes.map(({ report }) => report.length),
    REPORTS_LENGTH,
  );
  return outcomes
    .map(({ progress, report }, index) => section(progress, bounded(report, limits[index] ?? 0)))
    .join('\n\n');
}

function section({ title, branch, state, reason }: TaskProgress, report: string): string {
  const heading = `## ${title}${branch === undefined ? '' : ` (branch ${branch})`}`;
  const ended = state === 'failed' ? 'It failed.' : state === 'stopped' ? 'The user stopped it.' : '';
  const why = [ended, reason ?? ''].filter((text) => text !== '').join(' ');
  return [heading, why, report].filter((text) => text !== '').join('\n');
}

function bounded(report: string, limit: number): string {
  if (report.length <= limit) return report;
  return `${startOf(report, limit)}\n… [${report.length - limit} more characters are on its branch]`;
}

/** Shares a length out, so that what needs less than its share leaves the rest to others. */
export function fairShares(lengths: readonly number[], total: number): number[] {
  const shares = lengths.map(() => 0);
  let left = total;
  const byLength = lengths.map((length, index) => ({ length, index })).sort((a, b) => a.length - b.length);
  for (const [place, { length, index }] of byLength.entries()) {
    const share = Math.min(length, Math.floor(left / (byLength.length - place)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}
