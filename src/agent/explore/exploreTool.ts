import { z } from 'zod';
import type { AgentProfile } from '../prompts/agentProfile.ts';
import { defineTool, type AgentTool } from '../tools/tool.ts';
import { ToolError } from '../tools/toolError.ts';
import { exploreTask, type ExploreTask } from './exploreTask.ts';
import { EXPLORE_TOOL, MAX_TASKS } from './taskProgress.ts';

const DESCRIPTION =
  'Has other agents, which only read, look into independent questions at once. You get their reports, not what they read.';

export const exploreTool = exploring(DESCRIPTION, exploreTask);

/** How much of the description of an agent is listed, in UTF-16 units, and how many agents are. */
const MAX_DESCRIPTION = 200;
const MAX_LISTED = 30;

/** The tool where its tasks may name one of these agents. */
export function exploreToolFor(agents: readonly AgentProfile[]): AgentTool {
  const listed = agents.slice(0, MAX_LISTED);
  const names = z.enum(listed.map(({ name }) => name));
  const lines = listed.map(({ name, description }) => {
    return `- ${name}${description === undefined ? '' : `: ${description.slice(0, MAX_DESCRIPTION)}`}`;
  });
  return exploring(
    `${DESCRIPTION} Agents that a task may name:\n${lines.join('\n')}`,
    exploreTask.extend({
      agent: names.optional().describe('One that the task fits; left out: a plain one.'),
    }),
  );
}

function exploring(description: string, task: z.ZodType<ExploreTask>) {
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
