import { defineMessage } from '../../../engine/messageDescriptor.ts';
import type { ChatModel, ModelSource } from '../../chatModel.ts';
import { ModelError } from '../../errors/modelErrors.ts';
import { isLoopback, type Fetch } from '../../requests/originFetch.ts';
import { OpenAiCompatibleSource, parseBaseUrl, type OpenAiCompatibleOptions } from './openAiCompatible.ts';
import type { ServerProgram } from './serverModels.ts';

/** A program that serves models on this machine, at the address it has unless it is told another. */
export interface LocalServer {
  /** The part of model ids before the colon. */
  readonly id: ServerProgram;
  readonly label: string;
  readonly address: string;
}

/** Nothing else is looked for: no other ports, and no other machines. */
export const localServers: readonly LocalServer[] = [
  { id: 'lmstudio', label: 'LM Studio', address: 'http://127.0.0.1:1234/v1' },
  { id: 'llamacpp', label: 'llama.cpp', address: 'http://127.0.0.1:8080/v1' },
  { id: 'vllm', label: 'vLLM', address: 'http://127.0.0.1:8000/v1' },
];

export interface LocalSourceOptions extends Pick<OpenAiCompatibleOptions, 'keyFor' | 'listTimeout' | 'now'> {
  /** Another address, read again for each use; undefined or empty: its usual one. */
  readonly address?: () => string | undefined;
  readonly fetch?: Fetch;
}

/** The models of a program on this machine; none, without an error, where it does not run or another one answers. */
export class LocalSource implements ModelSource {
  readonly id: ServerProgram;
  readonly label: string;
  private readonly server: LocalServer;
  private readonly options: LocalSourceOptions;
  private readonly compatible: OpenAiCompatibleSource;

  constructor(server: LocalServer, options: LocalSourceOptions) {
    this.id = server.id;
    this.label = server.label;
    this.server = server;
    this.options = options;
    const { fetch = globalThis.fetch, keyFor, now } = options;
    this.compatible = new OpenAiCompatibleSource({
      id: server.id,
      program: server.id,
      settings: () => ({ baseUrl: this.address, models: [] }),
      keyFor,
      fetch: describedFetch(fetch),
      listTimeout: options.listTimeout ?? 1_000,
      looksUp: true,
      ...(now === undefined ? {} : { now }),
    });
  }

  /** With its path. */
  get address(): string {
    return this.ownAddress ?? this.server.address;
  }

  /** The one that the user gave it. */
  get ownAddress(): string | undefined {
    const other = this.options.address?.()?.trim() ?? '';
    return other === '' ? undefined : other;
  }

  /** @throws ModelError if its address in the settings is none */
  async list(): Promise<readonly ChatModel[]> {
    parseBaseUrl(this.address);
    return this.compatible.list().catch(() => []);
  }

  find(id: string): Promise<ChatModel | undefined> {
    return this.compatible.find(id);
  }

  /** Takes a key not stored yet. @throws ModelError `unauthorized`, or `model-list` without an answer */
  check(key: string): Promise<void> {
    return this.compatible.check(key);
  }
}

/**
 * The sources to ask now: all of them, or those that the user gave an address. One that the user added as a server is
 * listed there alone.
 * @param added the addresses of such servers
 */
export function sourcesToAsk(
  sources: readonly LocalSource[],
  { isOn, added }: { readonly isOn: boolean; readonly added: readonly string[] },
): LocalSource[] {
  return sources.filter(
    ({ address, ownAddress }) =>
      (isOn || ownAddress !== undefined) && !added.some((each) => isSameServer(each, address)),
  );
}

/** Whether two addresses are one server; this machine has several names. False if one is no address. */
function isSameServer(address: string, other: string): boolean {
  const [one, two] = [address, other].map((each) => URL.parse(each.trim()));
  if (!one || !two) return false;
  return isLoopback(one) && isLoopback(two) ? one.port === two.port : one.origin === two.origin;
}

/** A server that is off is usual here, and loads nothing that describes errors. */
function describedFetch(fetch: Fetch): Fetch {
  return async (input, init) => {
    if (init?.method === 'POST') return fetch(input, init);
    try {
      return await fetch(input, init);
    } catch (cause) {
      const { host } = new URL(input instanceof Request ? input.url : input);
      throw new ModelError('model-list', defineMessage('Can’t reach {0}.', host), { cause });
    }
  };
}
