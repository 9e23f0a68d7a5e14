import { attachedFileOf } from '../../agent/attachments/attachedFile.ts';
import type { MessageData } from '../../engine/graph.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { readUIMessage, textOf } from '../../engine/uiMessage.ts';
import { importedEdits, importedLines, messagesNaming } from '../../lineOrigins/importedLines.ts';
import type { FileOrigins } from '../../lineOrigins/lineOrigins.ts';
import { doOverlap, isSameFile, linesNamedIn, type LinePlace } from '../../lineOrigins/linePlaces.ts';
import { readStepDetails, type Authors, type StepPlace } from '../../lineOrigins/stepDetails.ts';
import type { AboutLines, FoundMessage } from '../tree/chatSearch.ts';

/** How much of a text is shown before and after the place that names the lines, in UTF-16 units. */
const AROUND = 80;

/** A file whose lines are searched for. */
export interface SearchedFile {
  /** Undefined: it has no text that can be read. */
  readonly text: string | undefined;
  readonly origins: FileOrigins | undefined;
}

/**
 * All that was done and said about lines of a file: the steps that wrote them, on any branch; edits of imported chats;
 * questions with which they were attached; messages that name them. In this order, each the newest first.
 */
export async function messagesOnLines(
  store: ReadonlyStore,
  userId: string,
  place: LinePlace,
  { text, origins }: SearchedFile,
  authors?: Authors,
): Promise<FoundMessage[]> {
  const found = new Map<string, { message: MessageData; about: Set<AboutLines>; snippet: string }>();
  const add = (message: MessageData, about: AboutLines, snippet: string): void => {
    const key = JSON.stringify([message.chatId, message.id]);
    const known = found.get(key);
    if (known) known.about.add(about);
    else found.set(key, { message, about: new Set([about]), snippet });
  };
  const addStep = async (step: StepPlace, about: AboutLines): Promise<void> => {
    const [message, details] = await Promise.all([
      store.getMessage(step.chatId, step.messageId),
      readStepDetails(store, userId, step),
    ]);
    if (message && details)
      add(message, about, excerpt(details.question?.text ?? details.chatTitle ?? '', 0));
  };
  const edits = origins?.editsOf(place.first - 1, place.last - 1) ?? [];
  for (const edit of edits.toReversed()) await addStep(edit, 'wrote');
  const naming = await messagesNaming(store, userId, place.path);
  if (text !== undefined) {
    const lines = importedLines(await importedEdits(store, place.path, naming), text);
    const steps = new Set<StepPlace>();
    for (let line = place.first; line <= place.last; line++)
      for (const step of lines.get(line - 1) ?? []) steps.add(step);
    for (const step of [...steps].sort((a, b) => b.at - a.at)) await addStep(step, 'imported');
  }
  const newest = naming.toSorted((a, b) => b.createdAt - a.createdAt);
  const read = newest.flatMap((message) => {
    const { parts } = readUIMessage(message.data) ?? {};
    return parts ? [{ message, parts, said: textOf({ parts }) }] : [];
  });
  for (const { message, parts, said } of read) {
    const isAttached = parts.map(attachedFileOf).some((file) => file && isWithin(file, place));
    if (isAttached) add(message, 'attached', excerpt(said, 0));
  }
  for (const { message, said } of read) {
    const named = linesNamedIn(said, place.path).find((lines) => doOverlap(lines, place));
    if (named) add(message, 'named', excerpt(said, named.at));
  }
  const all = Array.from(found.values(), ({ message, about, snippet }) => ({
    ...{ message, snippet, rank: 0 },
    about: [...about],
  }));
  return authors ? withAuthors(all, authors, userId) : all;
}

async function withAuthors(
  all: readonly FoundMessage[],
  authors: Authors,
  userId: string,
): Promise<FoundMessage[]> {
  const byChat = Map.groupBy(all, ({ message }) => message.chatId);
  const known = new Map<string, ReadonlyMap<string, string>>();
  for (const [chatId, inChat] of byChat) {
    const ids = inChat.map(({ message }) => message.id);
    known.set(chatId, await authors.authorsOf(chatId, ids));
  }
  return all.map((each) => {
    const author = known.get(each.message.chatId)?.get(each.message.id);
    return author === undefined || author === userId ? each : { ...each, author };
  });
}

/** A file that is attached as a whole says nothing about some of its lines. */
function isWithin(
  {
    path,
    startLine,
    endLine = startLine,
  }: {
    readonly path: string;
    readonly startLine?: number | undefined;
    readonly endLine?: number | undefined;
  },
  place: LinePlace,
): boolean {
  if (startLine === undefined || endLine === undefined) return false;
  return isSameFile(path, place.path) && doOverlap({ first: startLine, last: endLine }, place);
}

function excerpt(text: string, at: number): string {
  const from = at <= AROUND ? 0 : text.indexOf(' ', at - AROUND) + 1;
  const start = from > 0 && from <= at ? from : Math.max(0, at - AROUND);
  return `${start > 0 ? '…' : ''}${text.slice(start, at + AROUND * 2).toWellFormed()}`;
}
