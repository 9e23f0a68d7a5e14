import { z } from 'zod';
import { cursor, moreLine, offsetOf, pageLimit, pageOf, defineReadingTool } from './readingTool.ts';
import { counted, quoted, timeText } from './shownText.ts';
import { excerpt, visibleChat } from './visible.ts';

const EXCERPT = 160;

const checkpoint = z.object({ name: z.string(), message: z.string(), at: z.string(), excerpt: z.string() });

export const listCheckpoints = defineReadingTool({
  name: 'list_checkpoints',
  title: 'List Checkpoints',
  description: 'The named messages (checkpoints) of a chat, oldest first.',
  input: z.object({ chat: z.string().max(500).describe('chat id'), limit: pageLimit(100, 50), cursor }),
  output: z.object({
    checkpoints: z.array(checkpoint),
    total: z.int(),
    nextCursor: z.string().optional(),
  }),
  run: async (reading, { chat, limit, cursor: from }) => {
    await visibleChat(reading, chat);
    const { store } = reading;
    const all = await store.listCheckpoints(chat);
    const { items, ...more } = pageOf(all, offsetOf(from), limit);
    const checkpoints = await Promise.all(
      items.map(async ({ name, messageId, createdAt }) => ({
        name,
        message: messageId,
        at: timeText(createdAt),
        excerpt: excerpt(await store.getMessage(chat, messageId), EXCERPT),
      })),
    );
    const lines = checkpoints.map(
      (each) => `- ${quoted(each.name)}, ${each.at}, at message ${quoted(each.message)}: ${each.excerpt}`,
    );
    const total = all.length;
    const head = total === 0 ? 'The chat has no checkpoints.' : `${counted(total, 'checkpoint')}:`;
    return { text: [head, ...lines, ...moreLine(more)].join('\n'), data: { checkpoints, total, ...more } };
  },
});
