import * as vscode from 'vscode';
import { choose, notify } from '../ui/notifications.ts';
import { openPlain, plainUri } from '../ui/tabs.ts';
import { shownName } from '../ui/shownName.ts';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import type { WriteQuestion } from './answerAsked.ts';

/** A dialog has no space for more. */
const SHOWN_LINES = 12;
const SHOWN_LENGTH = 800;

/** A message that gets a name may be too long to read; written texts never are. */
const MOST_SHOWN = 1_000_000;

/** Shows everything that would be written. */
export async function askUser(
  { program, chatTitle, what }: WriteQuestion,
  signal: AbortSignal,
  texts: ShownTexts,
): Promise<boolean> {
  const question = questionText(shownName(program), what);
  const allow = vscode.l10n.t('Allow');
  const isMessage = what.kind === 'checkpoint';
  const show = isMessage ? vscode.l10n.t('Show Message') : vscode.l10n.t('Show Full Text');
  const text = withHiddenSpelledOut(what.text.slice(0, MOST_SHOWN));
  const start = startOf(text);
  const details = [
    [vscode.l10n.t('Chat: {0}', shownName(chatTitle)), ...whereText(what)],
    ...(start === '' ? [] : [start.split('\n').map((line) => `│ ${line}`)]),
  ];
  // The dialog opens unasked, and its first button has the focus: Enter, meant for something else, must allow nothing.
  let answer = await until(signal, choose(question, details, show, allow));
  if (answer === show) {
    await openPlain(
      texts.uriOf(text),
      isMessage ? vscode.l10n.t('Message') : vscode.l10n.t('From {0}', shownName(program)),
    );
    answer = await until(signal, notify.information(question, allow, vscode.l10n.t('Don’t Allow')));
  }
  return answer === allow;
}

function questionText(program: string, what: WriteQuestion['what']): string {
  switch (what.kind) {
    case 'checkpoint':
      return vscode.l10n.t('Allow “{0}” to create the checkpoint “{1}”?', program, shownName(what.name));
    case 'note':
      return vscode.l10n.t('Allow “{0}” to add this note?', program);
    case 'summary':
      return vscode.l10n.t('Allow “{0}” to merge this summary?', program);
  }
}

function whereText(what: WriteQuestion['what']): string[] {
  switch (what.kind) {
    case 'checkpoint':
      return [];
    case 'note':
      return [vscode.l10n.t('Branch: {0}', shownName(what.branch))];
    case 'summary':
      return [vscode.l10n.t('From {0} into {1}', shownName(what.from), shownName(what.into))];
  }
}

function startOf(text: string): string {
  const lines = text
    .slice(0, SHOWN_LENGTH + 1)
    .split('\n')
    .slice(0, SHOWN_LINES)
    .join('\n');
  return lines.length > SHOWN_LENGTH ? lines.slice(0, SHOWN_LENGTH).toWellFormed() : lines;
}

/**
 * The user's answer, unless the asking program stops waiting. A question cannot be removed from the screen: answering
 * one that has ended does nothing, and the user is notified.
 */
async function until(signal: AbortSignal, asked: Promise<string | undefined>): Promise<string | undefined> {
  const ended = Promise.withResolvers<never>();
  const end = (): void => {
    ended.reject(signal.reason as Error);
    void asked.then((answer) => {
      if (answer === undefined) return;
      void notify.information(vscode.l10n.t('That request has ended. Nothing was written.'));
    });
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([asked, ended.promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

const SCHEME = 'offshoot-asked';

const MAX_TEXTS = 20;

/** Plain text, with hidden characters spelled out. */
export class ShownTexts implements vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: ({ query }) => withHiddenSpelledOut(this.texts.get(query) ?? ''),
  });

  uriOf(text: string): vscode.Uri {
    const id = crypto.randomUUID();
    this.texts.set(id, text);
    for (const [oldest] of [...this.texts].slice(0, -MAX_TEXTS)) this.texts.delete(oldest);
    return plainUri(SCHEME, id);
  }

  dispose(): void {
    this.registration.dispose();
    this.texts.clear();
  }
}
