import { z } from 'zod';
import { defineTool, type AgentTool } from './tool.ts';

/** A message of another chat. */
export interface Recalled {
  readonly title: string;
  readonly role: string;
  /** When it was said, as a text. */
  readonly at: string;
  readonly snippet: string;
}

export interface RecallHost {
  /** Whether others may read the answer: the user is then asked first. */
  readonly isShared: boolean;
  /** What was said in other chats than this one, best first. */
  readonly find: (query: string, chatId: string, limit: number) => Promise<readonly Recalled[]>;
}

export const recallTool = (host: RecallHost): AgentTool<'recall'> =>
  defineTool({
    name: 'recall',
    readsOnly: true,
    description:
      'Finds what was said in other chats of this project. Ask in words: any may match, "quotes" a phrase.',
    input: z.object({
      query: z.string().trim().min(1).max(500),
      limit: z.int().min(1).max(20).default(8),
    }),
    run: async ({ query, limit }, { approve, chatId }) => {
      if (host.isShared) await approve({ kind: 'recall' });
      const found = await host.find(query, chatId, limit);
      const lines = found.map(
        ({ title, role, at, snippet }) => `- ${role} in “${title || 'no title'}”, ${at}: ${snippet}`,
      );
      return { text: lines.length === 0 ? 'Nothing was said about it.' : lines.join('\n') };
    },
  });
