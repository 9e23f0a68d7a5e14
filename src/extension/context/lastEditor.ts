import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Attachment, EditorPart } from '../../protocol/attachments.ts';
import type { EditorView } from '../../protocol/chatFromHost.ts';
import type { ActiveEditor } from './activeEditor.ts';

/** The text editor the user used last, as pages see it. The code that follows it is loaded once there is a page. */
export class LastEditor implements Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly active: Promise<ActiveEditor>;
  private loaded: ActiveEditor | undefined;
  private isDisposed = false;

  readonly onDidChange = this.changed.event;

  /** @param load creates what follows the editors, some time after the start */
  constructor(load: () => Promise<ActiveEditor>) {
    this.active = load();
    // A caller that asks for it gets the error.
    this.active.then(
      (active) => this.begin(active),
      () => undefined,
    );
  }

  /** Undefined if there is nothing to show, or nothing yet. */
  get now(): EditorView | undefined {
    return this.loaded?.now;
  }

  async toggle(part: EditorPart): Promise<void> {
    await (await this.active).toggle(part);
  }

  /** Undefined if it must not be attached. */
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
