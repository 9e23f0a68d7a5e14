import * as vscode from 'vscode';
import { z } from 'zod';
import type { ReadingKind, ReadingView } from '../../protocol/workViews.ts';
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
    command: z.string(),
    url: z.string(),
    id: z.string(),
    tasks: z.array(z.looseObject({ title: z.string() })),
    stop: z.boolean(),
    startLine: z.number(),
    endLine: z.number(),
  })
  .partial()
  .catch({});

const TITLE_LENGTH = 120;
const PATH_LENGTH = 300;

/** What our read-only tools look at. */
const readings: Readonly<Partial<Record<string, ReadingKind>>> = {
  read_file: 'file',
  list_files: 'folder',
  find_files: 'search',
  search_files: 'search',
  find_symbols: 'search',
  get_diagnostics: 'problems',
  get_state: 'notes',
  list_artifacts: 'notes',
  load_artifact: 'notes',
};

/** What a read-only call of our tools looks at: several of them are summarized in one line. */
export function readingOf(tool: string, input: unknown): ReadingView | undefined {
  const kind = Object.hasOwn(readings, tool) ? readings[tool] : undefined;
  if (kind === undefined) return undefined;
  return { kind, of: (named.parse(input ?? {}).path ?? '').slice(0, PATH_LENGTH).toWellFormed() };
}

/** What a call does, in a few words, and its icon. The model chose the names in it: none may look like another one. */
export function describeCall(tool: string, input: unknown): { title: string; icon: string } {
  const { title, icon } = describe(tool, named.parse(input ?? {})) ?? describeForeignCall(tool, input);
  return { title: shownName(title, TITLE_LENGTH), icon };
}

function describe(tool: string, input: z.infer<typeof named>): { title: string; icon: string } | undefined {
  const l10n = vscode.l10n;
  const path = input.path ?? '';
  switch (tool) {
    case 'checkpoint':
      return { title: l10n.t('Checkpoint: {0}', input.goal ?? ''), icon: 'bookmark' };
    case 'rewind':
      return { title: l10n.t('Rewind with a report'), icon: 'discard' };
    case 'explore':
      return { title: exploreTitle(input), icon: 'telescope' };
    case 'read_file':
      return { title: l10n.t('Read {0}', `${path}${linesOf(input)}`), icon: 'file' };
    case 'create_file':
      return { title: l10n.t('Create {0}', path), icon: 'new-file' };
    case 'edit_file':
      return { title: l10n.t('Edit {0}', path), icon: 'edit' };
    case 'delete_file':
      return { title: l10n.t('Delete {0}', path), icon: 'trash' };
    case 'rename_file':
      return { title: l10n.t('Rename {0} to {1}', input.from ?? '', input.to ?? ''), icon: 'arrow-right' };
    case 'create_folder':
      return { title: l10n.t('Create folder {0}', path), icon: 'new-folder' };
    case 'run_command':
      return { title: l10n.t('Run {0}', input.command ?? ''), icon: 'terminal' };
    case 'read_command':
      return {
        title:
          input.stop === true
            ? l10n.t('Stop command {0}', input.id ?? '')
            : l10n.t('Read command {0}', input.id ?? ''),
        icon: 'terminal',
      };
    case 'fetch_page':
      return { title: l10n.t('Fetch {0}', (input.url ?? '').replace(/^\s*https:\/\//iu, '')), icon: 'globe' };
    case 'list_files':
      return { title: l10n.t('List {0}', path === '' ? '.' : path), icon: 'list-tree' };
    case 'find_files':
      return { title: l10n.t('Find files {0}', input.pattern ?? ''), icon: 'search' };
    case 'search_files':
      return { title: l10n.t('Search for “{0}”', input.query ?? ''), icon: 'search' };
    case 'get_diagnostics':
      return { title: l10n.t('Problems {0}', path), icon: 'warning' };
    case 'find_symbols':
      return { title: l10n.t('Symbols {0}', input.query ?? path), icon: 'symbol-class' };
    case 'write_todos':
      return { title: l10n.t('Update todos'), icon: 'checklist' };
    case 'get_state':
    case 'set_state':
    case 'delete_state':
      return { title: l10n.t('State {0}', input.key ?? ''), icon: 'database' };
    case 'list_artifacts':
      return { title: l10n.t('List artifacts'), icon: 'archive' };
    case 'load_artifact':
    case 'save_artifact':
      return { title: l10n.t('Artifact {0}', input.name ?? ''), icon: 'archive' };
    default:
      return undefined;
  }
}

function exploreTitle({ tasks = [] }: z.infer<typeof named>): string {
  const [first, ...others] = tasks;
  if (first && others.length === 0) return vscode.l10n.t('Explore: {0}', first.title);
  return first ? vscode.l10n.t('Explore {0} tasks', tasks.length) : vscode.l10n.t('Explore');
}

function linesOf({ startLine, endLine }: z.infer<typeof named>): string {
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

/**
 * Describes a call of a tool that is not ours: with many calls, its name alone would be too little.
 * @returns its name with what it is about, as far as that is known
 */
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
