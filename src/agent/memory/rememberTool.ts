import { z } from 'zod';
import { defineTool, type AgentTool, type ToolContext, type ToolOutput } from '../tools/tool.ts';
import type { OpenTexts } from '../tools/workspace/workspaceHost.ts';
import type { MemoryPlace } from './memoryPlace.ts';

export const REMEMBER = 'remember';

/** The key of the conversation's state under which the facts of a branch stand. */
export const BRANCH_MEMORY = 'offshoot:memory';

const fact = z.string().trim().min(1).max(500);

const rememberInput = z.object({
  fact,
  scope: z.enum(['project', 'user', 'branch']),
  replaces: fact.optional().describe('The fact whose place it takes.'),
  forget: z.boolean().optional().describe('Removes the fact instead.'),
});

export type RememberInput = z.output<typeof rememberInput>;

export interface MemoryHost {
  /** Whether facts are read: else the tool is not offered. */
  readonly isOn: () => boolean;
  /** Those of the workspace folders, then that of the user. */
  readonly places: () => Promise<readonly MemoryPlace[]>;
  /** Is called after a file was changed. */
  readonly changed: () => void;
  /** Loads the implementation with the first call. */
  readonly load: () => Promise<RememberWork>;
}

interface RememberWork {
  remember(
    host: MemoryHost,
    texts: OpenTexts,
    input: RememberInput,
    context: ToolContext,
  ): Promise<ToolOutput>;
}

export const rememberTool = (host: MemoryHost, texts: OpenTexts): AgentTool<typeof REMEMBER> =>
  defineTool({
    name: REMEMBER,
    description:
      'Proposes a fact to keep for later chats: the user sees it and decides. For what lasts and files do not say: ' +
      'decisions, preferences, pitfalls; never secrets. One line. Scope: this project, the user in all projects, or ' +
      'this branch only.',
    input: rememberInput,
    mustFinish: true,
    run: async (input, context) => (await host.load()).remember(host, texts, input, context),
  });
