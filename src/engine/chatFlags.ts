import { z } from 'zod';
import type { ChatData } from './graph.ts';

const marks = z.looseObject({ pinned: z.boolean().optional(), archived: z.boolean().optional() });
const begun = z.looseObject({ folder: z.string() });

export function isPinned({ metadata }: Pick<ChatData, 'metadata'>): boolean {
  return marks.safeParse(metadata).data?.pinned === true;
}

/** Lists leave an archived chat out, but nothing of it is lost. */
export function isArchived({ metadata }: Pick<ChatData, 'metadata'>): boolean {
  return marks.safeParse(metadata).data?.archived === true;
}

/** The name of the folder that it was begun in, where several were open. */
export function folderOf({ metadata }: Pick<ChatData, 'metadata'>): string | undefined {
  return begun.safeParse(metadata).data?.folder;
}
