import { z } from 'zod';
import type { JsonValue } from '../../engine/json.ts';

/** The list's state key: it belongs to the branch, and a rewind restores it. */
export const TODOS = 'todos';

export const MAX_TODOS = 50;
export const MAX_TITLE = 200;

const todo = z.object({
  title: z.string().trim().min(1).max(MAX_TITLE),
  status: z.enum(['pending', 'in_progress', 'done']),
});
export const todoList = z.array(todo).max(MAX_TODOS);
/** The user changed it, and the agent does not know yet. */
const changedList = z.strictObject({ byUser: z.json() });
/** It is what follows from the plan, which is being implemented. */
const planList = z.strictObject({ ofPlan: z.json() });

export type Todo = z.infer<typeof todo>;

/** Reads the list from state; `damaged` for an invalid value: scripts and imports may write any. */
export function readTodos(value: JsonValue | undefined): readonly Todo[] | 'damaged' {
  if (value === undefined) return [];
  const changed = changedList.safeParse(value).data;
  if (changed) return readList(changed.byUser);
  return readList(planList.safeParse(value).data?.ofPlan ?? value);
}

export function isChangedByUser(value: JsonValue | undefined): boolean {
  return changedList.safeParse(value).success;
}

export function isOfPlan(value: JsonValue | undefined): boolean {
  return planList.safeParse(value).success;
}

export function changedByUser(todos: readonly Todo[]): JsonValue {
  return { byUser: todos };
}

export function ofPlan(todos: readonly Todo[]): JsonValue {
  return { ofPlan: todos };
}

function readList(value: JsonValue): readonly Todo[] | 'damaged' {
  // Checked first: no entry of an overlong list is read.
  if (!Array.isArray(value) || value.length > MAX_TODOS) return 'damaged';
  return todoList.safeParse(value).data ?? 'damaged';
}

/** For the model. */
export function doneText(todos: readonly Todo[]): string {
  return `${todos.filter(({ status }) => status === 'done').length} of ${todos.length} done.`;
}

export function linesOf(todos: readonly Todo[]): string {
  return todos.map(({ title, status }) => `- ${title} (${status})`).join('\n');
}
