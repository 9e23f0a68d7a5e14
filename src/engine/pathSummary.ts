import { z } from 'zod';
import { branchSummaryOf } from './branchSummary.ts';
import type { UIMessage } from './uiMessage.ts';

/** What a summary's message keeps beside the text the model reads. */
export const pathSummary = z.object({
  /**
   * `up-to-here` and `from-here` stand in place of a part of the conversation, on a branch of their own; `compacted`
   * stands on the branch it shortens, after what it covers; `brought-back` tells of another branch. A `note` stands for
   * nothing else: another program left it where it is.
   */
  kind: z.enum(['up-to-here', 'from-here', 'brought-back', 'compacted', 'note']),
  text: z.string(),
  /** Where the full text is. */
  source: z.object({
    /** The branch, and its head, as they were then. */
    branch: z.string(),
    headMessageId: z.string().nullable(),
    /** The messages that are summarised: the first, the last, how many. */
    from: z.string(),
    to: z.string(),
    count: z.number().int().nonnegative(),
    /** Of what is compacted, the messages that are sent all the same: the question that is being answered. */
    kept: z.array(z.string()).optional(),
  }),
  /** The agent's own checkpoints in force there, which the model is told of; their calls are not sent any more. */
  checkpoints: z.array(z.object({ goal: z.string(), name: z.string().optional() })).optional(),
  /** About how many tokens it stands for, and how many it takes. */
  tokens: z
    .object({ before: z.number().nonnegative(), after: z.number().nonnegative() })
    .optional()
    .catch(undefined),
  /** The model or the program that wrote it; left out: the user. */
  model: z.string().optional(),
  /** The user changed what the model wrote. */
  isEdited: z.literal(true).optional(),
  /** ISO 8601. */
  writtenAt: z.string(),
});
/** A summary of messages whose full text stays where it is. */
export type PathSummary = z.infer<typeof pathSummary>;

const summaryMetadata = z.looseObject({ pathSummary });

/** The summary a message holds; undefined for every other message. */
export function pathSummaryOf(message: Pick<UIMessage, 'metadata'>): PathSummary | undefined {
  // Most messages have no such member: looked at before the schema, for this runs over whole paths.
  if (typeof message.metadata !== 'object' || message.metadata === null) return undefined;
  if (!('pathSummary' in message.metadata)) return undefined;
  return summaryMetadata.safeParse(message.metadata).data?.pathSummary;
}

/** True for what the model is sent as if by the user, though nobody asked anything. */
export function isNoticeMessage(message: Pick<UIMessage, 'metadata'>): boolean {
  return branchSummaryOf(message) !== undefined || pathSummaryOf(message) !== undefined;
}

/** The message in which the model finds the summary, and finds it once. */
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
