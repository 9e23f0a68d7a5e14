import type { ToolOutput } from '../tools/tool.ts';
import { ToolError } from '../tools/toolError.ts';
import { tickSteps, type PlanPlace } from './plan.ts';
import { doneText, linesOf, type Todo } from './todoList.ts';

/**
 * Ticks the steps of the plan that the model reports as done.
 * @returns undefined if the list is about something else
 * @throws ToolError for what is no step
 */
export async function reportSteps(place: PlanPlace, todos: readonly Todo[]): Promise<ToolOutput | undefined> {
  const reported = await tickSteps(place, todos);
  if (!reported) return undefined;
  const { unknown, steps } = reported;
  // The details are what the page shows until the step is saved.
  if (unknown.length === 0) return { text: doneText(steps), details: { todos: steps } };
  throw new ToolError(
    `The todo list is that of the plan, and it has no step “${unknown.join('”, “')}”. Its steps are:\n` +
      `${linesOf(steps)}\nCall the tool again with these titles alone. Only the user adds steps to the plan.`,
    'not-in-plan',
  );
}
