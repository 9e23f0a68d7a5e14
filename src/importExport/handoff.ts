import { branchSummaryOf } from '../engine/branchSummary.ts';
import { pathSummaryOf } from '../engine/pathSummary.ts';
import type { PortableChat } from '../engine/portableChat.ts';
import { isToolPart, readUIMessage, toolNameOf, type UIMessagePart } from '../engine/uiMessage.ts';
import { branchPath } from './branchPath.ts';
import { inertMarkdown } from './inertMarkdown.ts';
import { isShown, messageAsMarkdown, oneLine, shownText } from './messageMarkdown.ts';
import { patchedFiles } from './patchedFiles.ts';

type Message = PortableChat['messages'][number];

/** How much of the first question is repeated at the top, in UTF-16 units. */
const GOAL_LENGTH = 4_000;

const MAX_FILES = 100;

/** A longer one is none, in UTF-16 units. */
const MAX_PATH = 500;

export interface HandoffOptions {
  readonly branch: string;
  /** Default: its name. */
  readonly labelOf?: (branch: string) => string;
}

/** The goal of the branch, its decisions and touched files, then its messages, with tool calls as one line each. */
export function branchForAgent(
  chat: PortableChat,
  { branch, labelOf = (name) => name }: HandoffOptions,
): string {
  const path = branchPath(chat, branch);
  const marks = new Map<string, string[]>();
  for (const { name, messageId } of chat.checkpoints) {
    marks.set(messageId, [...(marks.get(messageId) ?? []), name]);
  }
  const spoken = path
    .filter((message) => isShown(message) || marks.has(message.id))
    .map((message) => messageAsMarkdown(withoutReasoning(message), marks.get(message.id) ?? [], labelOf))
    // Skip a heading without content.
    .filter((text) => text.includes('\n'));
  return `${[
    `# ${oneLine(chat.title ?? 'Chat')}`,
    'This is a conversation that was begun with another agent. Go on from where it ends. What tools returned is left out: ' +
      'read files again before you change them.',
    ...section('Goal', goalOf(path)),
    ...section('Decided and found out', findingsOf(path, marks, labelOf)),
    ...section('State', stateOf(path)),
    ...section('Files touched', filesOf(path)),
    ...section('Conversation', spoken),
  ].join('\n\n')}\n`;
}

function section(title: string, parts: readonly string[]): string[] {
  return parts.length === 0 ? [] : [`## ${title}`, ...parts];
}

function goalOf(path: readonly Message[]): string[] {
  const first = path.find((message) => message.name === 'user' && shownText(message).trim() !== '');
  if (!first) return [];
  const text = shownText(first).trim();
  const cut = text.length > GOAL_LENGTH ? `${text.slice(0, GOAL_LENGTH).toWellFormed()}…` : text;
  return [inertMarkdown(cut)];
}

/** Reports, summaries and checkpoints: what was marked as worth keeping. */
function findingsOf(
  path: readonly Message[],
  marks: ReadonlyMap<string, readonly string[]>,
  labelOf: (branch: string) => string,
): string[] {
  return path.flatMap((message) => {
    const read = readUIMessage(message.data);
    const isFinding = read && (branchSummaryOf(read) ?? pathSummaryOf(read)) !== undefined;
    const names = (marks.get(message.id) ?? []).map(
      (name) => `- Checkpoint “${oneLine(name)}”: ${excerptOf(message)}`,
    );
    return [...(isFinding ? [messageAsMarkdown(message, [], labelOf)] : []), ...names];
  });
}

function excerptOf(message: Message): string {
  return oneLine(shownText(message)).slice(0, 200).toWellFormed();
}

/** The notes made along the path, in their final state. */
function stateOf(path: readonly Message[]): string[] {
  const state = new Map<string, unknown>();
  for (const { effects } of path) {
    for (const key of effects?.state?.deleted ?? []) state.delete(key);
    for (const [key, value] of Object.entries(effects?.state?.set ?? {})) state.set(key, value);
  }
  const lines = [...state].map(
    ([key, value]) =>
      `- ${oneLine(key)}: ${oneLine(typeof value === 'string' ? value : JSON.stringify(value))}`,
  );
  return lines.length === 0 ? [] : [lines.join('\n')];
}

/** Files that tools changed, and for imported calls the files that similarly named tools received. */
function filesOf(path: readonly Message[]): string[] {
  const changed = new Set(path.flatMap(({ effects }) => (effects?.files ?? []).map((file) => file.path)));
  const read = new Set<string>();
  for (const { data } of path) {
    for (const { file, isChange } of (readUIMessage(data)?.parts ?? []).flatMap(filesIn)) {
      (isChange ? changed : read).add(file);
    }
  }
  const rows = [
    ...[...changed].map((file) => `- ${oneLine(file)} (changed)`),
    ...[...read].filter((file) => !changed.has(file)).map((file) => `- ${oneLine(file)}`),
  ];
  const more = rows.length - MAX_FILES;
  const lines = [...rows.slice(0, MAX_FILES), ...(more > 0 ? [`- and ${more} more`] : [])];
  return lines.length === 0 ? [] : [lines.join('\n')];
}

interface NamedFile {
  readonly file: string;
  readonly isChange: boolean;
}

function filesIn(part: UIMessagePart): NamedFile[] {
  if (!isToolPart(part) || part.state !== 'output-available') return [];
  const { input } = part;
  if (typeof input !== 'object' || input === null) return [];
  const { path, file_path, filePath } = input as Readonly<Record<string, unknown>>;
  const named = [path, file_path, filePath].find((each) => typeof each === 'string');
  const isChange = /write|edit|patch|create|replace|insert|delete/iu.test(toolNameOf(part));
  return [
    ...(typeof named === 'string' ? [{ file: named, isChange }] : []),
    ...patchedFiles(input).map((file) => ({ file, isChange: true })),
  ].filter(({ file }) => file !== '' && file.length <= MAX_PATH);
}

function withoutReasoning(message: Message): Message {
  const read = readUIMessage(message.data);
  if (!read?.parts.some(({ type }) => type === 'reasoning')) return message;
  const data = { ...read, parts: read.parts.filter(({ type }) => type !== 'reasoning') };
  // The input was JSON, and parts were only removed.
  return { ...message, data: data as unknown as Message['data'] };
}
