import { z } from 'zod';
import type { JsonValue } from '../../engine/json.ts';
import { defineTool, type AgentTool } from './tool.ts';
import { ToolError } from './toolError.ts';

/** The state key the list stands under: it goes with the branch, and comes back with a rewind. */
export const TODOS = 'todos';

/** What a person still reads as a list, and as a title. */
export const MAX_TODOS = 50;
const MAX_TITLE = 200;

const todo = z.object({
  title: z.string().trim().min(1).max(MAX_TITLE),
  status: z.enum(['pending', 'in_progress', 'done']),
});
const todoList = z.array(todo).max(MAX_TODOS);
/** The user changed it, and the agent has not been told. */
const changedList = z.strictObject({ byUser: z.json() });

/** One step of longer work. */
export type Todo = z.infer<typeof todo>;

/** Reads the list from state; `damaged` for a value that is no list of ours: scripts and imports may write any. */
export function readTodos(value: JsonValue | undefined): readonly Todo[] | 'damaged' {
  if (value === undefined) return [];
  const changed = changedList.safeParse(value).data;
  if (changed) return readList(changed.byUser);
  return readList(value);
}

/** The list as it is stored once the user has changed it. */
export function changedByUser(todos: readonly Todo[]): JsonValue {
  return { byUser: todos };
}

function readList(value: JsonValue): readonly Todo[] | 'damaged' {
  // Looked at first: of a list that is too long, no entry is read.
  if (!Array.isArray(value) || value.length > MAX_TODOS) return 'damaged';
  return todoList.safeParse(value).data ?? 'damaged';
}

/** Lets the agent keep a list of what it has to do, which the user sees above the input. */
export const todoTools: readonly AgentTool[] = [
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
        // Told once, at the moment it matters: a request that says so each time would cost more.
        state.set(TODOS, now);
        throw new ToolError(changedText(now), 'changed-by-user');
      }
      if (todos.length === 0) state.delete(TODOS);
      else state.set(TODOS, todos);
      return { text: `${todos.filter(({ status }) => status === 'done').length} of ${todos.length} done.` };
    },
  }),
];

function changedText(todos: readonly Todo[]): string {
  const lines = todos.map(({ title, status }) => `- ${title} (${status})`);
  return `The user has changed the list. It is now:\n${lines.join('\n')}\nCall the tool again with a list that goes on from it.`;
}
