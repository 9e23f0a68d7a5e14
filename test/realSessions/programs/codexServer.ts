import { z } from 'zod';
import { until } from '../../fixtures/until.ts';
import type { PipedChild, Place } from '../confined.ts';
import { JsonLines, type JsonRecord } from '../jsonLines.ts';

const line = z.looseObject({
  id: z.number().optional(),
  method: z.string().optional(),
  params: z.looseObject({ threadId: z.string().optional() }).optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
});
type Line = z.infer<typeof line>;

const started = z.object({ thread: z.object({ id: z.string() }) });
const begun = z.object({ turn: z.object({ id: z.string() }) });

/** Codex as a server of its protocol for editors: what its exec mode has no word for. */
export class CodexServer {
  private readonly lines: JsonLines;
  private readonly awaited = new Set<JsonRecord>();
  private calls = 0;

  private constructor(private readonly child: PipedChild) {
    this.lines = new JsonLines(child);
  }

  static async start(place: Place): Promise<CodexServer> {
    const server = new CodexServer(place.start(['app-server']));
    const clientInfo = { name: 'scripted', version: '1.0.0' };
    await server.call('initialize', { clientInfo, capabilities: { experimentalApi: true } });
    server.send({ method: 'initialized' });
    return server;
  }

  /** @returns the id of the session */
  async thread(): Promise<string> {
    return started.parse(await this.call('thread/start', {})).thread.id;
  }

  /** A session that has what was said before a turn of another one. */
  async fork(threadId: string, beforeTurnId: string): Promise<string> {
    return started.parse(await this.call('thread/fork', { threadId, beforeTurnId, excludeTurns: true }))
      .thread.id;
  }

  /** @returns the id of the turn, which has ended */
  async turn(threadId: string, text: string): Promise<string> {
    const id = await this.begin(threadId, text);
    await this.ended(threadId);
    return id;
  }

  async begin(threadId: string, text: string): Promise<string> {
    const input = [{ type: 'text', text, text_elements: [] }];
    return begun.parse(await this.call('turn/start', { threadId, input })).turn.id;
  }

  async compact(threadId: string): Promise<void> {
    await this.call('thread/compact/start', { threadId });
    await this.ended(threadId);
  }

  async interrupt(threadId: string, turnId: string): Promise<void> {
    await this.call('turn/interrupt', { threadId, turnId });
    await this.ended(threadId);
  }

  async archive(threadId: string): Promise<void> {
    await this.call('thread/archive', { threadId });
  }

  /** Waits for the end of the turn of an agent that a session has started. */
  async agentEnded(parentId: string): Promise<void> {
    await this.took(
      'the end of an agent',
      ({ method, params }) => method === 'turn/completed' && params?.threadId !== parentId,
    );
  }

  /** Ends the program as an editor that is closed does. */
  async stop(): Promise<void> {
    this.child.stdin.end();
    await until(() => this.child.exitCode !== null, 'the end of codex');
  }

  private async ended(threadId: string): Promise<void> {
    await this.took(
      'the end of a turn',
      ({ method, params }) => method === 'turn/completed' && params?.threadId === threadId,
    );
  }

  private async call(method: string, params: object): Promise<unknown> {
    const id = ++this.calls;
    this.send({ id, method, params });
    const { result, error } = await this.took(method, (each) => each.id === id && each.method === undefined);
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  }

  private send(message: object): void {
    this.lines.send({ jsonrpc: '2.0', ...message });
  }

  /** The first line of this kind that nobody has waited for yet. */
  private async took(what: string, isIt: (line: Line) => boolean): Promise<Line> {
    const found = await this.lines.next((each) => !this.awaited.has(each) && isIt(line.parse(each)), what);
    this.awaited.add(found);
    return line.parse(found);
  }
}
