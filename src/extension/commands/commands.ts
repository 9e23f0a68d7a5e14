import type * as vscode from 'vscode';
import type { Disposable } from '../../kit/disposable.ts';
import { logFailure, messageOf } from '../ui/failures.ts';
import type { CommandName } from '../manifest/ids.ts';
import { notify } from '../ui/notifications.ts';
import type { CommandHandler, CommandHandlers, CommandPart } from './commandHandlers.ts';

/** Runs the commands of the extension, by their names without `offshoot.`. */
export class Commands implements Disposable {
  private loading: Promise<CommandPart> | undefined;

  /** @param loadAll what the other commands need is loaded when the first of them is run */
  constructor(
    private readonly log: vscode.LogOutputChannel,
    private readonly early: Partial<CommandHandlers>,
    private readonly loadAll: () => Promise<CommandPart>,
  ) {}

  async find(name: CommandName): Promise<CommandHandler> {
    return this.early[name] ?? (await (this.loading ??= this.loadAll())).handlers[name];
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
    // Whoever ran a command has seen why it could not be loaded.
    void this.loading?.then(
      (loaded) => loaded.dispose(),
      () => undefined,
    );
  }
}
