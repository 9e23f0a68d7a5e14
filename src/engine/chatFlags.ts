import { z } from 'zod';
import type { ChatData } from './graph.ts';

/** What a chat's metadata records about its place in lists. */
const marks = z.looseObject({ pinned: z.boolean().optional(), archived: z.boolean().optional() });

/** Whether the chat is pinned to the top of lists. */
export function isPinned({ metadata }: Pick<ChatData, 'metadata'>): boolean {
  return marks.safeParse(metadata).data?.pinned === true;
}

/** Whether the chat is archived: lists leave it out, but nothing of it is lost. */
export function isArchived({ metadata }: Pick<ChatData, 'metadata'>): boolean {
  return marks.safeParse(metadata).data?.archived === true;
}
