import { z } from 'zod';
import type { JsonValue } from '../../engine/json.ts';
import { defineTool } from './tool.ts';
import { ToolError } from './toolError.ts';

/** The list's state key: it belongs to the branch, and a rewind restores it. */
export const TODOS = 'todos';

export const MAX_TODOS = 50;
const MAX_TITLE = 200;

const todo = z.object({
  title: z.string().trim().min(1).max(MAX_TITLE),
  status: z.enum(['pending', 'in_progress', 'done']),
});
const todoList = z.array(todo).max(MAX_TODOS);
/** The user changed it, and the agent does not know yet. */
const changedList = z.strictObject({ byUser: z.json() });

export type Todo = z.infer<typeof todo>;

/** Reads the list from state; `damaged` for an invalid value: scripts and imports may write any. */
export function readTodos(value: JsonValue | undefined): readonly Todo[] | 'damaged' {
  if (value === undefined) return [];
  const changed = changedList.safeParse(value).data;
  if (changed) return readList(changed.byUser);
  return readList(value);
}

export function changedByUser(todos: readonly Todo[]): JsonValue {
  return { byUser: todos };
}

function readList(value: JsonValue): readonly Todo[] | 'damaged' {
  // Checked first: no entry of an overlong list is read.
  if (!Array.isArray(value) || value.length > MAX_TODOS) return 'damaged';
  return todoList.safeParse(value).data ?? 'damaged';
}

export const todoTools = [
  defineTool({
    name: 'write_todos',
    description:
      'Shows the user a todo list of longer work. Takes the whole list each time; have one in_progress, and mark it ' +
      'done as soon as it is.',
    isForPlans: true,
    input: z.object({ todos: todoList }),
    run: async ({ todos }, { state }) => {
      const stored = await state.get(TODOS);
      const now = readTodos(stored);
      if (now !== 'damaged' && changedList.safeParse(stored).success) {
        // Reported once, when it matters: repeating it in each request would cost more.
        state.set(TODOS, now);
        throw new ToolError(changedText(now), 'changed-by-user');
      }
      if (todos.length === 0) state.delete(TODOS);
      else state.set(TODOS, todos);
      return { text: `${todos.filter(({ status }) => status === 'done').length} of ${todos.length} done.` };
    },
  }),
] as const;

function changedText(todos: readonly Todo[]): string {
  const lines = todos.map(({ title, status }) => `- ${title} (${status})`);
  return `The user has changed the list. It is now:\n${lines.join('\n')}\nCall the tool again with a list that goes on from it.`;
}
