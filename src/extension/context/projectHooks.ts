import * as vscode from 'vscode';
import type { HookOccasion } from '../../agent/hooks/hookCall.ts';
import type { RunHooks } from '../../agent/hooks/runHooks.ts';
import type { Host } from '../../host/hostMachine.ts';
import type { HooksAbout, HooksReader, ListedHooks } from './readHooks.ts';

/** The hooks of the open folders and of the user; none in a workspace that is not trusted, or without programs. */
export class ProjectHooks {
  private made: Promise<HooksReader> | undefined;

  constructor(
    private readonly host: Pick<Host, 'programs'>,
    private readonly make: () => Promise<HooksReader>,
  ) {}

  /** Undefined where the user allowed none. */
  async ofRun(about: HooksAbout): Promise<RunHooks | undefined> {
    return (await this.reader())?.ofRun(about);
  }

  /** Those there are, allowed or not. */
  async read(): Promise<readonly ListedHooks[]> {
    return (await (await this.reader())?.list()) ?? [];
  }

  /** Undefined where none can be run. Loaded once a question is asked. */
  async reader(): Promise<HooksReader | undefined> {
    return vscode.workspace.isTrusted && this.host.programs ? (this.made ??= this.make()) : undefined;
  }

  /** Runs those of an event that is no part of an answer. @throws HookBlockedError */
  async fire(occasion: HookOccasion, about: HooksAbout): Promise<void> {
    await (await this.reader())?.fire(occasion, about);
  }

  /** The same, for what has happened: nobody waits for it. */
  tell(occasion: HookOccasion, about: HooksAbout): void {
    // Problems of hooks are told where they are run; nothing can be blocked.
    this.fire(occasion, about).catch(() => undefined);
  }
}
