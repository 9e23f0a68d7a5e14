import { z } from 'zod';
import type { ChatData } from './graph.ts';

const marks = z.looseObject({ pinned: z.boolean().optional(), archived: z.boolean().optional() });

export function isPinned({ metadata }: Pick<ChatData, 'metadata'>): boolean {
  return marks.safeParse(metadata).data?.pinned === true;
}

/** Lists leave an archived chat out, but nothing of it is lost. */
export function isArchived({ metadata }: Pick<ChatData, 'metadata'>): boolean {
  return marks.safeParse(metadata).data?.archived === true;
}
