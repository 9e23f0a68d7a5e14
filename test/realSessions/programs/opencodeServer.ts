import { once } from 'node:events';
import { z } from 'zod';
import { until } from '../../fixtures/until.ts';
import type { PipedChild, Place } from '../confined.ts';

const session = z.object({ id: z.string() });
const messages = z.array(z.object({ info: z.object({ id: z.string(), role: z.string() }) }));

/** opencode's own server, which its terminal and editors use. */
export class OpencodeServer {
  private constructor(
    private readonly child: PipedChild,
    private readonly origin: string,
  ) {}

  static async start(place: Place): Promise<OpencodeServer> {
    const child = place.start(['serve', '--port', '0']);
    let said = '';
    child.stdout.on('data', (data: Buffer) => (said += data.toString()));
    const address = /listening on (http:\/\/\S+)/u;
    await until(() => address.test(said), 'a server of opencode', 60_000);
    return new OpencodeServer(child, address.exec(said)?.[1] ?? '');
  }

  async session(): Promise<string> {
    return session.parse(await this.post('/session', {})).id;
  }

  async ask(id: string, text: string): Promise<void> {
    await this.post(`/session/${id}/message`, { parts: [{ type: 'text', text }] });
  }

  /** Does not wait for the answer. */
  async begin(id: string, text: string): Promise<void> {
    await this.post(`/session/${id}/prompt_async`, { parts: [{ type: 'text', text }] });
  }

  /** @returns the ids of the user's messages */
  async asked(id: string): Promise<string[]> {
    const read = messages.parse(await this.request('GET', `/session/${id}/message`));
    return read.flatMap(({ info }) => (info.role === 'user' ? [info.id] : []));
  }

  /** @param messageID the first message that the fork doesn't have */
  async fork(id: string, messageID: string): Promise<string> {
    return session.parse(await this.post(`/session/${id}/fork`, { messageID })).id;
  }

  async compact(id: string): Promise<void> {
    await this.post(`/session/${id}/summarize`, { providerID: 'scripted', modelID: 'scripted' });
  }

  async abort(id: string): Promise<void> {
    await this.post(`/session/${id}/abort`, {});
  }

  async stop(): Promise<void> {
    const closed = once(this.child, 'close');
    this.child.kill('SIGTERM');
    await closed;
  }

  private post(path: string, body: object): Promise<unknown> {
    return this.request('POST', path, body);
  }

  private async request(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.origin}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(120_000),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }
}
