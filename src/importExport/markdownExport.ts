import {
  readUIMessage,
  stripReminders,
  type UIMessagePart,
  isTextPart,
  isReasoningPart,
  isToolPart,
  toolNameOf,
} from '../engine/uiMessage.ts';
import type { PortableChat } from '../engine/portableChat.ts';
import { inertMarkdown } from './inertMarkdown.ts';

type Message = PortableChat['messages'][number];
type ExportedMessage = Pick<Message, 'name' | 'type' | 'data'>;
type Branch = PortableChat['branches'][number];

/** A chat to read: the active branch whole, then of each other branch what it has of its own. */
export function chatAsMarkdown(chat: PortableChat): string {
  const byId = new Map(chat.messages.map((message) => [message.id, message]));
  const marks = new Map<string, string[]>();
  for (const { name, messageId } of chat.checkpoints) {
    marks.set(messageId, [...(marks.get(messageId) ?? []), name]);
  }
  const written = new Set<string>();
  const ordered = chat.branches.toSorted((a, b) => Number(b.isActive) - Number(a.isActive));
  const sections = ordered.flatMap((branch) => {
    const own = ownPath(byId, branch, written);
    const said = own.map((message) => messageAsMarkdown(message, marks.get(message.id) ?? []));
    return own.length > 0 || branch.isActive
      ? [[branchHeading(byId, branch, own), ...said].join('\n\n')]
      : [];
  });
  return `${[`# ${plain(chat.title ?? 'Chat')}`, ...sections].join('\n\n')}\n`;
}

/** The end of a branch's path that has not been written yet. */
function ownPath(
  byId: ReadonlyMap<string, Message>,
  { headMessageId }: Branch,
  written: Set<string>,
): Message[] {
  const path: Message[] = [];
  let at = headMessageId === null ? undefined : byId.get(headMessageId);
  while (at && !written.has(at.id)) {
    written.add(at.id);
    path.push(at);
    at = at.parentId === null ? undefined : byId.get(at.parentId);
  }
  return path.reverse();
}

function branchHeading(byId: ReadonlyMap<string, Message>, branch: Branch, own: readonly Message[]): string {
  const parentId = own[0]?.parentId ?? null;
  const parent = parentId === null ? undefined : byId.get(parentId);
  const from = parent ? `\n\nAfter “${plain(textOf(parent)).slice(0, 80).toWellFormed()}”` : '';
  return `## Branch ${plain(branch.name)}${from}`;
}

/** One message under a heading that says whose it is. */
export function messageAsMarkdown(message: ExportedMessage, checkpoints: readonly string[] = []): string {
  const read = message.type === 'internal' ? undefined : readUIMessage(message.data);
  const who = message.name === 'user' ? 'You' : message.name === 'assistant' ? 'Assistant' : message.name;
  const parts = read ? stripReminders(read).parts.flatMap(partAsMarkdown) : [inertMarkdown(textOf(message))];
  const marks = checkpoints.map((name) => `> Checkpoint: ${plain(name)}`);
  return [`### ${plain(who)}`, ...parts.filter((part) => part !== ''), ...marks].join('\n\n');
}

function partAsMarkdown(part: UIMessagePart): string[] {
  if (isTextPart(part)) return [inertMarkdown(part.text)];
  if (isReasoningPart(part)) {
    return [`<details><summary>Reasoning</summary>\n\n${inertMarkdown(part.text)}\n\n</details>`];
  }
  if (isToolPart(part)) return [`_Tool: ${plain(toolNameOf(part))}_`];
  return part.type === 'file' ? [`_File: ${plain(part.filename ?? part.mediaType)}_`] : [];
}

function textOf({ data }: ExportedMessage): string {
  if (typeof data === 'string') return data;
  const read = readUIMessage(data);
  return read
    ? read.parts
        .filter(isTextPart)
        .map(({ text }) => text)
        .join(' ')
    : '';
}

/** One line that means nothing to Markdown. */
function plain(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_{}[\]<>#|]/g, '\\$&');
}
