import { z } from 'zod';
import type { AgentProfile } from '../prompts/agentProfile.ts';
import type { AgentTool } from '../tools/tool.ts';
import { exploreTask } from './exploreTask.ts';
import { EXPLORES, exploring } from './exploreTool.ts';

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
    `${EXPLORES} Agents that a task may name:\n${lines.join('\n')}`,
    exploreTask.extend({
      agent: names.optional().describe('One that the task fits; left out: a plain one.'),
    }),
  );
}
