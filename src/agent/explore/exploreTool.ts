import { z } from 'zod';
import { defineTool, type AgentTool } from '../tools/tool.ts';
import { ToolError } from '../tools/toolError.ts';
import { EXPLORE_TOOL, MAX_TASKS, MAX_TITLE } from './taskProgress.ts';

/** The longest task, in UTF-16 units. */
const MAX_PROMPT = 20_000;

/** What one task asks for. */
const task = z.object({
  title: z.string().trim().min(1).max(MAX_TITLE).describe('A few words.'),
  prompt: z.string().trim().min(1).max(MAX_PROMPT).describe('All it has to know: it sees nothing else.'),
});
export type ExploreTask = z.infer<typeof task>;

/** Has questions looked into beside one another, each on a branch of its own, by runs that only read. */
export const exploreTool: AgentTool = defineTool({
  name: EXPLORE_TOOL,
  description:
    'Has other agents, which only read, look into independent questions at once. You get their reports, not what they read.',
  input: z.object({ tasks: z.array(task).min(1).max(MAX_TASKS) }),
  readsOnly: true,
  startsRuns: true,
  // What runs had found out is saved before the answer that waits for them.
  mustFinish: true,
  run: ({ tasks }, { explore }) => {
    if (!explore) throw new ToolError('Exploring is not available in subagents.', 'subagent');
    return explore(tasks);
  },
});
