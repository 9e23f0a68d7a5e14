import { z } from 'zod';
import type { ReportedSteps } from '../plans/plan.ts';
import { isChangedByUser, isOfPlan, readTodos, todoList, TODOS, type Todo } from '../plans/todoList.ts';
import { defineTool, type ToolOutput } from './tool.ts';
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
        const { reportSteps } = await import('../plans/plan.ts');
        const reported = await reportSteps({ state, artifacts }, todos);
        if (reported) return planResult(reported);
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

function doneText(todos: readonly Todo[]): string {
  return `${todos.filter(({ status }) => status === 'done').length} of ${todos.length} done.`;
}

/** The details are what the page shows until the step is saved. */
function planResult({ unknown, steps }: ReportedSteps): ToolOutput {
  if (unknown.length === 0) return { text: doneText(steps), details: { todos: steps } };
  throw new ToolError(
    `The todo list is that of the plan, and it has no step “${unknown.join('”, “')}”. Its steps are:\n` +
      `${linesOf(steps)}\nCall the tool again with these titles alone. Only the user adds steps to the plan.`,
    'not-in-plan',
  );
}

function changedText(todos: readonly Todo[]): string {
  return `The user has changed the list. It is now:\n${linesOf(todos)}\nCall the tool again with a list that goes on from it.`;
}

function linesOf(todos: readonly Todo[]): string {
  return todos.map(({ title, status }) => `- ${title} (${status})`).join('\n');
}
