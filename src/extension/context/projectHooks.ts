import * as vscode from 'vscode';
import type { Host } from '../../host/hostMachine.ts';
import type { HooksReader } from './readHooks.ts';

/** The hooks of the open folders and of the user; none in a workspace that is not trusted, or without programs. */
export class ProjectHooks {
  private made: Promise<HooksReader> | undefined;

  constructor(
    private readonly host: Pick<Host, 'programs'>,
    private readonly make: () => Promise<HooksReader>,
  ) {}

  /** Undefined where none can be run. Loaded once a question is asked. */
  readonly reader = async (): Promise<HooksReader | undefined> =>
    vscode.workspace.isTrusted && this.host.programs ? (this.made ??= this.make()) : undefined;

  /** @throws HookBlockedError */
  readonly beforeRewind = async (messageId: string): Promise<void> =>
    (await this.reader())?.beforeRewind(messageId);

  /** Of what has happened: nobody waits for the hooks, and what goes wrong is told where they are run. */
  tell(work: (reader: HooksReader) => Promise<void>): void {
    void this.reader().then((reader) => reader && work(reader).catch(() => undefined));
  }
}
