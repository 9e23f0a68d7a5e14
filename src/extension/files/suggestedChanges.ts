import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { OffshootError } from '../../engine/errors.ts';
import type { GuardedFiles } from '../../host/guardedFiles.ts';
import { hasHiddenCharacters, withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import { trueName } from './trueName.ts';
import { openComparison, asText, plainUri } from '../ui/tabs.ts';
import type { PatchMessages } from './patch.ts';
import { findTarget, isWhereItWas, type ApplyTarget } from './applyTarget.ts';
import { notify } from '../ui/notifications.ts';

/** The scheme for the side of the comparison that shows the proposed file. */
export const SUGGESTED = 'offshoot-suggested';

export interface CodeOfAnswer {
  readonly code: string;
  readonly language: string;
  /** The file the answer names for it. */
  readonly file?: string | undefined;
}

interface Suggestion {
  readonly code: CodeOfAnswer;
  readonly target: ApplyTarget;
  readonly before: string;
  readonly after: string;
}

/** Shown in VS Code's diff editor; once the user confirms there, written as a workspace edit, which can be undone. */
export class SuggestedChanges implements vscode.TextDocumentContentProvider, Disposable {
  private readonly subscriptions = new DisposableStore();
  /** By the path and query of the proposed side. */
  private readonly suggestions = new Map<string, Suggestion>();
  private count = 0;

  constructor(private readonly files: GuardedFiles) {
    this.subscriptions.addAll(
      vscode.workspace.registerTextDocumentContentProvider(SUGGESTED, this),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        for (const tab of closed) this.suggestions.delete(suggestedIn(tab)?.toString() ?? '');
      }),
    );
  }

  /** Plain text, with hidden characters spelled out: what is reviewed must not look like something else. */
  provideTextDocumentContent(uri: vscode.Uri): string {
    const [count = '', side] = uri.query.split('&');
    const suggestion = this.suggestions.get(uriOf(count).toString());
    return withHiddenSpelledOut((side === 'before' ? suggestion?.before : suggestion?.after) ?? '');
  }

  /** @throws OffshootError when there is no file for it, or it cannot be changed */
  async show(code: CodeOfAnswer): Promise<void> {
    if (!vscode.workspace.isTrusted) throw untrusted();
    const { fileOfPatch, isPatch, patched } = await import('./applyCode.ts');
    const isChange = isPatch(code.code, code.language);
    const target = await findTarget(this.files, (isChange ? fileOfPatch(code.code) : undefined) ?? code.file);
    const before = target.document?.getText() ?? '';
    const after = isChange
      ? patched(before, code.code, patchMessages(target))
      : await placed(before, code, target);
    if (after === before) {
      void notify.information(vscode.l10n.t('{0} has this code already.', target.shown));
      return;
    }
    this.count += 1;
    const uri = uriOf(String(this.count));
    this.suggestions.set(uri.toString(), { code, target, before, after });
    // Next to spelled-out characters, the file itself would differ where nothing changes.
    const isTrue = target.document && !hasHiddenCharacters(before);
    await openComparison(
      isTrue ? target.document.uri : uriOf(`${this.count}&before`),
      uri,
      vscode.l10n.t('{0} (from the chat)', trueName(target.shown)),
      asText,
    );
  }

  /** Applies the active comparison. @throws OffshootError when the file has changed: the comparison is refreshed */
  async apply(): Promise<void> {
    const [uri, suggestion] = this.active();
    if (!suggestion) return;
    if (!vscode.workspace.isTrusted) throw untrusted();
    const { target, before, after, code } = suggestion;
    const { document } = target;
    const isSamePlace = await isWhereItWas(this.files, target);
    if (!isSamePlace || (document?.getText() ?? '') !== before || document?.isClosed === true) {
      await this.close(uri);
      await this.show(code);
      throw new OffshootError(
        'suggestion-outdated',
        vscode.l10n.t('{0} has changed since the suggestion. Review it again.', trueName(target.shown)),
      );
    }
    const wasDirty = document?.isDirty === true;
    const isMade = await vscode.workspace.applyEdit(await editOf(target, before, after));
    if (!isMade) {
      throw new OffshootError(
        'not-written',
        vscode.l10n.t('{0} could not be changed.', trueName(target.shown)),
      );
    }
    await this.close(uri);
    const shown = await vscode.window.showTextDocument(target.uri);
    // Unsaved changes of the user stay theirs to save.
    if (!wasDirty && !shown.document.isUntitled) await shown.document.save();
  }

  async discard(): Promise<void> {
    await this.close(this.active()[0]);
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private active(): [vscode.Uri | undefined, Suggestion | undefined] {
    const uri = suggestedIn(vscode.window.tabGroups.activeTabGroup.activeTab);
    return [uri, this.suggestions.get(uri?.toString() ?? '')];
  }

  private async close(uri: vscode.Uri | undefined): Promise<void> {
    if (!uri) return;
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await vscode.window.tabGroups.close(
      tabs.filter((tab) => suggestedIn(tab)?.toString() === uri.toString()),
      true,
    );
  }
}

function uriOf(query: string): vscode.Uri {
  return plainUri(SUGGESTED, query);
}

function suggestedIn(tab: vscode.Tab | undefined): vscode.Uri | undefined {
  const { input } = tab ?? {};
  return input instanceof vscode.TabInputTextDiff && input.modified.scheme === SUGGESTED
    ? input.modified
    : undefined;
}

async function placed(
  before: string,
  { code, file }: CodeOfAnswer,
  { document, editor }: ApplyTarget,
): Promise<string> {
  const { placeCode } = await import('./applyCode.ts');
  const text = withoutOwnName(before, code, file);
  if (!document || !editor) return placeCode(before, text);
  const { start, end, active } = editor.selection;
  const selection = { start: document.offsetAt(start), end: document.offsetAt(end) };
  const isActive = editor === vscode.window.activeTextEditor;
  return placeCode(before, text, { selection, cursor: isActive ? document.offsetAt(active) : undefined });
}

/** A first line that only names the file is not part of the code, unless the file has it too. */
function withoutOwnName(before: string, code: string, file: string | undefined): string {
  const [first = '', ...rest] = code.split('\n');
  const isName = file !== undefined && first.includes(file) && /^\s*(?:\/\/|#|--|\/\*|<!--|;)/.test(first);
  return isName && !before.startsWith(first) ? rest.join('\n').replace(/^\n+/, '') : code;
}

/** Only what differs is replaced, so that cursors and marks elsewhere keep their places. */
async function editOf(
  { uri, document }: ApplyTarget,
  before: string,
  after: string,
): Promise<vscode.WorkspaceEdit> {
  const edit = new vscode.WorkspaceEdit();
  if (!document) {
    const { editorTexts } = await import('./editorEncodings.ts');
    const contents = await editorTexts.contentOfNew(uri.toString(), after);
    edit.createFile(uri, { contents, overwrite: false });
    return edit;
  }
  const longest = Math.min(before.length, after.length);
  let start = 0;
  while (start < longest && before[start] === after[start]) start++;
  let end = 0;
  while (end < longest - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const range = new vscode.Range(document.positionAt(start), document.positionAt(before.length - end));
  edit.replace(uri, range, after.slice(start, after.length - end));
  return edit;
}

function patchMessages(target: ApplyTarget): PatchMessages {
  const shown = trueName(target.shown);
  return {
    severalFiles: vscode.l10n.t('This changes several files. Ask for one change for each file.'),
    doesNotFit: vscode.l10n.t('This change does not fit {0}. Ask for the code itself instead.', shown),
    tooLarge: vscode.l10n.t(
      'This change is too large to find its place in {0}. Ask for smaller ones.',
      shown,
    ),
  };
}

function untrusted(): OffshootError {
  return new OffshootError(
    'untrusted-workspace',
    vscode.l10n.t('Files are not changed in a workspace you do not trust. Trust it first, or copy the code.'),
  );
}
