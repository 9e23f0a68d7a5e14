import { z } from 'zod';
import type { ChatData } from './graph.ts';

/** What a chat's metadata says of its place in lists. */
const marks = z.looseObject({ pinned: z.boolean().optional(), archived: z.boolean().optional() });

/** Whether the chat stands first in lists. */
export function isPinned({ metadata }: Pick<ChatData, 'metadata'>): boolean {
  return marks.safeParse(metadata).data?.pinned === true;
}

/** Whether the chat is archived: lists leave it out, and nothing of it is lost. */
export function isArchived({ metadata }: Pick<ChatData, 'metadata'>): boolean {
  return marks.safeParse(metadata).data?.archived === true;
}
