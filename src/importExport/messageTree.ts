import { defineMessage } from '../engine/messageDescriptor.ts';
import type { PortableChat } from '../engine/portableChat.ts';
import type { UIMessagePart } from '../engine/uiMessage.ts';
import { ChatBuilder, titleOf } from './chatBuilder.ts';
import type { ImportReport } from './importReport.ts';
import { inTreeOrder } from './treeOrder.ts';

/** A message as programs store it that name the message before each one. */
export interface TreeMessage {
  readonly parentId: string | null;
  readonly role: 'user' | 'assistant';
  /** Without any it is left out, and those after it follow the one before it. */
  readonly parts: readonly UIMessagePart[];
  /** Milliseconds since 1970; undefined, or not finite: the file does not say. */
  readonly createdAt?: number | undefined;
  readonly model?: string | undefined;
}

export interface TreeFacts {
  /** Without one, the first question is the title. */
  readonly title: string | undefined;
  /** The last message of the branch that is shown; undefined: the file does not say. */
  readonly currentId: string | undefined;
  readonly now: number;
  /** When the first messages were said that have no times; default: now. */
  readonly startedAt?: number | undefined;
}

/** @param messages by their ids, in the order in which they were said */
export function chatOfMessages(
  messages: ReadonlyMap<string, TreeMessage>,
  { title, currentId, now, startedAt }: TreeFacts,
  report: ImportReport,
): PortableChat {
  const builder = new ChatBuilder(now);
  const { placed, orphans } = inTreeOrder(messages, ({ parentId }) => parentId);
  report.add(defineMessage('Messages whose predecessor is missing, kept as first messages'), orphans);
  /** For each message the one it became, or the one it follows. */
  const messageOf = new Map<string, { readonly id: string | null; readonly at: number | undefined }>();
  let firstQuestion: string | undefined;
  let unknownTimes = 0;
  let newest: { readonly id: string; readonly at: number; readonly order: number } | undefined;
  const orderOf = new Map([...messages.keys()].map((id, order) => [id, order]));
  for (const { id, parentId, record } of placed) {
    const above = parentId === null ? undefined : messageOf.get(parentId);
    const { role, parts, model, createdAt } = record;
    const isKnown = createdAt !== undefined && Number.isFinite(createdAt);
    const at = isKnown ? createdAt : (above?.at ?? startedAt);
    if (parts.length === 0) {
      messageOf.set(id, { id: above?.id ?? null, at });
      continue;
    }
    if (!isKnown) unknownTimes += 1;
    if (role === 'user') firstQuestion ??= titleIn(parts);
    const added = { key: id, parentId: above?.id ?? null, role, parts, createdAt: at ?? now, model } as const;
    const kept = { id: builder.add(added), at: at ?? 0, order: orderOf.get(id) ?? 0 };
    messageOf.set(id, { id: kept.id, at });
    if (!newest || kept.at > newest.at || (kept.at === newest.at && kept.order > newest.order)) newest = kept;
  }
  report.add(defineMessage('Times of messages, which are not in the file'), unknownTimes);
  const known = currentId === undefined ? undefined : messageOf.get(currentId);
  const current = known?.id ?? newest?.id ?? null;
  const chat = builder.build(
    title === undefined || title.trim() === '' ? firstQuestion : title,
    current,
    now,
  );
  if (known === undefined && chat.branches.length > 1)
    report.add(defineMessage('Which branch was shown last, which is not in the file: the newest is'));
  return chat;
}

function titleIn(parts: readonly UIMessagePart[]): string | undefined {
  const first = parts.find(({ type }) => type === 'text');
  return first && 'text' in first && typeof first.text === 'string' ? titleOf(first.text) : undefined;
}
