import { compactionOf, compactionInForce } from '../../engine/sentPath.ts';
import type { UIMessage } from '../../engine/uiMessage.ts';
import { isUserTurn, isNoticeMessage, type PathSummary } from '../../engine/pathSummary.ts';
import type { LedgerRoom } from '../ledger/ledger.ts';
import { activeCheckpoints } from '../checkpoints/agentCheckpoint.ts';

export interface CountedUnit extends CompactionUnit {
  readonly tokens: number;
}

/** How many tokens may stay uncompacted. */
export interface KeptRoom {
  /** Turns stay if they fit in this. */
  readonly keep: number;
  /** The most that the last step alone may take and still stay. */
  readonly most: number;
}

export interface CompactionPlan {
  /** Everything up to the cut, in order. */
  readonly before: readonly CountedUnit[];
  /** From that, the question that is being answered and what the user wrote since: sent unchanged. */
  readonly kept: readonly CountedUnit[];
  readonly after: readonly CountedUnit[];
  readonly coveredTokens: number;
}

/**
 * Decides where the summary ends and what stays: the last turns that fit, each starting at its question; else the
 * question that is being answered and its last steps; else only that question.
 * @param asked the index of the question that is being answered
 * @returns undefined if only an earlier summary would be covered
 */
export function planCompaction(
  units: readonly CountedUnit[],
  asked: number,
  room: KeptRoom,
): CompactionPlan | undefined {
  return planAt(units, asked, cutFor(units, asked, room));
}

/** Plans a summary of everything but the question that is being answered. */
export function planAll(units: readonly CountedUnit[], asked: number): CompactionPlan | undefined {
  return planAt(units, asked, units.length);
}

/** Plans a summary of everything before the last question; if the rest is too long, as {@link planCompaction}. */
export function planOnDemand(
  units: readonly CountedUnit[],
  asked: number,
  room: KeptRoom,
): CompactionPlan | undefined {
  return planAt(units, asked, Math.max(asked, cutFor(units, asked, room)));
}

function planAt(units: readonly CountedUnit[], asked: number, cut: number): CompactionPlan | undefined {
  const before = units.slice(0, cut);
  const kept = before.filter(({ kind }, index) => kind === 'question' && asked >= 0 && index >= asked);
  const covered = before.filter((unit) => !kept.includes(unit));
  if (covered.every(({ kind }) => kind === 'summary')) return undefined;
  return { before, kept, after: units.slice(cut), coveredTokens: sum(covered) };
}

function cutFor(units: readonly CountedUnit[], asked: number, { keep, most }: KeptRoom): number {
  let cut = units.length;
  let left = 0;
  for (let at = units.length - 1; at >= 0; at -= 1) {
    left += units[at]?.tokens ?? 0;
    if (left > keep) break;
    cut = at;
  }
  const last = units.at(-1);
  if (cut === units.length && last && last.kind !== 'summary' && last.tokens <= most) cut -= 1;
  // A turn begins with its question.
  const turn = units.findIndex(({ kind }, at) => kind === 'question' && at >= cut && at <= asked);
  return turn < 0 ? cut : turn;
}

export function sum(units: readonly CountedUnit[]): number {
  return units.reduce((total, { tokens }) => total + tokens, 0);
}

/** The smallest piece to cover or keep: no call is separated from its result. */
export interface CompactionUnit {
  /** The message, or a step of it. */
  readonly message: UIMessage;
  /** Where it begins in its message: earlier parts belong to other units. */
  readonly from: number;
  readonly kind: 'question' | 'summary' | 'other';
}

/**
 * What is sent, in pieces that stay whole. Stored messages are never cut; the answer that is being written may be cut
 * between its steps, and then becomes two messages.
 */
export function compactionUnits(sent: readonly UIMessage[], draftId: string): CompactionUnit[] {
  return sent.flatMap((message): CompactionUnit[] => {
    if (message.id === draftId) return stepsOf(message);
    const kind = compactionOf(message) ? 'summary' : isUserTurn(message) ? 'question' : 'other';
    return [{ message, from: 0, kind }];
  });
}

function stepsOf(message: UIMessage): CompactionUnit[] {
  const starts = message.parts.flatMap(({ type }, index) =>
    index === 0 || type === 'step-start' ? [index] : [],
  );
  return starts.map((from, step) => ({
    message: { ...message, parts: message.parts.slice(from, starts[step + 1]) },
    from,
    kind: 'other',
  }));
}

/** The assumed context window, in tokens, when the user asks for a summary and nothing is known. */
export const SUPPOSED_WINDOW = 32_000;

/** The most room reserved for an answer, in tokens, and as a share of the window. */
const ANSWER_TOKENS = 8_000;
const ANSWER_SHARE = 0.1;

/** The longest summary, in tokens, and as a share of the window. */
const SUMMARY_TOKENS = 3_000;
const SUMMARY_SHARE = 0.15;

/** The most facts of a ledger, in tokens, and as a share of the window; and messages that are kept always. */
const LEDGER_TOKENS = 4_000;
const LEDGER_SHARE = 0.1;
const ALWAYS_SHARE = 0.2;
const GAINED_SHARE = 0.9;

/** The share of the window for turns that stay uncompacted. */
const KEPT_SHARE = 0.25;

/** The smallest amount that is worth a summary, in tokens, and as a share of the window. */
const WORTH_TOKENS = 100;
const WORTH_SHARE = 0.05;

/** The growth required before another try, as a share of the window. */
const GROWTH_SHARE = 0.1;

/** The token count above which a request is too long, with room for its answer. */
export function limitOf(window: number, threshold: number, maxOutputTokens = Infinity): number {
  return window * threshold - Math.min(ANSWER_TOKENS, window * ANSWER_SHARE, maxOutputTokens);
}

/** @param gained by a summary, in tokens: with its ledger, it is still shorter than what it stands for */
export function ledgerRoom(window: number, gained = Infinity): LedgerRoom {
  return {
    facts: Math.floor(Math.min(LEDGER_TOKENS, window * LEDGER_SHARE, gained * GAINED_SHARE)),
    kept: Math.floor(window * ALWAYS_SHARE),
  };
}

/**
 * @param limit of the whole request
 * @param fixed always sent: instructions, tools, the question that is being answered, the ledger
 */
export function keptRoom(window: number, limit: number, fixed: number): KeptRoom {
  const most = Math.max(0, limit - fixed - Math.min(SUMMARY_TOKENS, window * SUMMARY_SHARE));
  return { keep: Math.min(window * KEPT_SHARE, most / 2), most };
}

export function isWorthIt(coveredTokens: number, window: number): boolean {
  return coveredTokens >= Math.max(WORTH_TOKENS, window * WORTH_SHARE);
}

export function hasGrown(tokens: number, since: number | undefined, window: number): boolean {
  return since === undefined || tokens >= since + window * GROWTH_SHARE;
}

/** What a plan covers, with the full text in place of an earlier summary; undefined where there is none. */
export function originalsOf(path: readonly UIMessage[], { before }: CompactionPlan): UIMessage[] | undefined {
  if (!before.some(({ kind }) => kind === 'summary')) return undefined;
  const earlier = compactionInForce(path.map((each) => ({ id: each.id, compaction: compactionOf(each) })));
  const covered = path.slice(0, (earlier?.toIndex ?? -1) + 1).filter((message) => !compactionOf(message));
  const ids = new Set(covered.map(({ id }) => id));
  const rest = before.filter(({ message, kind }) => kind !== 'summary' && !ids.has(message.id));
  return [...covered, ...rest.map(({ message }) => message)];
}

interface CoveredMessages {
  readonly source: Pick<PathSummary['source'], 'from' | 'to' | 'count' | 'kept'>;
  readonly checkpoints: NonNullable<PathSummary['checkpoints']>;
}

/**
 * Translates a plan into messages of the path. The new summary covers what an earlier one stood for; what the earlier
 * one kept stays only if the plan keeps it.
 * @param path the whole path, with the message that is being written
 * @param draftId the message that is being written; what the plan leaves of it becomes a separate message
 */
export function coveredMessages(
  path: readonly UIMessage[],
  plan: CompactionPlan,
  draftId: string,
): CoveredMessages {
  const places = new Map(path.map(({ id }, index) => [id, index]));
  const placeOf = (id: string): number => places.get(id) ?? -1;
  const earlier = compactionInForce(path.map((each) => ({ id: each.id, compaction: compactionOf(each) })));
  const ends = plan.before.map(({ message, kind }) =>
    kind === 'summary' ? (earlier?.toIndex ?? -1) : placeOf(message.id),
  );
  const end = Math.max(...ends);
  const kept = [...plan.kept, ...plan.after]
    .map(({ message }) => message.id)
    .filter((id) => id !== draftId && placeOf(id) <= end);
  const texts = path
    .slice(0, end + 1)
    .filter((message) => !isNoticeMessage(message) && !kept.includes(message.id));
  return {
    source: {
      from: path[0]?.id ?? '',
      to: path[end]?.id ?? '',
      count: texts.length,
      ...(kept.length === 0 ? {} : { kept }),
    },
    checkpoints: activeCheckpoints(path)
      .filter(({ messageId }) => placeOf(messageId) <= end)
      .map(({ goal, name }) => ({ goal, ...(name === undefined ? {} : { name }) })),
  };
}
