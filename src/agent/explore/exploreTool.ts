import { z } from 'zod';
import { defineTool, type AgentTool } from '../tools/tool.ts';
import { ToolError } from '../tools/toolError.ts';
import { exploreTask, type ExploreTask } from './exploreTask.ts';
import { EXPLORE_TOOL, MAX_TASKS } from './taskProgress.ts';

export const EXPLORES =
  'Has other agents, which only read, look into independent questions at once. You get their reports, not what they read.';

export const exploreTool = exploring(EXPLORES, exploreTask);

/** @param task what each is described by */
export function exploring(description: string, task: z.ZodType<ExploreTask>): AgentTool<typeof EXPLORE_TOOL> {
  return defineTool({
    name: EXPLORE_TOOL,
    description,
    input: z.object({ tasks: z.array(task).min(1).max(MAX_TASKS) }),
    readsOnly: true,
    startsRuns: true,
    // Findings of the runs are saved before the answer that waits for them.
    mustFinish: true,
    run: ({ tasks }, { explore }) => {
      if (!explore) throw new ToolError('Exploring is not available in subagents.', 'subagent');
      return explore(tasks);
    },
  });
}
