import { z } from 'zod';
import type { OpenTexts } from '../tools/workspace/workspaceHost.ts';
import { lineNumber, pathInput } from '../tools/workspace/readTools.ts';
import { defineTool, type AgentTool, type ToolContext, type ToolOutput } from '../tools/tool.ts';
import type { FoundSkills } from './findSkills.ts';

export const READ_SKILL = 'read_skill';

const skillInput = z.object({
  name: z.string().trim().min(1).max(200),
  file: pathInput.optional().describe('A file of the skill, below its folder. Without it: the skill.'),
  startLine: lineNumber.optional(),
  endLine: lineNumber.optional(),
});

export type SkillInput = z.output<typeof skillInput>;

export interface SkillHost {
  /** Whether there were some when they were last read: without any, the tool is not offered. */
  readonly areThere: () => boolean;
  readonly read: () => Promise<FoundSkills>;
  /** Undefined for a folder that is not on this machine. @param uri of a folder */
  readonly pathOf: (uri: string) => string | undefined;
  /** Loads the implementation with the first call. */
  readonly load: () => Promise<SkillWork>;
}

interface SkillWork {
  readSkill(host: SkillHost, texts: OpenTexts, input: SkillInput, context: ToolContext): Promise<ToolOutput>;
}

export const skillTool = (host: SkillHost, texts: OpenTexts): AgentTool<typeof READ_SKILL> =>
  defineTool({
    name: READ_SKILL,
    readsOnly: true,
    description:
      'Reads a skill by its name: how to do a task, and which files it has. With file, one of those files.',
    input: skillInput,
    run: async (input, context) => (await host.load()).readSkill(host, texts, input, context),
  });
