import { z } from 'zod';
import type { LogEvent, LogEventKind } from './graph.ts';
import type { JsonObject, JsonValue } from './json.ts';

/** A move in the tree, a decision about files, or something archived, deleted or ticked off: it can be undone. */
export interface GraphStep {
  /** Its sequence number in the log. */
  readonly sequence: number;
  readonly kind: StepKind;
  /** The branch it led to, or the branch or checkpoint that was archived or deleted; by its current name. */
  readonly branch: string;
  /** The branch before; undefined if the step did not move. */
  readonly from: string | undefined;
  readonly createdAt: number;
  /** The entries of the log about files that are reversed with it. */
  readonly files: readonly number[];
  /** The user moved without the files: they stay when it is reversed, too. */
  readonly filesStay: boolean;
  /** For a change of the todo list: the list before and after. */
  readonly todos?: { readonly before: JsonValue; readonly after: JsonValue };
  /** For a message that is always sent from then on, or no longer. */
  readonly kept?: { readonly messageId: string; readonly isKept: boolean };
}

/** Steps to another branch. The last three record the branch that was left in `left`; their `from` is the source. */
const goingKinds = ['switched', 'rewound', 'restored', 'branch-created'] as const;
const takingKinds = ['summarised', 'brought-back', 'cherry-picked'] as const;
const moveKinds = [...goingKinds, ...takingKinds] as const;
const fileKinds = ['files-restored', 'edits-reviewed'] as const;
const stepKinds = [
  ...moveKinds,
  ...fileKinds,
  'branch-archived',
  'branch-deleted',
  'checkpoint-deleted',
  'todos-edited',
  'message-kept',
] as const;
/** The kind of a step, as written in the log. */
export type StepKind = (typeof stepKinds)[number];

/** The kinds of entries that {@link graphSteps} reads. */
export const stepEventKinds: readonly LogEventKind[] = [...stepKinds, 'branch-renamed', 'undone', 'redone'];

/** The steps that can be undone and redone; the next one last. */
export interface GraphSteps {
  readonly undo: readonly GraphStep[];
  readonly redo: readonly GraphStep[];
}

const takenBack = z.object({
  /** The step that was undone or redone. */
  of: z.number(),
  /** The entries made by undoing or redoing it: they are not steps. */
  by: z.array(z.number()),
  kind: z.enum(stepKinds),
  /** The current name of the branch or checkpoint: a restored one may have another. */
  branch: z.string().optional(),
});
/** What a log entry records about a step that was undone or redone. */
export type TakenBack = z.infer<typeof takenBack>;

/** The details of the log entry for a step that was undone or redone. */
export function takenBackDetails({ of, by, kind, branch }: TakenBack): JsonObject {
  return { of, by, kind, ...(branch === undefined ? {} : { branch }) };
}

/** What a log entry records about an undo or redo; undefined for every other entry. */
export function takenBackBy({ kind, details }: LogEvent): TakenBack | undefined {
  return kind === 'undone' || kind === 'redone' ? takenBack.safeParse(details).data : undefined;
}

/**
 * Reads from the log what can be undone and redone. There is no other record, so that a reload of the window changes
 * nothing, and undoing loses nothing: it adds an entry.
 * @param events what one user did, and all branch renames, oldest first; other kinds are ignored
 */
export function graphSteps(events: readonly LogEvent[]): GraphSteps {
  const entries = events.map((event) => ({ event, about: takenBackBy(event) }));
  const caused = new Set(entries.flatMap(({ about }) => about?.by ?? []));
  const aboutFiles = new Set(events.filter(isAboutFiles).map(({ sequence }) => sequence));
  let undo: GraphStep[] = [];
  let redo: GraphStep[] = [];
  /** What becomes of files in the move that comes next: it is logged before it. */
  let before: LogEvent | undefined;
  for (const { event, about } of entries) {
    const { kind, branch, details, sequence } = event;
    if (about) {
      const [to, rest] = kind === 'undone' ? [redo, undo] : [undo, redo];
      const step = rest.find((each) => each.sequence === about.of);
      if (!step) continue;
      const reversed = about.by.filter((each) => aboutFiles.has(each));
      to.push({
        ...step,
        ...(about.branch === undefined ? {} : { branch: about.branch }),
        files: reversed,
      });
      const left = rest.filter((each) => each !== step);
      if (kind === 'undone') undo = left;
      else redo = left;
    } else if (kind === 'branch-renamed' && branch !== undefined && typeof details['from'] === 'string') {
      const renamed = renaming(details['from'], branch);
      undo = undo.map(renamed);
      redo = redo.map(renamed);
    } else if (!caused.has(sequence)) {
      if (isAboutFiles(event)) before = event;
      const step = stepOf(event);
      if (!step) continue;
      undo.push(step.from === undefined ? step : { ...step, ...filesOfMove(step, before) });
      before = undefined;
      // Doing something else after an undo clears the redo list.
      redo = [];
    }
  }
  return { undo, redo };
}

function isAboutFiles({ kind }: LogEvent): boolean {
  return fileKinds.some((each) => each === kind);
}

const noFiles = { files: [], filesStay: false } as const;

/** @param before the entry about files before a move */
function filesOfMove(
  { branch, from }: GraphStep,
  before: LogEvent | undefined,
): Pick<GraphStep, 'files' | 'filesStay'> {
  const { why, branch: on } = before?.details ?? {};
  const isOfMove = why === 'move' && (on === branch || on === from);
  return { files: before && isOfMove ? [before.sequence] : [], filesStay: why === 'stay' };
}

/** A decision about files that stands for itself; the branch it was made on. */
function decidedOn({ kind, details: { why, branch } }: LogEvent): string | undefined {
  const isDecided = kind === 'edits-reviewed' || why === 'edits' || why === 'files';
  return isDecided && typeof branch === 'string' ? branch : undefined;
}

function stepOf(event: LogEvent): GraphStep | undefined {
  const { kind, sequence, details, createdAt } = event;
  if (isAboutFiles(event)) return fileStepOf(event);
  const { branch: onBranch } = event;
  const stepKind = stepKinds.find((each) => each === kind);
  const { name } = details;
  const from = takingKinds.some((each) => each === stepKind) ? details['left'] : details['from'];
  const branch = stepKind === 'checkpoint-deleted' && typeof name === 'string' ? name : onBranch;
  if (!stepKind || branch === undefined) return undefined;
  const isMove = moveKinds.some((each) => each === stepKind);
  // Of the branches made outside these steps, only an edit switches to its branch.
  if (stepKind === 'branch-created' && details['why'] !== 'edit') return undefined;
  if (isMove && (typeof from !== 'string' || from === branch)) return undefined;
  return {
    sequence,
    kind: stepKind,
    branch,
    from: typeof from === 'string' && isMove ? from : undefined,
    createdAt,
    ...noFiles,
    ...(stepKind === 'todos-edited'
      ? { todos: { before: details['before'] ?? [], after: details['after'] ?? [] } }
      : {}),
    ...(stepKind === 'message-kept' && event.messageId !== undefined
      ? { kept: { messageId: event.messageId, isKept: details['isKept'] === true } }
      : {}),
  };
}

function fileStepOf(event: LogEvent): GraphStep | undefined {
  const { sequence, createdAt } = event;
  const branch = decidedOn(event);
  const kind = fileKinds.find((each) => each === event.kind);
  return kind && branch !== undefined
    ? { sequence, kind, branch, from: undefined, createdAt, files: [sequence], filesStay: false }
    : undefined;
}

function renaming(from: string, to: string): (step: GraphStep) => GraphStep {
  return (step) => ({
    ...step,
    // A checkpoint may have the same name as a branch.
    branch: step.branch === from && step.kind !== 'checkpoint-deleted' ? to : step.branch,
    from: step.from === from ? to : step.from,
  });
}
