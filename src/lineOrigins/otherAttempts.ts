import type { ReadonlyStore } from '../engine/readonlyStore.ts';
import type { LineOrigin } from './lineOrigin.ts';
import type { FileOrigins } from './lineOrigins.ts';
import type { RecordedEdit } from './recordedFiles.ts';

/** A line that a run wrote, and what else is known of its file. */
export interface ToldLine {
  readonly origin: LineOrigin;
  readonly file: Pick<FileOrigins, 'otherEdits'>;
}

/** What other branches made of the same lines: a later step on the same one is none. */
export async function otherAttempts(
  store: Pick<ReadonlyStore, 'findCommonAncestor'>,
  { origin, file }: ToldLine,
): Promise<RecordedEdit[]> {
  const { chatId, messageId } = origin.edit;
  const attempts: RecordedEdit[] = [];
  for (const edit of file.otherEdits(origin)) {
    const common =
      edit.chatId === chatId ? await store.findCommonAncestor(chatId, messageId, edit.messageId) : undefined;
    if (common?.id !== messageId && common?.id !== edit.messageId) attempts.push(edit);
  }
  return attempts;
}
