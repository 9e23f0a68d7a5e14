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
import { PickList, pickOne, type PickRow } from '../ui/quickPick.ts';
import { askKey } from './keyCommands.ts';
import type { Settings } from '../manifest/settings.ts';

const SERVERS = 'openaiCompatible.servers';

const OTHER: ServerPreset = { name: '', address: '' };

/** Kind, address, key, model: each is saved as soon as it is entered. */
export async function addModelServer(
  deps: KeyedServers & { readonly compatible: CompatibleServers; readonly settings: Settings },
): Promise<void> {
  const { compatible, settings } = deps;
  const { preset, typed } = (await pickPreset()) ?? {};
  const address = typed ?? (preset && (await askAddress(preset)));
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

export interface PresetRow extends PickRow {
  readonly preset: ServerPreset;
  /** An address that was typed into the list, which is not asked for again. */
  readonly typed?: string;
}

/** Typed words narrow the list down; an address among them is a row of its own. */
export function presetRows(value: string): PresetRow[] {
  const typed = value.trim();
  const own: PresetRow = { label: typed, icon: 'add', alwaysShow: true, preset: OTHER, typed };
  return [
    ...(problemWith(typed) === undefined ? [own] : []),
    ...serverPresets.map((preset) => ({ label: preset.name, description: preset.address, preset })),
    {
      label: vscode.l10n.t('Other…'),
      description: vscode.l10n.t('Any server that speaks OpenAI’s chat protocol'),
      preset: OTHER,
    },
  ];
}

async function pickPreset(): Promise<PresetRow | undefined> {
  const picker = new PickList<PresetRow>({
    title: vscode.l10n.t('Select a model server'),
    placeholder: vscode.l10n.t('Select a kind of server, or enter its address'),
    matchOnDescription: true,
  });
  picker.rows = presetRows('');
  try {
    return await new Promise<PresetRow | undefined>((resolve) => {
      picker.onDidChangeValue((value) => (picker.rows = presetRows(value)));
      picker.onDidAccept(() => resolve(picker.activeRows[0]));
      picker.onDidHide(() => resolve(undefined));
      picker.show();
    });
  } finally {
    picker.dispose();
  }
}

function problemWith(address: string): string | undefined {
  try {
    parseBaseUrl(address);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
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
      return problemWith(value);
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
