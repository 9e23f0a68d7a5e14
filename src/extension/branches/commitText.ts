import { questionText } from '../../agent/context/plainText.ts';
import { changedFiles } from '../../agent/ledger/pathChanges.ts';
import { saidSentences } from '../../agent/ledger/saidSentences.ts';
import type { MessageData } from '../../engine/graph.ts';
import { readUIMessage, textOf } from '../../engine/uiMessage.ts';
import type { DecidedFile } from '../../files/decidedFiles.ts';
import { shownLocation } from '../files/openFolders.ts';
import { oneLine, shownName } from '../ui/shownName.ts';

/** How many questions and decisions a commit message lists, the last ones, and how much of each, in characters. */
const MOST_SAID = 20;
const SAID_LENGTH = 200;

const MOST_FILES = 50;
const PATH_LENGTH = 200;

/** What was asked and done on a path, a line each. */
export interface CommitSummary {
  readonly questions: readonly string[];
  readonly decisions: readonly string[];
  readonly files: readonly string[];
}

export interface CommitMessage extends CommitSummary {
  readonly subject: string;
  /** Leads to the conversation; undefined: it is not named. */
  readonly link: string | undefined;
}

/** @param decided what the user made of changed files */
export function commitSummary(path: readonly MessageData[], decided: readonly DecidedFile[]): CommitSummary {
  const changes = path.flatMap(({ effects }) => effects?.files ?? []);
  const files = changedFiles(changes, decided)
    .filter(({ undone }) => undone !== 'whole')
    .map(({ location, state }) => `${shownName(shownLocation(location), PATH_LENGTH)} (${state})`);
  const more = files.length - MOST_FILES;
  return {
    questions: questionsOf(path),
    decisions: decisionsOf(path),
    files: [...files.slice(0, MOST_FILES), ...(more > 0 ? [`and ${more} more`] : [])],
  };
}

/** What was asked; the last ones, if there are many. */
export function questionsOf(path: readonly MessageData[]): string[] {
  const texts = path.flatMap(({ name, data }) => {
    const message = name === 'user' ? readUIMessage(data) : undefined;
    return message ? [oneLine(questionText(message), SAID_LENGTH)] : [];
  });
  return texts.filter((text) => text !== '').slice(-MOST_SAID);
}

/** Those of answers that give a reason: the user's own stand in the questions. */
function decisionsOf(path: readonly MessageData[]): string[] {
  const texts = path.flatMap(({ name, data }) => {
    const message = name === 'assistant' ? readUIMessage(data) : undefined;
    const said = message ? saidSentences(textOf(message)) : [];
    return said.flatMap(({ kind, text }) => (kind === 'decision' ? [oneLine(text, SAID_LENGTH)] : []));
  });
  return texts.filter((text, index) => texts.lastIndexOf(text) === index).slice(-MOST_SAID);
}

/** In English, as the other texts are that are exported. A link becomes a trailer, as git reads them. */
export function commitText({ subject, questions, decisions, files, link }: CommitMessage): string {
  return [
    subject,
    ...section('Asked', questions),
    ...section('Decided', decisions),
    ...section('Files', files),
    ...(link === undefined ? [] : [`Offshoot-Chat: ${link}`]),
  ].join('\n\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [[`${title}:`, ...lines.map((line) => `- ${line}`)].join('\n')];
}
