import { answerMetadataOf } from '../../agent/run/answerMetadata.ts';
import type { MessageData } from '../../engine/graph.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import { isUserTurn } from '../../engine/pathSummary.ts';
import type { MessageView, TurnView, UsageView } from '../../protocol/views.ts';
import { addUsage } from '../pages/usageView.ts';

/** How many messages are read at once to find where a turn begins, and how often: a run has at most 1,000 steps. */
const READ = 200;
const READS = 5;

export interface PartOfPath {
  readonly chatId: string;
  readonly path: readonly MessageData[];
  /** The message after the last of them; `running` for an answer that is being written. */
  readonly next: Pick<MessageData, 'name'> | 'running' | undefined;
}

/**
 * The totals of the turns that end among these messages, by the id of their last message; and the messages of all turns
 * of several steps, whose own shares would mean nothing.
 */
export interface Turns {
  readonly ends: ReadonlyMap<string, TurnView>;
  readonly parts: ReadonlySet<string>;
}

export async function readTurns(store: Pick<ReadonlyStore, 'getPath'>, part: PartOfPath): Promise<Turns> {
  const ends = new Map<string, TurnView>();
  const parts = new Set<string>();
  for (const { answers, isEnded } of turnsOf(await withBeginning(store, part), part.next)) {
    const steps = answers.reduce((sum, { steps: count }) => sum + count, 0);
    const last = answers.at(-1);
    if (steps < 2 || !last) continue;
    for (const { message } of answers) parts.add(message.id);
    if (isEnded) ends.set(last.message.id, { ...turnTotals(answers.map(({ message }) => message)), steps });
  }
  return { ends, parts };
}

export function withTurn(view: MessageView, { ends, parts }: Turns): MessageView {
  if (!parts.has(view.id)) return view;
  const { usage: _ofPart, ...rest } = view;
  const turn = ends.get(view.id);
  return turn ? { ...rest, turn } : rest;
}

interface Turn {
  readonly answers: readonly { readonly message: MessageData; readonly steps: number }[];
  readonly isEnded: boolean;
}

function turnsOf(path: readonly MessageData[], next: PartOfPath['next']): Turn[] {
  const turns: Turn[] = [];
  let answers: Turn['answers'][number][] = [];
  for (const message of path) {
    if (isUserTurn(message)) {
      turns.push({ answers, isEnded: true });
      answers = [];
      continue;
    }
    const steps = stepsOf(message);
    if (steps > 0) answers.push({ message, steps });
  }
  const isEnded = next === undefined || (next !== 'running' && isUserTurn(next));
  return [...turns, { answers, isEnded }];
}

/** The number of model requests behind an answer: the first of a message is not marked. */
function stepsOf(message: MessageData): number {
  const read = message.name === 'assistant' ? readUIMessage(message.data) : undefined;
  if (!read || !answerMetadataOf(read)) return 0;
  const further = read.parts.filter(({ type }) => type === 'step-start').length;
  return read.parts.length > further ? further + 1 : further;
}

/** The messages with the earlier ones of the same turn as the first. */
async function withBeginning(
  store: Pick<ReadonlyStore, 'getPath'>,
  { chatId, path }: PartOfPath,
): Promise<readonly MessageData[]> {
  let all = path;
  for (let reads = 0; reads < READS; reads += 1) {
    const [first] = all;
    if (!first || isUserTurn(first) || first.parentId === null) return all;
    const before = await store.getPath(chatId, first.parentId, { limit: READ });
    const begin = before.findLastIndex(isUserTurn);
    all = [...before.slice(Math.max(0, begin)), ...all];
    if (begin !== -1) return all;
  }
  return all;
}

interface TurnTotals {
  /** In milliseconds, without what was waited for the user. */
  readonly duration: number;
  /** Left out while no usage is known for any of them. */
  readonly usage?: UsageView;
}

export function turnTotals(turn: readonly Pick<MessageData, 'data'>[]): TurnTotals {
  const answers = turn.flatMap(({ data }) => {
    const read = readUIMessage(data);
    return (read && answerMetadataOf(read)) ?? [];
  });
  const usage = answers.reduce<UsageView | undefined>(addUsage, undefined);
  return {
    duration: answers.reduce(
      (sum, { startedAt, finishedAt, waited = 0 }) => sum + Math.max(0, finishedAt - startedAt - waited),
      0,
    ),
    ...(usage ? { usage } : {}),
  };
}
