import { z } from 'zod';
import { defineTool } from '../tools/tool.ts';
import { ToolError } from '../tools/toolError.ts';
import { exploreTask } from './exploreTask.ts';
import { EXPLORE_TOOL, MAX_TASKS } from './taskProgress.ts';

export const exploreTool = defineTool({
  name: EXPLORE_TOOL,
  description:
    'Has other agents, which only read, look into independent questions at once. You get their reports, not what they read.',
  input: z.object({ tasks: z.array(exploreTask).min(1).max(MAX_TASKS) }),
  readsOnly: true,
  startsRuns: true,
  // Findings of the runs are saved before the answer that waits for them.
  mustFinish: true,
  run: ({ tasks }, { explore }) => {
    if (!explore) throw new ToolError('Exploring is not available in subagents.', 'subagent');
    return explore(tasks);
  },
});
