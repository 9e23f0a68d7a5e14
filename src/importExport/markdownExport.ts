import { pagesOfTurns } from '../engine/fetchedPages.ts';
import { sideQuestionBranches } from '../engine/sideQuestionBranches.ts';
import type { PortableChat } from '../engine/portableChat.ts';
import { isUserTurn } from '../engine/pathSummary.ts';
import { isShown, messageAsMarkdown, oneLine, shownText, sourcesAsMarkdown } from './messageMarkdown.ts';

type Message = PortableChat['messages'][number];
type Branch = PortableChat['branches'][number];

/**
 * A readable chat: the whole active branch, then the separate part of each other branch.
 * @param labelOf the label of a branch; default: its name
 */
export function chatAsMarkdown(
  chat: PortableChat,
  labelOf: (branch: string) => string = (branch) => branch,
): string {
  const byId = new Map(chat.messages.map((message) => [message.id, message]));
  const marks = new Map<string, string[]>();
  for (const { name, messageId } of chat.checkpoints) {
    marks.set(messageId, [...(marks.get(messageId) ?? []), name]);
  }
  const written = new Set<string>();
  const sideQuestions = sideQuestionBranches(chat.events);
  const ordered = chat.branches.toSorted((a, b) => Number(b.isActive) - Number(a.isActive));
  const sections = ordered.flatMap((branch) => {
    const own = ownPath(byId, branch, written);
    const pages = pagesOfTurns(own.map((message) => ({ ...message, isUserTurn: isUserTurn(message) })));
    const texts = own
      .filter((message) => isShown(message) || marks.has(message.id))
      .flatMap((message) => [
        messageAsMarkdown(message, marks.get(message.id) ?? [], labelOf),
        ...sourcesAsMarkdown(pages.get(message.id) ?? []),
      ]);
    const kind = sideQuestions.has(branch.name) ? 'By the way:' : 'Branch';
    const heading = `## ${kind} ${oneLine(labelOf(branch.name))}`;
    return own.length > 0 || branch.isActive ? [[heading, ...wayHere(byId, own), ...texts].join('\n\n')] : [];
  });
  return `${[`# ${oneLine(chat.title ?? 'Chat')}`, ...sections].join('\n\n')}\n`;
}

/** The part of a branch's path that has not been written yet. */
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

/** The message a branch starts after, unless it starts the chat. */
function wayHere(byId: ReadonlyMap<string, Message>, own: readonly Message[]): string[] {
  const parentId = own[0]?.parentId ?? null;
  const parent = parentId === null ? undefined : byId.get(parentId);
  return parent ? [`After “${oneLine(shownText(parent)).slice(0, 80).toWellFormed()}”`] : [];
}
