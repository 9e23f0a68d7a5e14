import { useState } from 'preact/hooks';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import {
  HELP,
  slashCommand,
  takesArgument,
  readSlashText,
  type PromptView,
  type SlashCommand,
} from '../../protocol/slashCommands.ts';
import { usePage } from '../components/pageContext.ts';
import { reasonOf } from '../host.ts';
import { t } from '../state/texts.ts';
import type { Choosing, CompletionRow, CompletionSource } from './completion.tsx';

/** A word at the beginning of the text, up to the caret. */
const word = /^\/([\p{L}\p{N}_.-]*)$/u;

export interface SlashEntry {
  readonly name: string;
  readonly kind: 'command' | 'prompt';
  readonly icon: string;
  readonly description: string;
  readonly title?: string;
  readonly hint?: string | undefined;
  readonly needsInput: boolean;
}

/** @param write puts a name into the input, so that more can be typed */
export function useSlashList(run: (name: string) => void, write: (text: string) => void): CompletionSource {
  const page = usePage();
  const [query, setQuery] = useState<string>();
  const [prompts, setPrompts] = useState<readonly PromptView[]>([]);
  const entries = query === undefined ? [] : matching([...commands(), ...prompts.map(promptEntry)], query);
  const close = (): void => setQuery(undefined);
  return {
    label: t('Commands and prompts'),
    rows: entries.map(rowOf),
    close,
    choose: ({ key }, how) => {
      const entry = entries.find((each) => keyOf(each) === key);
      if (!entry) return;
      close();
      if (isToBeTyped(entry, how)) write(`/${entry.name} `);
      else run(entry.name);
    },
    typed: (text, caret) => {
      const typed = caret > 100 ? undefined : word.exec(text.slice(0, caret))?.[1];
      // In the middle of a word there is nothing to complete.
      if (typed === undefined || /^\S/u.test(text.slice(caret))) {
        close();
        return;
      }
      // Requested once for each word, because files may change.
      if (query === undefined) {
        page.host.sendRequest({ type: 'listPrompts' }).then(
          (listed) => setPrompts(listed.prompts),
          (error: unknown) => page.fail(reasonOf(error)),
        );
      }
      setQuery(typed);
    },
  };
}

function isToBeTyped({ needsInput, hint }: SlashEntry, how: Choosing): boolean {
  return needsInput || (how === 'complete' && hint !== undefined);
}

function matching(entries: readonly SlashEntry[], typed: string): SlashEntry[] {
  const wanted = typed.toLowerCase();
  const nameOf = (entry: SlashEntry): string => entry.name.toLowerCase();
  const begin = entries.filter((entry) => nameOf(entry).startsWith(wanted));
  return [...begin, ...entries.filter((entry) => nameOf(entry).includes(wanted) && !begin.includes(entry))];
}

function keyOf({ kind, name }: SlashEntry): string {
  return `${kind} ${name}`;
}

function rowOf(entry: SlashEntry): CompletionRow {
  const { name, hint, icon, description, title } = entry;
  return {
    key: keyOf(entry),
    icon,
    name: `/${name}`,
    hint: hint === undefined ? undefined : withHiddenSpelledOut(hint),
    detail: withHiddenSpelledOut(description),
    title: title ?? description,
  };
}

function commands(): SlashEntry[] {
  const names: readonly (SlashCommand | typeof HELP)[] = [...slashCommand.options, HELP];
  return names.map((name) => {
    const hint = name !== HELP && takesArgument(name) ? argumentText(name) : undefined;
    return {
      name,
      kind: 'command',
      icon: icons[name],
      needsInput: false,
      description: describe(name),
      ...(hint === undefined ? {} : { hint }),
    };
  });
}

function promptEntry({ name, description, hint, path, takesInput, problem }: PromptView): SlashEntry {
  return {
    name,
    kind: 'prompt',
    icon: problem === undefined ? 'symbol-snippet' : 'warning',
    description: problem ?? description ?? path,
    title: withHiddenSpelledOut(
      [problem ?? description, path].filter((each) => each !== undefined).join('\n'),
    ),
    hint: hint ?? (takesInput ? t('[input]') : undefined),
    needsInput: takesInput && problem === undefined,
  };
}

const icons: Readonly<Record<SlashCommand | typeof HELP, string>> = {
  btw: 'comment-discussion',
  checkpoint: 'bookmark',
  compact: 'fold',
  context: 'list-tree',
  export: 'export',
  help: 'question',
  mode: 'shield',
  model: 'sparkle',
  new: 'add',
  prompt: 'new-file',
  race: 'run-all',
  remember: 'bookmark',
  rewind: 'history',
  search: 'search',
  tools: 'tools',
  undo: 'discard',
};

function argumentText(name: SlashCommand): string {
  if (name === 'checkpoint') return t('[name]');
  return name === 'remember' ? t('[fact]') : t('[question]');
}

function describe(name: SlashCommand | typeof HELP): string {
  switch (name) {
    case 'btw':
      return t('Ask a side question');
    case 'checkpoint':
      return t('Set a checkpoint here');
    case 'compact':
      return t('Summarize what came before');
    case 'context':
      return t('Show what the model gets');
    case 'export':
      return t('Export this chat');
    case 'help':
      return t('List the commands');
    case 'mode':
      return t('Select what the model may do');
    case 'model':
      return t('Select a model');
    case 'new':
      return t('Start a new chat');
    case 'prompt':
      return t('Create a prompt file');
    case 'race':
      return t('Have several branches answer, each in its own files');
    case 'remember':
      return t('Keep a fact for later chats');
    case 'rewind':
      return t('Go back to a question');
    case 'search':
      return t('Search all chats');
    case 'tools':
      return t('Select tools');
    case 'undo':
      return t('Undo the last step');
  }
}

export type SlashAction =
  | { readonly kind: 'command'; readonly run: { readonly command: SlashCommand; readonly argument?: string } }
  /** The list of the commands. */
  | { readonly kind: 'help' }
  /** The next question is a side question. */
  | { readonly kind: 'sideQuestion' };

/** Undefined for an ordinary question: with an unknown word, a path, or an argument that the command does not take. */
export function readSlashCommand(
  text: string,
): SlashAction | { readonly kind: 'ask'; readonly question: string } | undefined {
  const slashed = readSlashText(text);
  if (!slashed) return undefined;
  const { name, rest } = slashed;
  if (name === HELP && rest === '') return { kind: 'help' };
  const command = slashCommand.safeParse(name).data;
  if (command === undefined || (rest !== '' && !takesArgument(command))) return undefined;
  if (command === 'btw') return rest === '' ? { kind: 'sideQuestion' } : { kind: 'ask', question: rest };
  return { kind: 'command', run: { command, ...(rest === '' ? {} : { argument: rest }) } };
}
