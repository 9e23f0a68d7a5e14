import { z } from 'zod';
import { branchSummaryOf } from './branchSummary.ts';
import { isReminderMessage, type UIMessage } from './uiMessage.ts';
import type { MessageData } from './graph.ts';

/** What a summary's message stores in addition to the text for the model. */
export const pathSummary = z.object({
  /**
   * `up-to-here` and `from-here` replace a part of the conversation, on a separate branch; `compacted` is on the
   * branch it shortens, after the messages it covers; `brought-back` summarizes another branch. A `note` replaces
   * nothing: another program left it there.
   */
  kind: z.enum(['up-to-here', 'from-here', 'brought-back', 'compacted', 'note']),
  text: z.string(),
  /** The location of the full text. */
  source: z.object({
    /** The branch and its head at that time. */
    branch: z.string(),
    headMessageId: z.string().nullable(),
    /** The summarized messages: the first, the last, how many. */
    from: z.string(),
    to: z.string(),
    count: z.number().int().nonnegative(),
    /** Messages in a compacted range that are sent anyway: the question being answered. */
    kept: z.array(z.string()).optional(),
  }),
  /** The agent's own checkpoints in force there, which the model is given; their calls are no longer sent. */
  checkpoints: z.array(z.object({ goal: z.string(), name: z.string().optional() })).optional(),
  /** The room for the ledger that is sent after it, in estimated tokens: its facts, and messages kept always. */
  ledger: z
    .object({ facts: z.number().nonnegative(), kept: z.number().nonnegative() })
    .optional()
    .catch(undefined),
  /** The approximate number of tokens it replaces, and its own number. */
  tokens: z
    .object({ before: z.number().nonnegative(), after: z.number().nonnegative() })
    .optional()
    .catch(undefined),
  /** The model or program that wrote it; left out: the user. */
  model: z.string().optional(),
  /** The user changed the model's text. */
  isEdited: z.literal(true).optional(),
  /** ISO 8601. */
  writtenAt: z.string(),
});
/** A summary of messages whose full text stays where it is. */
export type PathSummary = z.infer<typeof pathSummary>;

const summaryMetadata = z.looseObject({ pathSummary });

export function pathSummaryOf(message: Pick<UIMessage, 'metadata'>): PathSummary | undefined {
  // Checked before the schema because this runs over whole paths and most messages have no such member.
  if (typeof message.metadata !== 'object' || message.metadata === null) return undefined;
  if (!('pathSummary' in message.metadata)) return undefined;
  return summaryMetadata.safeParse(message.metadata).data?.pathSummary;
}

/** True for messages sent to the model with the user's role although the user asked nothing. */
export function isNoticeMessage(message: Pick<UIMessage, 'metadata'>): boolean {
  return branchSummaryOf(message) !== undefined || pathSummaryOf(message) !== undefined;
}

export function pathSummaryMessage(id: string, summary: PathSummary): UIMessage {
  const text = [
    lead(summary),
    summary.kind === 'note'
      ? `<note>\n${summary.text}\n</note>`
      : `<summary of=${JSON.stringify(summary.source.branch)}>\n${summary.text}\n</summary>`,
    ...(summary.checkpoints ?? []).map(checkpointText),
  ].join('\n\n');
  return { id, role: 'user', metadata: { pathSummary: summary }, parts: [{ type: 'text', text }] };
}

function lead({ kind, source, model }: PathSummary): string {
  switch (kind) {
    case 'up-to-here':
      return `The conversation up to here, ${source.count} messages, in a summary:`;
    case 'from-here':
      return `What came after this, ${source.count} messages, in a summary:`;
    case 'compacted':
      return 'This conversation has become too long to be sent whole. Its earlier part in a summary; what follows that is as it was said:';
    case 'brought-back':
      return 'What came out of another branch of this conversation, in a summary:';
    case 'note':
      return `A note from ${JSON.stringify(model ?? 'another program')}, which the user let it leave here:`;
  }
}

function checkpointText({ goal, name }: NonNullable<PathSummary['checkpoints']>[number]): string {
  const named = name === undefined ? '' : ` named ${JSON.stringify(name)}`;
  return `Your checkpoint${named} made in that part is still active. Its goal: ${goal}`;
}

/** A report, a summary or a reminder has the user's role as well but is no question; stored, it has its own name. */
export function isUserTurn(
  message: Pick<MessageData, 'name'> | Pick<UIMessage, 'role' | 'metadata' | 'parts'>,
): boolean {
  if ('name' in message) return message.name === 'user';
  return message.role === 'user' && !isNoticeMessage(message) && !isReminderMessage(message);
}
