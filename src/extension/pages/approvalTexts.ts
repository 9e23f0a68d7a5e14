import * as vscode from 'vscode';
import type { PendingApproval, CommandPreview, PagePreview } from '../../agent/tools/approvals.ts';
import { hiddenCharacters } from '../../base/hiddenCharacters.ts';
import { translated } from '../ui/failures.ts';
import { shownName } from '../ui/shownName.ts';

const MAX_NAMED = 5;

/** What the user must know in addition to the question: none of it is visible in the change or the input. */
export function approvalNotes(
  { preview, hasChanged, command, page, branch, hook }: PendingApproval,
  input: unknown,
): string[] {
  const hidden = preview
    ? newHidden(preview.before ?? '', preview.after ?? '')
    : hiddenIn(JSON.stringify(input ?? {}));
  return [
    ...(branch === undefined
      ? []
      : [vscode.l10n.t('In the own files of branch “{0}”.', shownName(branch, NAME_LENGTH))]),
    ...(hook ? [shownName(translated(hook), NAME_LENGTH)] : []),
    ...(hasChanged ? [vscode.l10n.t('This tool has changed since you allowed it.')] : []),
    ...(preview?.isUnsaved === true
      ? [vscode.l10n.t('What you have not saved of it is saved with the edit.')]
      : []),
    ...(preview?.comesBackAsAnother === true
      ? [
          vscode.l10n.t(
            'A rewind brings back what it holds, as a new file of yours: without its owner, its other names and its attributes.',
          ),
        ]
      : []),
    ...unwatchedNotes(command),
    ...(page?.from === undefined
      ? []
      : [vscode.l10n.t('{0} redirects there.', shownName(page.from, NAME_LENGTH))]),
    ...(hidden.size > 0 ? [vscode.l10n.t('Contains hidden characters ({0}).', listOf(hidden))] : []),
  ];
}

/** What a rewind would not restore of what a command changes. */
function unwatchedNotes({ unwatched = [] }: Partial<CommandPreview> = {}): string[] {
  if (unwatched === 'everything') {
    return [vscode.l10n.t('There are too many files here: a rewind restores nothing of what it changes.')];
  }
  if (unwatched.length === 0) return [];
  const names = unwatched.slice(0, MAX_NAMED).map((name) => shownName(name, NAME_LENGTH));
  const list = names.join(vscode.l10n.t(', '));
  const more = unwatched.length - names.length;
  return [
    more === 0
      ? vscode.l10n.t('A rewind does not restore what it changes in {0}.', list)
      : vscode.l10n.t('A rewind does not restore what it changes in {0} and {1} more places.', list, more),
  ];
}

/** The count of each hidden character that occurs more often than before. */
function newHidden(before: string, after: string): Map<string, number> {
  const old = hiddenIn(before);
  const more = [...hiddenIn(after)].map(([char, count]) => [char, count - (old.get(char) ?? 0)] as const);
  return new Map(more.filter(([, count]) => count > 0));
}

function hiddenIn(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [char] of text.matchAll(hiddenCharacters)) counts.set(char, (counts.get(char) ?? 0) + 1);
  return counts;
}

/** As in `U+202E ×2, U+200B`. */
function listOf(hidden: ReadonlyMap<string, number>): string {
  const named = [...hidden].slice(0, MAX_NAMED).map(([char, count]) => {
    const number = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `U+${number}${count > 1 ? ` ×${count}` : ''}`;
  });
  return [...named, ...(hidden.size > MAX_NAMED ? ['…'] : [])].join(', ');
}

/** Why the user is asked about a command although a similar one may have been allowed. */
export function commandReason({
  eachTime,
  haveScriptsChanged,
  leavesSandbox,
}: CommandPreview): string | undefined {
  if (leavesSandbox === true) return vscode.l10n.t('Leaves the sandbox.');
  if (haveScriptsChanged === true) {
    return vscode.l10n.t('Its scripts were edited.');
  }
  switch (eachTime) {
    case undefined:
      return undefined;
    case 'not-plain':
      return vscode.l10n.t('Can run any program.');
    case 'runs-others':
      return vscode.l10n.t('Runs other programs.');
    case 'runs-download':
      return vscode.l10n.t('Runs a downloaded script.');
    case 'fetched-and-piped':
      return vscode.l10n.t('Passes on a download.');
    case 'writes-protected':
      return vscode.l10n.t('May write protected files.');
    case 'reads-secret':
      return vscode.l10n.t('May read secret files.');
    case 'other-shell':
      return vscode.l10n.t('Shell can’t be checked.');
  }
}

const NAME_LENGTH = 300;

export function pageReason({ isReadable, isLong, isForCommand }: PagePreview): string | undefined {
  if (isForCommand === true) return vscode.l10n.t('Can send anything there.');
  if (isLong) return vscode.l10n.t('Address could leak data.');
  return isReadable ? vscode.l10n.t('Connection is not encrypted.') : undefined;
}
