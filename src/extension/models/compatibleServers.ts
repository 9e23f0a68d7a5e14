import * as vscode from 'vscode';
import {
  compatibleServer,
  type CompatibleServer,
} from '../../models/providers/compatible/compatibleServer.ts';
import type { ModelSource } from '../../models/chatModel.ts';
import { ModelError } from '../../models/errors/modelErrors.ts';
import { OpenAiCompatibleSource, parseBaseUrl } from '../../models/providers/compatible/openAiCompatible.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { Host } from '../../host/hostMachine.ts';
import type { ApiKeys } from './apiKeys.ts';
import type { KeyServer } from './keyedServers.ts';
import type { Settings } from '../manifest/settings.ts';

/** The source of the server whose address could be set before there were several. */
export const OWN_SERVER = 'openai-compatible';

export interface ConfiguredServer {
  readonly source: OpenAiCompatibleSource;
  readonly keyServer: KeyServer;
}

/** As the settings have them now. */
export class CompatibleServers {
  private readonly sources = new Map<string, OpenAiCompatibleSource>();

  constructor(
    private readonly settings: Settings,
    private readonly keys: ApiKeys,
    private readonly fetch: Host['fetch'],
  ) {}

  /** The readable ones; the first with a name counts. */
  configured(): CompatibleServer[] {
    const named = new Map<string, CompatibleServer>();
    for (const entry of this.settings.get('openaiCompatible.servers')) {
      const server = compatibleServer.safeParse(entry).data;
      if (server && !named.has(server.name)) named.set(server.name, server);
    }
    return [...named.values()];
  }

  /** Has no models, but reports which servers of the settings cannot be used. */
  readonly unreadable: ModelSource = {
    id: 'openai-compatible-settings',
    list: () => {
      const entries = this.settings.get('openaiCompatible.servers');
      const wrong = entries.findIndex((entry) => !compatibleServer.safeParse(entry).success);
      if (wrong < 0) return Promise.resolve([]);
      const text = defineMessage(
        'Server {0} in the setting offshoot.openaiCompatible.servers can’t be read. It needs a name without a colon and an address.',
        wrong + 1,
      );
      return Promise.reject(new ModelError('invalid-server', text));
    },
    find: () => Promise.resolve(undefined),
  };

  /** The server of the two older settings, then those with names. */
  all(): ConfiguredServer[] {
    return [
      this.ready(OWN_SERVER, vscode.l10n.t('OpenAI-compatible server'), () => {
        const model = this.settings.get('openaiCompatible.model');
        const address = this.settings.get('openaiCompatible.baseUrl');
        return compatibleServerOf(address, model === '' ? [] : [model]);
      }),
      ...this.configured().map(({ name }) =>
        this.ready(idOf(name), name, () => this.configured().find((server) => server.name === name)),
      ),
    ];
  }

  find(name: string): ModelSource | undefined {
    return this.all().find(({ keyServer: { id } }) => id === idOf(name))?.source;
  }

  private ready(
    id: string,
    label: string,
    read: () => Omit<CompatibleServer, 'name'> | undefined,
  ): ConfiguredServer {
    const source = this.sources.get(id) ?? this.sourceOf(id, id === OWN_SERVER ? undefined : label, read);
    this.sources.set(id, source);
    const keyServer: KeyServer = {
      id,
      label,
      origin: () => {
        const address = read()?.address ?? '';
        return address === '' ? undefined : parseBaseUrl(address).origin;
      },
      check: (key) => source.check(key),
    };
    return { source, keyServer };
  }

  private sourceOf(
    id: string,
    label: string | undefined,
    read: () => Omit<CompatibleServer, 'name'> | undefined,
  ): OpenAiCompatibleSource {
    return new OpenAiCompatibleSource({
      id,
      ...(label === undefined ? {} : { label }),
      settings: () => {
        const { address, ...rest } = read() ?? { address: undefined, models: [] };
        return { baseUrl: address, ...rest };
      },
      keyFor: (origin) => this.keys.forSending(origin),
      fetch: this.fetch,
      looksUp: true,
    });
  }
}

/** The part before the colon in the ids of its models. */
export function idOf(name: string): string {
  return `${OWN_SERVER}.${name}`;
}

/** Undefined for other sources. */
export function serverName(source: string): string | undefined {
  return source.startsWith(`${OWN_SERVER}.`) ? source.slice(OWN_SERVER.length + 1) : undefined;
}

function compatibleServerOf(address: string, models: readonly string[]): Omit<CompatibleServer, 'name'> {
  return { address, models: [...models], headers: {}, body: {} };
}
