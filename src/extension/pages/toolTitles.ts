import * as vscode from 'vscode';
import { z } from 'zod';
import type { OwnToolName } from '../../agent/tools/ownTools.ts';
import type { ReadingKind, ReadingView } from '../../protocol/views.ts';
import { shownName } from '../ui/shownName.ts';

/** The input members of our tools that name a call, as far as the model has written them. */
const named = z
  .object({
    goal: z.string(),
    path: z.string(),
    from: z.string(),
    to: z.string(),
    pattern: z.string(),
    query: z.string(),
    key: z.string(),
    name: z.string(),
    file: z.string(),
    command: z.string(),
    url: z.string(),
    id: z.string(),
    tasks: z.array(z.looseObject({ title: z.string() })),
    fact: z.string(),
    forget: z.boolean(),
    questions: z.array(z.looseObject({ question: z.string() })),
    stop: z.boolean(),
    startLine: z.number(),
    endLine: z.number(),
  })
  .partial()
  .catch({});
type NamedInput = z.infer<typeof named>;

const TITLE_LENGTH = 120;
const PATH_LENGTH = 300;

interface ToolLook {
  readonly icon: string;
  readonly title: (input: NamedInput) => string;
  /** What it looks at, if it changes nothing: several such calls are summarized in one line. */
  readonly reads?: ReadingKind;
}

const state = {
  icon: 'database',
  title: ({ key = '' }: NamedInput) => vscode.l10n.t('State {0}', key),
};
const artifact = {
  icon: 'archive',
  title: ({ name = '' }: NamedInput) => vscode.l10n.t('Artifact {0}', name),
};

/** Tools of earlier versions, whose calls are in stored conversations. */
type PastToolName =
  | 'create_file'
  | 'get_state'
  | 'set_state'
  | 'delete_state'
  | 'list_artifacts'
  | 'load_artifact'
  | 'save_artifact';

const looks: Readonly<Record<OwnToolName | PastToolName, ToolLook>> = {
  checkpoint: { icon: 'bookmark', title: ({ goal = '' }) => vscode.l10n.t('Checkpoint: {0}', goal) },
  rewind: { icon: 'discard', title: () => vscode.l10n.t('Rewind with a report') },
  explore: { icon: 'telescope', title: exploreTitle },
  read_file: {
    icon: 'file',
    title: (input) => vscode.l10n.t('Read {0}', `${input.path ?? ''}${linesOf(input)}`),
    reads: 'file',
  },
  read_skill: {
    icon: 'lightbulb',
    title: ({ name = '', file }) =>
      file === undefined ? vscode.l10n.t('Skill {0}', name) : vscode.l10n.t('Read {0}', `${name}/${file}`),
  },
  create_file: { icon: 'new-file', title: ({ path = '' }) => vscode.l10n.t('Create {0}', path) },
  write_file: { icon: 'new-file', title: ({ path = '' }) => vscode.l10n.t('Write {0}', path) },
  edit_file: { icon: 'edit', title: ({ path = '' }) => vscode.l10n.t('Edit {0}', path) },
  delete_file: { icon: 'trash', title: ({ path = '' }) => vscode.l10n.t('Delete {0}', path) },
  rename_file: {
    icon: 'arrow-right',
    title: ({ from = '', to = '' }) => vscode.l10n.t('Rename {0} to {1}', from, to),
  },
  create_folder: { icon: 'new-folder', title: ({ path = '' }) => vscode.l10n.t('Create folder {0}', path) },
  run_command: { icon: 'terminal', title: ({ command = '' }) => vscode.l10n.t('Run {0}', command) },
  read_command: {
    icon: 'terminal',
    title: ({ id = '', stop = false }) =>
      stop ? vscode.l10n.t('Stop command {0}', id) : vscode.l10n.t('Read command {0}', id),
  },
  fetch_page: {
    icon: 'globe',
    title: ({ url = '' }) => vscode.l10n.t('Fetch {0}', url.replace(/^\s*https:\/\//iu, '')),
  },
  list_files: {
    icon: 'list-tree',
    title: ({ path = '' }) => vscode.l10n.t('List {0}', path === '' ? '.' : path),
    reads: 'folder',
  },
  find_files: {
    icon: 'search',
    title: ({ pattern = '' }) => vscode.l10n.t('Find files {0}', pattern),
    reads: 'search',
  },
  search_files: {
    icon: 'search',
    title: ({ query = '' }) => vscode.l10n.t('Search for “{0}”', query),
    reads: 'search',
  },
  get_diagnostics: {
    icon: 'warning',
    title: ({ path = '' }) => vscode.l10n.t('Problems {0}', path),
    reads: 'problems',
  },
  find_symbols: {
    icon: 'symbol-class',
    title: ({ path = '', query = path }) => vscode.l10n.t('Symbols {0}', query),
    reads: 'search',
  },
  ask_user: { icon: 'comment-discussion', title: askTitle },
  write_todos: { icon: 'checklist', title: () => vscode.l10n.t('Update todos') },
  read_notes: {
    icon: 'note',
    title: ({ name = '' }) =>
      name === '' ? vscode.l10n.t('List notes') : vscode.l10n.t('Read note {0}', name),
    reads: 'notes',
  },
  recall: {
    icon: 'search',
    title: ({ query = '' }) => vscode.l10n.t('Recall “{0}”', query),
    reads: 'search',
  },
  remember: {
    icon: 'bookmark',
    title: ({ fact = '', forget = false }) =>
      forget ? vscode.l10n.t('Forget: {0}', fact) : vscode.l10n.t('Remember: {0}', fact),
  },
  write_note: { icon: 'note', title: ({ name = '' }) => vscode.l10n.t('Write note {0}', name) },
  get_state: { ...state, reads: 'notes' },
  set_state: state,
  delete_state: state,
  list_artifacts: { icon: 'archive', title: () => vscode.l10n.t('List artifacts'), reads: 'notes' },
  load_artifact: { ...artifact, reads: 'notes' },
  save_artifact: artifact,
};

function lookOf(tool: string): ToolLook | undefined {
  return Object.hasOwn(looks, tool) ? looks[tool as keyof typeof looks] : undefined;
}

/** What a read-only call of our tools looks at. */
export function readingOf(tool: string, input: unknown): ReadingView | undefined {
  const kind = lookOf(tool)?.reads;
  if (kind === undefined) return undefined;
  return { kind, of: (named.parse(input ?? {}).path ?? '').slice(0, PATH_LENGTH).toWellFormed() };
}

/** The model chose the names in it: none may look like another one. */
export function describeCall(tool: string, input: unknown): { title: string; icon: string } {
  const look = lookOf(tool);
  const { title, icon } = look
    ? { ...look, title: look.title(named.parse(input ?? {})) }
    : describeForeignCall(tool, input);
  return { title: shownName(title, TITLE_LENGTH), icon };
}

function exploreTitle({ tasks = [] }: NamedInput): string {
  const [first, ...others] = tasks;
  if (first && others.length === 0) return vscode.l10n.t('Explore: {0}', first.title);
  return first ? vscode.l10n.t('Explore {0} tasks', tasks.length) : vscode.l10n.t('Explore');
}

function askTitle({ questions = [] }: NamedInput): string {
  const [first, ...others] = questions;
  if (first && others.length === 0) return vscode.l10n.t('Ask: {0}', first.question);
  return first ? vscode.l10n.t('Ask {0} questions', questions.length) : vscode.l10n.t('Ask the user');
}

function linesOf({ startLine, endLine }: NamedInput): string {
  if (startLine === undefined && endLine === undefined) return '';
  return `:${startLine ?? 1}–${endLine ?? ''}`;
}

/** What calls of other programs' tools are about, by their input members: the first that is present names the call. */
const members: readonly (readonly [name: string, icon: string])[] = [
  ['file_path', 'file'],
  ['filePath', 'file'],
  ['path', 'file'],
  ['command', 'terminal'],
  ['cmd', 'terminal'],
  ['pattern', 'search'],
  ['query', 'search'],
  ['url', 'globe'],
  ['description', 'tools'],
  ['name', 'tools'],
  ['input', 'tools'],
  ['code', 'tools'],
  ['prompt', 'tools'],
];

const record = z.record(z.string(), z.unknown());
const text = z.union([z.string(), z.array(z.string()).transform((words) => words.join(' '))]);

/** The text of a patch contains the file it is for. */
const patched = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/mu;

/** With many calls, the name of a foreign tool alone would be too little. */
function describeForeignCall(tool: string, input: unknown): { title: string; icon: string } {
  const given = record.safeParse(input).data ?? {};
  for (const [name, icon] of members) {
    const said = text.safeParse(given[name]).data;
    const about = said === undefined ? undefined : (patched.exec(said)?.[1] ?? firstLine(said));
    if (about !== undefined) return { title: `${tool}: ${about}`, icon };
  }
  return { title: tool, icon: 'tools' };
}

/** The first line with content; code may be fenced. */
function firstLine(said: string): string | undefined {
  return said
    .split('\n', 5)
    .map((line) => line.trim())
    .find((line) => line !== '' && !line.startsWith('```'));
}
