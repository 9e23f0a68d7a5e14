import { createServer, request as requestOf, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { pipeline, type Duplex } from 'node:stream';
import { isPublicHost } from '../../publicAddresses.ts';
import {
  bareHost,
  lookupAmong,
  mayConnectTo,
  systemAddresses,
  type AddressRules,
} from '../checkedAddresses.ts';

export interface HostProxyOptions extends Partial<AddressRules> {
  /** @param origin of a host, such as `https://example.com` */
  readonly mayReach: (origin: URL) => boolean;
}

/** How many refused hosts are remembered. */
const MAX_REFUSED = 20;

/** The headers that are between two ends of one connection, or for a proxy (RFC 9110, 7.6.1). */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'te', 'trailer', 'upgrade'],
  'host',
]);

/**
 * Leads programs without a network to hosts that are allowed by name: HTTP, and whatever is spoken after `CONNECT`. Names
 * are looked up here, once, and only public addresses are connected to.
 */
export class HostProxy {
  private readonly resolve: AddressRules['resolve'];
  private readonly mayConnect: AddressRules['mayConnect'];
  private readonly mayReach: (origin: URL) => boolean;
  private readonly wanted = new Set<string>();
  private readonly open = new Set<Duplex>();
  private readonly server = createServer((incoming, outgoing) => void this.pass(incoming, outgoing));

  constructor({ mayReach, resolve = systemAddresses, mayConnect = mayConnectTo }: HostProxyOptions) {
    this.resolve = resolve;
    this.mayConnect = mayConnect;
    this.mayReach = mayReach;
    // What is uploaded may take its time, and a relay keeps a connection for as long as it runs.
    this.server.requestTimeout = 0;
    this.server.headersTimeout = 0;
    this.server.on('connection', (socket) => this.keep(socket));
    this.server.on('connect', ({ url = '' }, socket, head) => void this.tunnel(url, socket, head));
    this.server.on('clientError', (_error, socket) => socket.destroy());
  }

  /** @param at the path of the socket */
  listen(at: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(at, resolve);
    });
  }

  /** The origins of hosts that were wanted and may not be reached. */
  refused(): readonly string[] {
    return [...this.wanted];
  }

  close(): Promise<void> {
    for (const each of this.open) each.destroy();
    return new Promise((resolve) => {
      this.server.close(() => resolve());
    });
  }

  private async tunnel(target: string, client: Duplex, head: Buffer): Promise<void> {
    const way = await this.wayTo(/^[^\s/@?#\\]+:\d+$/u.test(target) ? URL.parse(`https://${target}`) : null);
    if (way.kind === 'none') {
      client.end(replyOf(way.status, way.text));
      return;
    }
    const { hostname, port } = way.url;
    const host = bareHost(hostname);
    const server = connect({
      host,
      port: port === '' ? 443 : Number(port),
      lookup: lookupAmong(host, way.addresses),
      autoSelectFamily: true,
    });
    this.keep(server);
    let isOpen = false;
    server.once('connect', () => {
      isOpen = true;
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      if (head.length > 0) server.write(head);
      client.pipe(server).pipe(client);
    });
    // At its end, the last of it may still be on the way.
    server.once('close', () => {
      if (isOpen && !server.readableEnded) client.destroy();
    });
    server.once('error', ({ message }) => {
      if (!isOpen) client.end(replyOf(502, message));
    });
    client.once('close', () => server.destroy());
  }

  private async pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const asked = URL.parse(incoming.url ?? '');
    const way = await this.wayTo(asked?.protocol === 'http:' ? asked : null);
    if (way.kind === 'none') {
      outgoing
        .writeHead(way.status, { 'content-type': 'text/plain', connection: 'close' })
        .end(`${way.text}\n`);
      return;
    }
    const { hostname, port, pathname, search, host } = way.url;
    const headers = Object.entries(incoming.headers).filter(([name]) => !OF_CONNECTION.has(name));
    const request = requestOf({
      method: incoming.method,
      host: bareHost(hostname),
      port: port === '' ? 80 : Number(port),
      path: `${pathname}${search}`,
      headers: { ...Object.fromEntries(headers), host },
      lookup: lookupAmong(bareHost(hostname), way.addresses),
      agent: false,
    });
    request.once('response', (reply) => {
      const { statusCode = 502, headers } = reply;
      const passed = Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name));
      outgoing.writeHead(statusCode, Object.fromEntries(passed));
      pipeline(reply, outgoing, () => undefined);
    });
    request.once('error', ({ message }) => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502, { 'content-type': 'text/plain' }).end(`${message}\n`);
    });
    outgoing.once('close', () => request.destroy());
    pipeline(incoming, request, () => undefined);
  }

  /** @param url null: it is not one */
  private async wayTo(url: URL | null): Promise<Way> {
    if (!url) return none(400, 'This is a proxy for HTTP and CONNECT.');
    const { host, hostname, origin } = url;
    const isPrivate = `${host} leads to this machine or to a private network: the sandbox does not reach it.`;
    if (!isPublicHost(hostname)) return none(403, isPrivate);
    if (!this.mayReach(new URL(origin))) {
      if (this.wanted.size < MAX_REFUSED) this.wanted.add(origin);
      return none(403, `The sandbox may not reach ${host}: it is not allowed in this chat.`);
    }
    const bare = bareHost(hostname);
    const addresses = isIP(bare) === 0 ? await this.resolve(bare) : [bare];
    if (addresses.length === 0) return none(502, `There is no host ${host}.`);
    // Any of them may be the one that is used.
    const areFine = addresses.every((address) => this.mayConnect(address, bare));
    return areFine ? { kind: 'open', url, addresses } : none(403, isPrivate);
  }

  private keep(socket: Duplex | Socket): void {
    this.open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.open.delete(socket));
  }
}

type Way =
  | { readonly kind: 'open'; readonly url: URL; readonly addresses: readonly string[] }
  | { readonly kind: 'none'; readonly status: number; readonly text: string };

function none(status: number, text: string): Way {
  return { kind: 'none', status, text };
}

function replyOf(status: number, text: string): string {
  const head = [`HTTP/1.1 ${status} Refused`, 'Content-Type: text/plain', 'Connection: close'];
  return `${head.join('\r\n')}\r\n\r\n${text}\n`;
}
