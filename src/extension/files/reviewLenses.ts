import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { CurrentChat } from '../commands/currentChat.ts';
import { commandLink, setContext } from '../manifest/runCommand.ts';
import { logFailure } from '../ui/failures.ts';
import type { EditsReview } from './editsReview.ts';
import { fileSelector } from './openFolders.ts';

class ReviewLenses implements vscode.CodeLensProvider, Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;

  constructor(
    private readonly current: CurrentChat,
    private readonly review: EditsReview,
  ) {}

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { current, review } = this;
    const files = review.of(await current.chatId());
    if (files.length === 0) return [];
    const { editedFileOf, hunksIn } = await import('./editedHunks.ts');
    const file = editedFileOf(files, document);
    if (!file) return [];
    return (await hunksIn(review, file, document)).flatMap(({ afterStart: line }) => {
      const range = document.validateRange(new vscode.Range(line, 0, line, 0));
      const at = { uri: document.uri.toString(), line };
      return [
        new vscode.CodeLens(range, commandLink('offshoot.keepHunk', vscode.l10n.t('Keep'), at)),
        new vscode.CodeLens(range, commandLink('offshoot.undoHunk', vscode.l10n.t('Undo'), at)),
      ];
    });
  }

  refresh(): void {
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }
}

export function registerReview({
  current,
  log,
  review,
}: {
  readonly current: CurrentChat;
  readonly log: vscode.LogOutputChannel;
  readonly review: EditsReview;
}): vscode.Disposable {
  const lenses = new ReviewLenses(current, review);
  let hadEdits = false;
  const update = async (): Promise<void> => {
    lenses.refresh();
    const hasEdits = review.of(await current.chatId()).length > 0;
    if (hasEdits === hadEdits) return;
    hadEdits = hasEdits;
    await setContext('offshoot.hasEditsToReview', hasEdits);
  };
  const schedule = (): void => {
    update().catch((error: unknown) => logFailure(log, 'Edits to review', error));
  };
  return vscode.Disposable.from(
    lenses,
    vscode.languages.registerCodeLensProvider(fileSelector(), lenses),
    review.onDidChange(schedule),
    current.onDidChange(schedule),
  );
}
