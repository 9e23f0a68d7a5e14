import { z } from 'zod';
import {
  doneText,
  isChangedByUser,
  isOfPlan,
  linesOf,
  readTodos,
  todoList,
  TODOS,
  type Todo,
} from '../plans/todoList.ts';
import { defineTool } from './tool.ts';
import { ToolError } from './toolError.ts';

export const todoTools = [
  defineTool({
    name: 'write_todos',
    description:
      'Shows the user a todo list of longer work. Takes the whole list each time; have one in_progress, and mark it ' +
      'done as soon as it is.',
    isForPlans: true,
    input: z.object({ todos: todoList }),
    run: async ({ todos }, { state, artifacts }) => {
      const stored = await state.get(TODOS);
      if (isOfPlan(stored)) {
        const { reportSteps } = await import('../plans/reportSteps.ts');
        const reported = await reportSteps({ state, artifacts }, todos);
        if (reported) return reported;
      }
      const now = readTodos(stored);
      if (now !== 'damaged' && isChangedByUser(stored)) {
        // Reported once, when it matters: repeating it in each request would cost more.
        state.set(TODOS, now);
        throw new ToolError(changedText(now), 'changed-by-user');
      }
      if (todos.length === 0) state.delete(TODOS);
      else state.set(TODOS, todos);
      return { text: doneText(todos) };
    },
  }),
] as const;

function changedText(todos: readonly Todo[]): string {
  return `The user has changed the list. It is now:\n${linesOf(todos)}\nCall the tool again with a list that goes on from it.`;
}
