import { BranchBusyError } from '../agent/run/run.ts';
import { editSteps } from '../agent/plans/plan.ts';
import { changedByUser, readTodos, TODOS, type Todo } from '../agent/plans/todoList.ts';
import { ContextEngine } from '../engine/contextEngine.ts';
import { OffshootError } from '../engine/errors.ts';
import type { BranchData } from '../engine/graph.ts';
import type { GraphStep } from '../engine/graphSteps.ts';
import type { JsonValue } from '../engine/json.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import { activeBranch } from './activeBranch.ts';
import type { ConversationParts } from './conversationParts.ts';

type TodoParts = Pick<ConversationParts, 'store' | 'userId'> & {
  readonly runs: Pick<ConversationParts['runs'], 'get'>;
};

type Direction = 'undo' | 'redo';

export type TodoChange =
  | { readonly kind: 'clear' }
  /** The entry must be the one that was shown at this position. */
  | {
      readonly kind: 'mark';
      readonly index: number;
      readonly title: string;
      readonly status: Todo['status'];
    };

export class TodosChangedError extends OffshootError {
  constructor() {
    super('todos-changed', defineMessage('The todo list has changed. Try again.'));
  }
}

/**
 * Changes the todo list of the current branch, and logs the previous list for undo.
 * @throws BranchBusyError while an answer is written there, because the agent owns the list then; TodosChangedError
 */
export async function editTodos(
  parts: TodoParts & Pick<ConversationParts, 'current'>,
  change: TodoChange,
): Promise<void> {
  const { store, userId, current } = parts;
  const chatId = await current.chatId();
  const { name } = await activeBranch(store, chatId, { userId });
  const before = await todosOn(parts, chatId, name);
  const after = changed(before, change);
  await write(parts, { chatId, branch: name, todos: after }, () =>
    // Logged first: an entry without an actual change cannot be undone, and does no harm.
    store.logEvent({
      chatId,
      userId,
      kind: 'todos-edited',
      branch: name,
      details: { before: [...before], after: [...after] },
    }),
  );
}

export async function todosOn(
  { store, userId }: Pick<TodoParts, 'store' | 'userId'>,
  chatId: string,
  branch: string,
): Promise<readonly Todo[]> {
  const engine = new ContextEngine({ store, chatId, userId, branch, branchNames: 'flat' });
  try {
    return listOf(await engine.state.get(TODOS));
  } finally {
    await engine.close();
  }
}

/** The steps whose resulting list equals the current one, by their sequence numbers. */
export async function fittingSteps(
  parts: TodoParts,
  active: BranchData | undefined,
  steps: readonly GraphStep[],
  direction: Direction,
): Promise<ReadonlySet<number>> {
  if (!active || parts.runs.get(active.chatId, active.name)) return new Set();
  const now = await todosOn(parts, active.chatId, active.name);
  const fits = ({ branch, todos }: GraphStep): boolean =>
    branch === active.name && areSame(now, listOf(direction === 'undo' ? todos?.after : todos?.before));
  return new Set(steps.filter(fits).map(({ sequence }) => sequence));
}

/** @throws BranchBusyError */
export async function takeTodosStep(
  parts: TodoParts,
  chatId: string,
  { branch, todos }: GraphStep,
  direction: Direction,
): Promise<void> {
  const list = listOf(direction === 'undo' ? todos?.before : todos?.after);
  await write(parts, { chatId, branch, todos: list }, () => Promise.resolve());
}

function areSame(one: readonly Todo[], other: readonly Todo[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ title, status }, index) => other[index]?.title === title && other[index].status === status)
  );
}

function listOf(value: JsonValue | undefined): readonly Todo[] {
  const todos = readTodos(value);
  return todos === 'damaged' ? [] : todos;
}

async function write(
  { store, userId, runs }: TodoParts,
  {
    chatId,
    branch,
    todos,
  }: { readonly chatId: string; readonly branch: string; readonly todos: readonly Todo[] },
  first: () => Promise<void>,
): Promise<void> {
  // Saving to the branch of a run would separate it from its answer.
  if (runs.get(chatId, branch)) throw new BranchBusyError(branch);
  const engine = new ContextEngine({ store, chatId, userId, branch, branchNames: 'flat' });
  try {
    if (todos.length === 0) engine.state.delete(TODOS);
    // The list of a plan, also one that an undo brings back, is changed by its plan.
    else if (!(await editSteps(engine, todos))) engine.state.set(TODOS, changedByUser(todos));
    await first();
    await engine.save();
  } finally {
    await engine.close();
  }
}

function changed(todos: readonly Todo[], change: TodoChange): readonly Todo[] {
  if (change.kind === 'clear') return [];
  const { index, title, status } = change;
  if (todos[index]?.title !== title) throw new TodosChangedError();
  return todos.map((todo, at) => (at === index ? { title, status } : todo));
}
