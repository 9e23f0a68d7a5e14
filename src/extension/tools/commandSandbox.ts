import type * as vscode from 'vscode';
import type { CommandWalls } from '../../agent/tools/commands/commandTools.ts';
import type { Host } from '../../host/hostMachine.ts';
import type { NoSandboxReason, Sandbox, Wall } from '../../host/sandbox.ts';

const KEY = 'offshoot.sandboxUnasked';

export interface CommandSandboxOptions {
  readonly host: Pick<Host, 'sandbox'>;
  readonly workspaceState: vscode.Memento;
  /** The URIs of the open folders. */
  readonly folders: () => readonly string[];
  /** The path of the shell that commands get. */
  readonly shell: () => string;
  /** Loads what tells whether a chat may reach a host. */
  readonly loadLeave: () => Promise<CommandWalls['mayReach']>;
}

/** The sandbox of commands in this window, and whether they are run in it without asking; that survives a reload. */
export class CommandSandbox implements CommandWalls {
  readonly readable: () => readonly string[];
  readonly shell: () => string;
  private leave: CommandWalls['mayReach'] = () => false;

  constructor(private readonly options: CommandSandboxOptions) {
    this.readable = options.folders;
    this.shell = options.shell;
  }

  mayReach(chatId: string, origin: URL): boolean {
    return this.leave(chatId, origin);
  }

  isUnasked(): boolean {
    return this.options.workspaceState.get(KEY) === true;
  }

  async setUnasked(isUnasked: boolean): Promise<void> {
    await this.options.workspaceState.update(KEY, isUnasked ? true : undefined);
  }

  /** Why there is none; undefined where there is one. */
  async whyNone(): Promise<NoSandboxReason | undefined> {
    const { sandbox } = this.options.host;
    return sandbox ? (await sandbox()).whyNone() : 'system';
  }

  async sandbox(): Promise<Sandbox | undefined> {
    if ((await this.whyNone()) !== undefined) return undefined;
    this.leave = await this.options.loadLeave();
    return this.options.host.sandbox?.();
  }

  /**
   * For a command that runs in folders of its own. Undefined where they cannot be walled in.
   * @param readable further folders that it may read
   */
  async wallFor(
    chatId: string,
    writable: readonly string[],
    readable: readonly string[] = [],
  ): Promise<Wall | undefined> {
    try {
      return await (
        await this.sandbox()
      )?.wall({
        chatId,
        shell: this.shell(),
        writable,
        readable: [...this.readable(), ...readable],
        mayReach: (origin) => this.mayReach(chatId, origin),
      });
    } catch (error) {
      // Checked by name: the class is loaded with the sandbox, in another file.
      if (error instanceof Error && error.name === 'WallError') return undefined;
      throw error;
    }
  }
}
