import type * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { loadOnce } from '../../base/loadOnce.ts';
import { logFailure, messageOf } from '../ui/failures.ts';
import type { CommandName } from '../manifest/ids.ts';
import { notify } from '../ui/notifications.ts';
import type { CommandHandler, CommandHandlers, CommandPart } from './commandHandlers.ts';

/** By names without `offshoot.`. */
export class Commands implements Disposable {
  private loaded: CommandPart | undefined;
  private isDisposed = false;
  private readonly all: () => Promise<CommandPart>;

  /** @param loadAll loads the other commands when the first of them is run */
  constructor(
    private readonly log: vscode.LogOutputChannel,
    private readonly early: Partial<CommandHandlers>,
    loadAll: () => Promise<CommandPart>,
  ) {
    this.all = loadOnce(async () => {
      this.loaded = await loadAll();
      if (this.isDisposed) this.loaded.dispose();
      return this.loaded;
    });
  }

  async find(name: CommandName): Promise<CommandHandler> {
    return this.early[name] ?? (await this.all()).handlers[name];
  }

  /** Shows and logs what a command throws. */
  async run(name: CommandName, args: readonly unknown[]): Promise<void> {
    try {
      const handler = await this.find(name);
      await handler(...args);
    } catch (error) {
      logFailure(this.log, name, error);
      void notify.error(messageOf(error));
    }
  }

  dispose(): void {
    this.isDisposed = true;
    this.loaded?.dispose();
  }
}
