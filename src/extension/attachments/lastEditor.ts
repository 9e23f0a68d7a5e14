import * as vscode from 'vscode';
import type { Disposable } from '../../kit/disposable.ts';
import type { Attachment, EditorPart } from '../../protocol/attachments.ts';
import type { EditorView } from '../../protocol/views.ts';
import type { ActiveEditor } from './activeEditor.ts';

/** The text editor the user was in last, as pages see it. What follows it is loaded once a page is there. */
export class LastEditor implements Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly active: Promise<ActiveEditor>;
  private loaded: ActiveEditor | undefined;
  private isDisposed = false;

  readonly onDidChange = this.changed.event;

  /** @param load makes what follows the editors, some time after the start */
  constructor(load: () => Promise<ActiveEditor>) {
    this.active = load();
    // Whoever asks for it is told why it is not there.
    this.active.then(
      (active) => this.begin(active),
      () => undefined,
    );
  }

  /** Undefined where there is nothing to show, or nothing yet. */
  get now(): EditorView | undefined {
    return this.loaded?.now;
  }

  async toggle(part: EditorPart): Promise<void> {
    await (await this.active).toggle(part);
  }

  /** What a page shows of it, as an attachment; undefined where it must not go along. */
  async attachment(part: EditorPart, options?: { isByHand: boolean }): Promise<Attachment | undefined> {
    return (await this.active).attachment(part, options);
  }

  dispose(): void {
    this.isDisposed = true;
    this.loaded?.dispose();
    this.changed.dispose();
  }

  private begin(active: ActiveEditor): void {
    if (this.isDisposed) {
      active.dispose();
      return;
    }
    this.loaded = active;
    active.onDidChange(() => this.changed.fire());
    this.changed.fire();
  }
}
