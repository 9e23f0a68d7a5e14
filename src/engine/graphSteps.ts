import { z } from 'zod';
import type { LogEvent, LogEventKind } from './graph.ts';
import type { JsonObject, JsonValue } from './json.ts';

/** A move in the tree, or something archived, deleted or ticked off: what a user did, as far as it can be undone. */
export interface GraphStep {
  /** The place in the log of what was done. */
  readonly sequence: number;
  readonly kind: StepKind;
  /** The branch it led to, or the branch or checkpoint that was archived or deleted; by the name it has now. */
  readonly branch: string;
  /** Where one was before; undefined where one did not move. */
  readonly from: string | undefined;
  readonly createdAt: number;
  /** The todo list before and after, of a change of it. */
  readonly todos?: { readonly before: JsonValue; readonly after: JsonValue };
}

/** What leads to another branch. The last three say by `left` where one was: their `from` is what was taken along. */
const goingKinds = ['switched', 'rewound', 'restored', 'branch-created'] as const;
const takingKinds = ['summarised', 'brought-back', 'cherry-picked'] as const;
const moveKinds = [...goingKinds, ...takingKinds] as const;
const stepKinds = [
  ...moveKinds,
  'branch-archived',
  'branch-deleted',
  'checkpoint-deleted',
  'todos-edited',
] as const;
/** What a step was, as the log calls it. */
export type StepKind = (typeof stepKinds)[number];

/** The kinds of entries that {@link graphSteps} reads. */
export const stepEventKinds: readonly LogEventKind[] = [...stepKinds, 'branch-renamed', 'undone', 'redone'];

/** What can be undone and what can be done again; the next one last. */
export interface GraphSteps {
  readonly undo: readonly GraphStep[];
  readonly redo: readonly GraphStep[];
}

const takenBack = z.object({
  /** The step it is about. */
  of: z.number(),
  /** The entries that came of taking it back or of doing it again: they are no steps of their own. */
  by: z.array(z.number()),
  /** What the step was. */
  kind: z.enum(stepKinds),
  /** The name the branch or checkpoint has since: one that comes back may have got another. */
  branch: z.string().optional(),
});
/** What an entry of the log says of a step that was undone, or done again. */
export type TakenBack = z.infer<typeof takenBack>;

/** The details of the entry that says a step was undone, or done again. */
export function takenBackDetails({ of, by, kind, branch }: TakenBack): JsonObject {
  return { of, by, kind, ...(branch === undefined ? {} : { branch }) };
}

/** What an entry says that something was undone or done again; undefined for every other entry. */
export function takenBackBy({ kind, details }: LogEvent): TakenBack | undefined {
  return kind === 'undone' || kind === 'redone' ? takenBack.safeParse(details).data : undefined;
}

/**
 * Reads from the log what can be undone and done again. There is no other record, so that a reload of the window changes
 * nothing, and so that undoing loses nothing: it is a further entry.
 * @param events what one user did, and how branches were renamed by anybody, oldest first; those of other kinds do no harm
 */
export function graphSteps(events: readonly LogEvent[]): GraphSteps {
  const entries = events.map((event) => ({ event, about: takenBackBy(event) }));
  const caused = new Set(entries.flatMap(({ about }) => about?.by ?? []));
  let undo: GraphStep[] = [];
  let redo: GraphStep[] = [];
  for (const { event, about } of entries) {
    const { kind, branch, details, sequence } = event;
    if (about) {
      const [to, rest] = kind === 'undone' ? [redo, undo] : [undo, redo];
      const step = rest.find((each) => each.sequence === about.of);
      if (!step) continue;
      to.push(about.branch === undefined ? step : { ...step, branch: about.branch });
      const left = rest.filter((each) => each !== step);
      if (kind === 'undone') undo = left;
      else redo = left;
    } else if (kind === 'branch-renamed' && branch !== undefined && typeof details['from'] === 'string') {
      const renamed = renaming(details['from'], branch);
      undo = undo.map(renamed);
      redo = redo.map(renamed);
    } else if (!caused.has(sequence)) {
      const step = stepOf(event);
      if (!step) continue;
      undo.push(step);
      // What was undone before something else was done is history.
      redo = [];
    }
  }
  return { undo, redo };
}

function stepOf({ kind, sequence, branch: onBranch, details, createdAt }: LogEvent): GraphStep | undefined {
  const stepKind = stepKinds.find((each) => each === kind);
  const { name } = details;
  const from = takingKinds.some((each) => each === stepKind) ? details['left'] : details['from'];
  const branch = stepKind === 'checkpoint-deleted' && typeof name === 'string' ? name : onBranch;
  if (!stepKind || branch === undefined) return undefined;
  const isMove = moveKinds.some((each) => each === stepKind);
  // Of the branches that are made beside these steps, an edit goes to its own.
  if (stepKind === 'branch-created' && details['why'] !== 'edit') return undefined;
  if (isMove && (typeof from !== 'string' || from === branch)) return undefined;
  return {
    sequence,
    kind: stepKind,
    branch,
    from: typeof from === 'string' && isMove ? from : undefined,
    createdAt,
    ...(stepKind === 'todos-edited'
      ? { todos: { before: details['before'] ?? [], after: details['after'] ?? [] } }
      : {}),
  };
}

function renaming(from: string, to: string): (step: GraphStep) => GraphStep {
  return (step) => ({
    ...step,
    // A checkpoint may have the name of a branch.
    branch: step.branch === from && step.kind !== 'checkpoint-deleted' ? to : step.branch,
    from: step.from === from ? to : step.from,
  });
}
