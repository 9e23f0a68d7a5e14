import * as vscode from 'vscode';
import {
  compatibleServer,
  freeServerName,
  type CompatibleServer,
} from '../../models/providers/compatible/compatibleServer.ts';
import { parseBaseUrl } from '../../models/providers/compatible/openAiCompatible.ts';
import { addAzure } from './addAzure.ts';
import { idOf, type CompatibleServers } from './compatibleServers.ts';
import { messageOf } from '../ui/failures.ts';
import { knownServers, type KeyedServers } from './keyedServers.ts';
import { askText } from '../ui/inputBox.ts';
import { pickOne } from '../ui/quickPick.ts';
import { askKey } from './keyCommands.ts';
import type { Settings } from '../manifest/settings.ts';

const SERVERS = 'openaiCompatible.servers';

const OTHER: ServerPreset = { name: '', address: '' };

/** Kind, address, key, model: each is saved as soon as it is entered. */
export async function addModelServer(
  deps: KeyedServers & { readonly compatible: CompatibleServers; readonly settings: Settings },
): Promise<void> {
  const { compatible, settings } = deps;
  const preset = await pickPreset();
  const address = preset && (await askAddress(preset));
  if (preset === undefined || address === undefined) return;
  if (await addAzure(deps, address)) return;
  const name = await addServer(settings, preset, address);
  const server = knownServers(deps).find(({ id }) => id === idOf(name));
  // A server on the user's own machine usually needs none, and reports it if it does.
  if (server && (await wantsKey(compatible, name, preset))) await askKey(deps, server);
  const model = await askModel(compatible, name);
  if (model === undefined) return;
  await change(settings, name, (entry) => ({ ...entry, models: [model] }));
  await settings.set('model', `${idOf(name)}:${model}`);
}

async function pickPreset(): Promise<ServerPreset | undefined> {
  const rows = serverPresets.map((preset) => ({ label: preset.name, description: preset.address, preset }));
  const other = {
    label: vscode.l10n.t('Other…'),
    description: vscode.l10n.t('Any server that speaks OpenAI’s chat protocol'),
    preset: OTHER,
  };
  const picked = await pickOne([...rows, other], { title: vscode.l10n.t('Select a model server') });
  return picked?.preset;
}

async function askAddress({ address, isTemplate = false }: ServerPreset): Promise<string | undefined> {
  const entered = await askText({
    title: vscode.l10n.t('Address of the server'),
    prompt: vscode.l10n.t('Up to the version, as in http://localhost:1234/v1'),
    value: address,
    validateInput: (value) => {
      if (isTemplate && value.trim() === address) {
        return vscode.l10n.t('Enter the address of your own resource.');
      }
      try {
        parseBaseUrl(value);
        return undefined;
      } catch (error) {
        return messageOf(error);
      }
    },
  });
  return entered?.trim();
}

/** @returns its name: that of its kind, or its host, with a number if that is taken */
async function addServer(settings: Settings, preset: ServerPreset, address: string): Promise<string> {
  const entries = settings.get(SERVERS);
  const taken = new Set(entries.flatMap((entry) => compatibleServer.safeParse(entry).data?.name ?? []));
  const name = freeServerName(preset.name === '' ? parseBaseUrl(address).hostname : preset.name, taken);
  await settings.set(SERVERS, [...entries, { name, address, ...preset.settings }]);
  return name;
}

async function change(
  settings: Settings,
  name: string,
  changed: (entry: Readonly<Record<string, unknown>>) => unknown,
): Promise<void> {
  const entries = settings.get(SERVERS);
  const isIt = (entry: unknown): entry is Record<string, unknown> =>
    compatibleServer.safeParse(entry).data?.name === name;
  await settings.set(
    SERVERS,
    entries.map((entry) => (isIt(entry) ? changed(entry) : entry)),
  );
}

async function wantsKey(
  compatible: CompatibleServers,
  name: string,
  { hasKey = false }: ServerPreset,
): Promise<boolean> {
  if (hasKey) return true;
  const source = compatible.find(name);
  try {
    await source?.list();
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'unauthorized';
  }
}

async function askModel(compatible: CompatibleServers, name: string): Promise<string | undefined> {
  const title = vscode.l10n.t('Select a model');
  const offered =
    (await compatible
      .find(name)
      ?.list()
      .catch(() => [])) ?? [];
  if (offered.length > 0) {
    const rows = offered.map(({ label }) => ({ label }));
    return (await pickOne(rows, { title }))?.label;
  }
  const entered = await askText({
    title,
    prompt: vscode.l10n.t('The server didn’t list its models. Enter the name of one.'),
  });
  const model = entered?.trim() ?? '';
  return model === '' ? undefined : model;
}

interface ServerPreset {
  /** Names of products are the same in every language. */
  readonly name: string;
  readonly address: string;
  readonly settings?: Partial<Pick<CompatibleServer, 'headers' | 'body'>>;
  /** It requires a key. */
  readonly hasKey?: boolean;
  /** The user must fill in a part of the address. */
  readonly isTemplate?: boolean;
}

const serverPresets: readonly ServerPreset[] = [
  { name: 'LM Studio', address: 'http://localhost:1234/v1' },
  { name: 'vLLM', address: 'http://localhost:8000/v1' },
  { name: 'llama.cpp', address: 'http://localhost:8080/v1' },
  {
    name: 'Azure OpenAI',
    address: 'https://YOUR-RESOURCE.openai.azure.com/openai/v1',
    settings: { headers: { 'api-key': '{key}' } },
    hasKey: true,
    isTemplate: true,
  },
];
