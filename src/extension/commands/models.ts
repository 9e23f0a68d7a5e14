import * as vscode from 'vscode';
import type { ChatModel } from '../../agent/chatModel.ts';
import type { ModelListing } from '../../agent/modelRegistry.ts';
import { parseBaseUrl } from '../../agent/openAiCompatible.ts';
import { messageOf } from '../failures.ts';
import { knownServers, serversWithKeys, type ServerWithOrigin } from '../keyedServers.ts';
import { modelDetail } from '../modelDetail.ts';
import { OWN_SERVER } from '../models.ts';
import type { Services } from '../services.ts';
import { askKey } from './keys.ts';
import { askText } from '../ui/inputBox.ts';
import { selectReasoningEffort } from './reasoningEffort.ts';
import { pickOne, PickList, type PickRow } from '../ui/quickPick.ts';

/** Who answers. */
export function registerModelCommands(services: Services): vscode.Disposable {
  return services.commands.add({
    selectModel: () => selectModel(services),
    selectReasoningEffort: () => selectReasoningEffort(services),
  });
}

export interface ModelItem extends PickRow {
  readonly choice?: { readonly model: ChatModel } | { readonly server: ServerWithOrigin } | 'own-server';
}

async function selectModel(services: Services): Promise<void> {
  const { models, settings } = services;
  const picker = new PickList<ModelItem>({
    title: vscode.l10n.t('Select Model'),
    placeholder: vscode.l10n.t('Select a model'),
    matchOnDetail: true,
  });
  picker.isBusy = true;
  // Before anything is awaited: it may be closed while servers are still asked.
  const picked = new Promise<ModelItem | undefined>((resolve) => {
    picker.onDidAccept(() => resolve(picker.selectedRows[0]));
    picker.onDidHide(() => resolve(undefined));
  });
  picker.show();
  let choice: ModelItem['choice'];
  try {
    const current = await models.current().catch(() => undefined);
    const [listing, withKeys] = await Promise.all([models.list(), serversWithKeys(services)]);
    const without = knownServers(services).filter(
      ({ id }) => id !== OWN_SERVER && !withKeys.some((server) => server.id === id),
    );
    const rows = [...modelItems(listing, current), ...setUpItems(listing, without)];
    picker.rows = rows;
    picker.activeRows = rows.filter(({ choice: each }) => isModel(each, current));
    picker.isBusy = false;
    choice = (await picked)?.choice;
  } finally {
    picker.dispose();
  }
  if (choice === undefined) return;
  if (choice === 'own-server') await setUpOwnServer(services);
  else if ('model' in choice) await settings.set('model', choice.model.id);
  // Once its key is there, its models are in the list.
  else if (await askKey(services, choice.server)) await selectModel(services);
}

function isModel(choice: ModelItem['choice'], model: ChatModel | undefined): boolean {
  return typeof choice === 'object' && 'model' in choice && choice.model.id === model?.id;
}

/** The models that can be reached, each source below a heading. */
export function modelItems({ models }: ModelListing, current: ChatModel | undefined): ModelItem[] {
  return models.flatMap((model, index): ModelItem[] => {
    const source = sourceOf(model);
    const before = models[index - 1];
    const heading = before && sourceOf(before) === source ? [] : [separator(sourceTitle(source))];
    const item = {
      label: model.label,
      detail: modelDetail(model),
      ...(model.id === current?.id ? { description: vscode.l10n.t('current') } : {}),
      choice: { model },
    };
    return [...heading, item];
  });
}

/** What could not be reached, and what could be set up. */
function setUpItems({ problems }: ModelListing, servers: readonly ServerWithOrigin[]): ModelItem[] {
  return [
    separator(vscode.l10n.t('Other')),
    ...problems.map(({ message }) => ({ icon: 'warning', label: message, alwaysShow: true })),
    ...servers.map((server) => ({
      icon: 'key',
      label: vscode.l10n.t('Set up {0}…', server.label),
      description: vscode.l10n.t('needs a key'),
      choice: { server },
    })),
    {
      icon: 'plug',
      label: vscode.l10n.t('Set up an OpenAI-compatible server…'),
      detail: vscode.l10n.t('Any address that speaks its chat protocol, on this machine or elsewhere'),
      alwaysShow: true,
      choice: 'own-server',
    },
  ];
}

function separator(label: string): ModelItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function sourceOf({ id }: ChatModel): string {
  return id.slice(0, id.indexOf(':'));
}

function sourceTitle(source: string): string {
  switch (source) {
    case 'vscode':
      return vscode.l10n.t('From VS Code');
    case 'openai-compatible':
      return vscode.l10n.t('OpenAI-compatible server');
    case 'ollama':
      return vscode.l10n.t('Ollama, on this machine');
    case 'demo':
      return vscode.l10n.t('Offline');
    default:
      return sourceNames[source] ?? source;
  }
}

/** Names of companies are the same in every language. */
const sourceNames: Readonly<Record<string, string>> = {
  anthropic: 'Anthropic',
  google: 'Google',
  groq: 'Groq',
  openai: 'OpenAI',
};

/** Address, then key, then model: each is kept as soon as it is entered. */
async function setUpOwnServer(services: Services): Promise<void> {
  const { settings, models } = services;
  if (!(await askAddress(services))) return;
  const server = knownServers(services).find(({ id }) => id === OWN_SERVER);
  if (server) await askKey(services, server);
  const { models: found } = await models.list();
  const offered = found.filter((model) => sourceOf(model) === OWN_SERVER);
  const title = vscode.l10n.t('Select a model of this server');
  const name =
    offered.length > 0
      ? (
          await pickOne(
            offered.map(({ label }) => ({ label })),
            { title },
          )
        )?.label
      : await askText({
          title,
          prompt: vscode.l10n.t('The server did not list its models. Enter the name of one.'),
          value: settings.get('openaiCompatible.model'),
        });
  if (name === undefined || name.trim() === '') return;
  await settings.set('openaiCompatible.model', name.trim());
  await settings.set('model', `${OWN_SERVER}:${name.trim()}`);
}

/** False when the person thought better of it. */
async function askAddress({ settings }: Services): Promise<boolean> {
  const address = await askText({
    title: vscode.l10n.t('Address of the server'),
    prompt: vscode.l10n.t('Up to the version, as in http://localhost:1234/v1'),
    value: settings.get('openaiCompatible.baseUrl'),
    validateInput: (value) => {
      try {
        parseBaseUrl(value);
        return undefined;
      } catch (error) {
        return messageOf(error);
      }
    },
  });
  if (address === undefined) return false;
  await settings.set('openaiCompatible.baseUrl', address.trim());
  return true;
}
