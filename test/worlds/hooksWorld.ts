import { parse, type ParseError } from 'jsonc-parser';
import { findHooks, type HookReading } from '../../src/agent/hooks/findHooks.ts';
import type { HooksFile } from '../../src/agent/hooks/hook.ts';
import { createRunHooks, type RunHooks } from '../../src/agent/hooks/runHooks.ts';
import { runProjectCommand } from '../../src/agent/tools/commands/projectCommand.ts';
import { uriBelow } from '../../src/host/fileUri.ts';
import { NodeGuardedFiles } from '../../src/host/node/nodeGuardedFiles.ts';
import { NodePrograms } from '../../src/host/node/nodePrograms.ts';
import { RealWorkspace } from '../fixtures/realWorkspace.ts';
import { unicodeTexts } from '../fixtures/savedTexts.ts';

export const reading: HookReading = {
  texts: unicodeTexts,
  system: 'linux',
  parse: (text) => {
    const errors: ParseError[] = [];
    const value: unknown = parse(text, errors, { allowTrailingComma: true });
    return errors.length > 0 ? undefined : value;
  },
};

/** A project and a user's own folder with hooks, whose commands are run as plain processes. */
export class HooksWorld implements AsyncDisposable {
  /** What went wrong, as `file event kind`. */
  readonly problems: string[] = [];
  /** Whether a file's hooks may run. */
  isAllowed: (file: HooksFile) => boolean = () => true;
  /** Why a file is not allowed any more; undefined: it was turned off. */
  changed: string | undefined = 'It has changed.';
  /** Instead of what hooks say themselves. */
  limitMs: number | undefined;

  private constructor(
    readonly project: RealWorkspace,
    readonly home: RealWorkspace,
  ) {}

  static async make(): Promise<HooksWorld> {
    return new HooksWorld(await RealWorkspace.make(), await RealWorkspace.make());
  }

  /** Hooks of the project, each a script of `sh` at an event. */
  async put(event: string, script: string, more: object = {}): Promise<void> {
    const hook = { type: 'command', command: script, ...more };
    await this.project.put('.github/hooks/x.json', JSON.stringify({ hooks: { [event]: [hook] } }));
  }

  find(): Promise<readonly HooksFile[]> {
    const { home, project } = this;
    return findHooks(
      {
        project: new NodeGuardedFiles(() => [{ name: 'workspace', uri: project.uri }]),
        user: new NodeGuardedFiles(() => [{ name: '~', uri: home.uri }]),
      },
      reading,
    );
  }

  hooks(): RunHooks {
    const { folder, uri } = this.project;
    return createRunHooks({
      allowed: async () => (await this.find()).filter((file) => this.isAllowed(file)),
      whyChanged: () => Promise.resolve(this.changed),
      situation: () => ({
        chatId: 'chat-1',
        branch: 'main',
        cwd: folder,
        permission: 'default',
        now: 0,
        pathOf: (name) => `${folder}/${name}`,
      }),
      run: ({ command, hook, input, signal }) =>
        runProjectCommand(
          {
            programs: new NodePrograms(''),
            shell: () => '/bin/sh',
            wallFor: () => Promise.resolve(undefined),
          },
          {
            chatId: 'chat-1',
            command: command.text,
            folder: hook.cwd === undefined ? uri : uriBelow(uri, hook.cwd),
            writable: [uri],
            input,
            environment: hook.environment,
            isApart: true,
            limitMs: this.limitMs ?? hook.timeout * 1_000,
            signal,
          },
        ),
      onProblem: (file, event, { kind }) => this.problems.push(`${file.shown} ${event} ${kind}`),
    });
  }

  /** What hooks wrote down, a line of JSON for each time that they were run. */
  async written(name = 'heard'): Promise<Record<string, unknown>[]> {
    const text = await this.project.text(name).catch(() => '');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.project[Symbol.asyncDispose]();
    await this.home[Symbol.asyncDispose]();
  }
}
