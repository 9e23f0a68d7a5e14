import * as vscode from 'vscode';
import type { Disposable } from '../../engine/event.ts';
import { logFailure, messageOf } from '../failures.ts';
import { notify } from '../ui/notifications.ts';

/** A command's own part: it throws, and the user is notified. */
export type CommandHandler = (...args: unknown[]) => Promise<void>;

/** What the commands of the extension do, by their names without `offshoot.`. */
export class Commands {
  private readonly handlers = new Map<string, CommandHandler>();
  private rest: (() => Promise<void>) | undefined;

  constructor(private readonly log: vscode.LogOutputChannel) {}

  add(handlers: Readonly<Record<string, CommandHandler>>): vscode.Disposable {
    for (const [name, handler] of Object.entries(handlers)) this.handlers.set(name, handler);
    return new vscode.Disposable(() => {
      for (const name of Object.keys(handlers)) this.handlers.delete(name);
    });
  }

  /** Those that are not there yet are loaded when the first of them is run. */
  addLater(load: () => Promise<Disposable>): vscode.Disposable {
    let loading: Promise<Disposable> | undefined;
    this.rest = async () => {
      await (loading ??= load());
    };
    return new vscode.Disposable(() => {
      this.rest = undefined;
      void loading?.then((loaded) => loaded.dispose());
    });
  }

  async find(name: string): Promise<CommandHandler | undefined> {
    if (!this.handlers.has(name)) await this.rest?.();
    return this.handlers.get(name);
  }

  /** Shows and logs what a command throws. */
  async run(name: string, args: readonly unknown[]): Promise<void> {
    try {
      const handler = await this.find(name);
      if (!handler) throw new Error(`Nothing does ${name}.`);
      await handler(...args);
    } catch (error) {
      logFailure(this.log, name, error);
      void notify.error(messageOf(error));
    }
  }
}
