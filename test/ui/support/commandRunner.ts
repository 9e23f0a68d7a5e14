import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { deferred, type Deferred } from '../../../src/base/deferred.ts';
import { LocalServer } from '../../fixtures/localServer.ts';

const report = z.object({
  number: z.number(),
  state: z.enum(['unknown', 'started', 'ended', 'failed']),
  text: z.string().optional(),
});

interface Command {
  readonly number: number;
  readonly command: string;
  readonly args: readonly unknown[];
}

interface Run {
  readonly started: Deferred<undefined>;
  readonly ended: Deferred<undefined>;
}

/** Hands commands to the extension `test/fixtures/command-runner`, which asks for those of its window. */
export class CommandRunner extends LocalServer {
  private readonly waiting = new Map<string, ServerResponse>();
  private readonly queued = new Map<string, Command[]>();
  private readonly runs: Run[] = [];

  /**
   * Runs a command.
   * @param window what the extension shows in the window's status bar
   * @returns promises that reject where there is no such command; `ended` rejects as well with what the command throws
   */
  run(
    window: string,
    command: string,
    args: readonly unknown[],
  ): { started: Promise<undefined>; ended: Promise<undefined> } {
    const run = { started: deferred<undefined>(), ended: deferred<undefined>() };
    // Most callers wait for one of them only.
    for (const { promise } of [run.started, run.ended]) promise.catch(() => undefined);
    const number = this.runs.push(run) - 1;
    const queue = this.queued.get(window) ?? [];
    this.queued.set(window, [...queue, { number, command, args }]);
    this.hand(window);
    return { started: run.started.promise, ended: run.ended.promise };
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // The extension may run in a worker, whose requests a browser keeps to their own site otherwise.
    response.setHeader('access-control-allow-origin', '*');
    const window = (request.url ?? '/').slice(1);
    if (request.method === 'POST') {
      this.take(report.parse(JSON.parse(await text(request))));
      response.end();
      return;
    }
    this.waiting.set(window, response);
    response.once('close', () => {
      if (this.waiting.get(window) === response) this.waiting.delete(window);
    });
    this.hand(window);
  }

  private hand(window: string): void {
    const response = this.waiting.get(window);
    const [next, ...others] = this.queued.get(window) ?? [];
    if (!response || !next) return;
    this.waiting.delete(window);
    this.queued.set(window, others);
    response.end(JSON.stringify(next));
  }

  private take({ number, state, text: problem = '' }: z.infer<typeof report>): void {
    const run = this.runs[number];
    if (!run) return;
    const { started, ended } = run;
    if (state === 'started') started.resolve(undefined);
    else if (state === 'ended') ended.resolve(undefined);
    else {
      const error = new Error(state === 'unknown' ? 'There is no such command.' : problem);
      started.reject(error);
      ended.reject(error);
    }
  }
}
