// Imported by bare names: only those give VS Code's versions, which know its proxy and certificates.
import http from 'http';
import https from 'https';
import { isIP, type Socket } from 'node:net';
import { isPublicHost } from '../publicAddresses.ts';
import { WebReadError, type PageHead, type PageReply, type ReadPage, type WebReader } from '../webReader.ts';
import {
  bareHost,
  lookupAmong,
  mayConnectTo,
  systemAddresses,
  type AddressRules,
} from './checkedAddresses.ts';
import { ACCEPTED_ENCODINGS, readBody } from './pageBody.ts';

/** The same everywhere, so that it reveals nothing about the user. */
const USER_AGENT = 'Mozilla/5.0 (compatible; Offshoot; a VS Code extension)';

const ACCEPT =
  'text/html, application/xhtml+xml, text/markdown;q=0.9, text/*;q=0.8, application/json;q=0.8, application/xml;q=0.8';

const MEGABYTE = 1_000_000;

export interface NodeWebReaderOptions extends Partial<AddressRules> {
  readonly limitMs?: number;
  readonly limitBytes?: number;
}

/**
 * The addresses of a name are resolved once, all of them checked, and only those connected to, so that later changes of
 * the name do not matter. If the user has set a proxy, VS Code uses it, and it resolves the name.
 */
export class NodeWebReader implements WebReader {
  private readonly resolve: AddressRules['resolve'];
  private readonly mayConnect: AddressRules['mayConnect'];
  private readonly limitMs: number;
  private readonly limitBytes: number;

  constructor({
    resolve = systemAddresses,
    mayConnect = mayConnectTo,
    limitMs = 30_000,
    limitBytes = 2 * MEGABYTE,
  }: NodeWebReaderOptions = {}) {
    this.resolve = resolve;
    this.mayConnect = mayConnect;
    this.limitMs = limitMs;
    this.limitBytes = limitBytes;
  }

  checkName(url: URL): void {
    if (!isPublicHost(url.hostname)) throw refused(url);
  }

  async read(url: URL, { signal: stopped, wants }: ReadPage): Promise<PageReply> {
    stopped.throwIfAborted();
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), this.limitMs);
    const signal = AbortSignal.any([stopped, limit.signal]);
    try {
      const addresses = await orAborted(this.checkedAddresses(url), signal);
      const incoming = await this.ask(url, addresses, signal);
      const head = headOf(incoming);
      if (!wants(head)) {
        incoming.destroy();
        return { ...head, body: undefined, isCut: false };
      }
      return { ...head, ...(await readBody(incoming, this.limitBytes)) };
    } catch (error) {
      stopped.throwIfAborted();
      if (limit.signal.aborted) {
        throw new WebReadError(
          'too-slow',
          `${url.host} took longer than ${this.limitMs / 1_000} s. Try another page, or go on without it.`,
        );
      }
      throw describeFailure(url, error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** @throws WebReadError if any of them is not allowed, because which one would be used is random */
  private async checkedAddresses(url: URL): Promise<readonly string[]> {
    const hostname = bareHost(url.hostname);
    this.checkName(url);
    const addresses = isIP(hostname) === 0 ? await this.resolve(hostname) : [hostname];
    if (!addresses.every((address) => this.mayConnect(address, hostname))) throw refused(url);
    return addresses;
  }

  private ask(url: URL, addresses: readonly string[], signal: AbortSignal): Promise<http.IncomingMessage> {
    return new Promise((resolve, reject) => {
      const hostname = bareHost(url.hostname);
      const outgoing = (url.protocol === 'https:' ? https : http).request(url, {
        method: 'GET',
        signal,
        lookup: lookupAmong(hostname, addresses),
        headers: {
          accept: ACCEPT,
          'accept-encoding': ACCEPTED_ENCODINGS,
          'user-agent': USER_AGENT,
          connection: 'close',
        },
      });
      let isProxied = false;
      outgoing.on('error', reject);
      // VS Code's marker for requests that use its proxy.
      outgoing.on(
        'proxy',
        ({ proxy }: { proxy?: string }) => (isProxied = !/^DIRECT\b/u.test(proxy ?? 'DIRECT')),
      );
      outgoing.once('socket', (socket: Socket) => {
        const check = (): void => {
          const { remoteAddress = '' } = socket;
          if (!isProxied && !this.mayConnect(remoteAddress, hostname)) outgoing.destroy(refused(url));
        };
        // A kept-alive connection may have been opened for other code, without a check.
        if (socket.connecting) socket.prependOnceListener('connect', check);
        else check();
      });
      outgoing.once('response', (incoming) => {
        // The reader of the body handles the error.
        incoming.on('error', () => undefined);
        resolve(incoming);
      });
      outgoing.end();
    });
  }
}

function headOf({ statusCode: status = 502, headers }: http.IncomingMessage): PageHead {
  return { status, contentType: headers['content-type'], location: headers.location };
}

function refused({ host }: URL): WebReadError {
  return new WebReadError(
    'refused',
    `${host} was not asked: it leads to this machine or to a private network, and only the public web may be read.`,
  );
}

/** A description of the failure for the model. */
function describeFailure({ host }: URL, error: unknown): WebReadError {
  if (error instanceof WebReadError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = error instanceof Error ? error.message : String(error);
  const of = (problem: ConstructorParameters<typeof WebReadError>[0], text: string): WebReadError =>
    new WebReadError(problem, text, { cause: error });
  if (/^(?:ENOTFOUND|EAI_|ENODATA)/u.test(code)) {
    return of('unknown-host', `There is no host ${host}, as far as this machine can tell.`);
  }
  if (/CERT|SSL|TLS|^UNABLE_TO|_SELF_SIGNED|^DEPTH_ZERO/u.test(code)) {
    return of('certificate', `The certificate of ${host} is not valid (${code}). Nothing was read.`);
  }
  if (code.startsWith('HPE_'))
    return of('bad-headers', `What ${host} sent is not HTTP that can be read (${code}).`);
  if (/^(?:ECONNRESET|ERR_STREAM_PREMATURE_CLOSE|Z_)/u.test(code) || message === 'aborted') {
    return of('broken-off', `The connection to ${host} broke off before the page was there. Try again once.`);
  }
  return of('unreachable', `${host} could not be reached${code === '' ? '' : ` (${code})`}.`);
}

async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(new DOMException('Stopped', 'AbortError'));
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
    work.catch(() => undefined);
  }
}
