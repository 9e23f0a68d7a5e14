import { isTextPart, isToolPart, type UIMessage } from '../../engine/uiMessage.ts';
import { startOf } from '../tools/storedStrings.ts';
import type { TaskProgress } from './taskProgress.ts';

/** The total length of all reports of a call, in UTF-16 units. */
export const REPORTS_LENGTH = 24_000;

/** The outcome of a task. */
export interface TaskOutcome {
  readonly progress: TaskProgress;
  /** '' if it wrote none. */
  readonly report: string;
}

/** The last text in an answer of several messages: the text after the last tool call, or else before it. */
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

/** The tool result for the agent: each report under its title, short ones unshortened. */
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

/** Divides a length; shares that are not fully used go to the others. */
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
