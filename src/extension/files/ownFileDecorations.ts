import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { plainText } from '../ui/inertText.ts';

/** Tells the editors of a branch's own files from those of the workspace, which have the same names. */
export class OwnFileDecorations implements vscode.FileDecorationProvider, Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeFileDecorations = this.changed.event;
  private readonly registration = vscode.window.registerFileDecorationProvider(this);

  /** @param labelAt of the branch whose file that is; undefined: it is no such file */
  constructor(private readonly labelAt: (uri: string) => Promise<string | undefined>) {}

  refresh(): void {
    this.changed.fire(undefined);
  }

  async provideFileDecoration(uri: vscode.Uri): Promise<vscode.FileDecoration | undefined> {
    const label = uri.scheme === 'file' ? await this.labelAt(uri.toString()) : undefined;
    if (label === undefined) return undefined;
    const tooltip = vscode.l10n.t('On branch “{0}”, not in the workspace', plainText(label));
    return new vscode.FileDecoration('Br', tooltip, new vscode.ThemeColor('charts.purple'));
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}
