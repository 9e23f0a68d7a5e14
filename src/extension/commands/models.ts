import * as vscode from 'vscode';
import type { ChatModel } from '../../agent/chatModel.ts';
import type { ModelListing } from '../../agent/modelRegistry.ts';
import { parseBaseUrl } from '../../agent/openAiCompatible.ts';
import { messageOf } from '../failures.ts';
import type { Services } from '../services.ts';
import { registerCommands } from './register.ts';

/** Who answers, and with which key. */
export function registerModelCommands(services: Services): vscode.Disposable {
  const { settings, keys, log } = services;
  return registerCommands(log, {
    selectModel: () => selectModel(services),
    setApiKey: async () => {
      const origin = await serverOrigin(services);
      if (origin !== undefined) await askKey(services, origin);
    },
    removeApiKey: async () => {
      const baseUrl = settings.get('openaiCompatible.baseUrl');
      if (baseUrl === '') return;
      const { origin } = parseBaseUrl(baseUrl);
      await keys.remove(origin);
      void vscode.window.showInformationMessage(vscode.l10n.t('The key for {0} is removed.', origin));
    },
  });
}

type ModelItem = vscode.QuickPickItem & { readonly model?: ChatModel; readonly setUp?: true };

async function selectModel(services: Services): Promise<void> {
  const { models, settings } = services;
  const picker = vscode.window.createQuickPick<ModelItem>();
  picker.title = vscode.l10n.t('Select Model');
  picker.placeholder = vscode.l10n.t('Who shall answer?');
  picker.matchOnDetail = true;
  picker.busy = true;
  // Before anything is awaited: it may be closed while servers are still asked.
  const picked = new Promise<ModelItem | undefined>((resolve) => {
    picker.onDidAccept(() => resolve(picker.selectedItems[0]));
    picker.onDidHide(() => resolve(undefined));
  });
  picker.show();
  try {
    const current = await models.current().catch(() => undefined);
    picker.items = modelPick(await models.list(), current);
    picker.activeItems = picker.items.filter(({ model }) => model !== undefined && model.id === current?.id);
    picker.busy = false;
    const item = await picked;
    picker.hide();
    if (item?.setUp) await setUpServer(services);
    else if (item?.model) await settings.set('model', item.model.id);
  } finally {
    picker.dispose();
  }
}

function modelPick({ models, problems }: ModelListing, current: ChatModel | undefined): ModelItem[] {
  return [
    ...models.flatMap((model, index) => modelItems(model, models[index - 1], current)),
    { label: vscode.l10n.t('Other'), kind: vscode.QuickPickItemKind.Separator },
    ...problems.map(({ message }) => ({ label: `$(warning) ${message}`, alwaysShow: true })),
    {
      label: `$(plug) ${vscode.l10n.t('Set up an OpenAI-compatible server…')}`,
      detail: vscode.l10n.t('Any address that speaks its chat protocol, on this machine or elsewhere'),
      alwaysShow: true,
      setUp: true,
    },
  ];
}

/** A model, below a heading where its source differs from the one before. */
function modelItems(
  model: ChatModel,
  before: ChatModel | undefined,
  current: ChatModel | undefined,
): ModelItem[] {
  const source = sourceOf(model);
  const heading =
    before && sourceOf(before) === source
      ? []
      : [{ label: sourceTitle(source), kind: vscode.QuickPickItemKind.Separator }];
  return [
    ...heading,
    {
      label: model.label,
      ...(model.id === current?.id ? { description: vscode.l10n.t('current') } : {}),
      ...(model.detail === undefined ? {} : { detail: model.detail }),
      model,
    },
  ];
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
    case 'demo':
      return vscode.l10n.t('Offline');
    default:
      return source;
  }
}

/** Address, then key, then model: each is kept as soon as it is entered. */
async function setUpServer(services: Services): Promise<void> {
  const { settings, models } = services;
  const origin = await askAddress(services);
  if (origin === undefined) return;
  await askKey(services, origin);
  const { models: found } = await models.list();
  const offered = found.filter((model) => sourceOf(model) === 'openai-compatible');
  const name =
    offered.length > 0
      ? await vscode.window.showQuickPick(
          offered.map(({ label }) => label),
          { title: vscode.l10n.t('Which model of this server?') },
        )
      : await vscode.window.showInputBox({
          title: vscode.l10n.t('Which model of this server?'),
          prompt: vscode.l10n.t('The server did not list its models. Enter the name of one.'),
          value: settings.get('openaiCompatible.model'),
          ignoreFocusOut: true,
        });
  if (name === undefined || name.trim() === '') return;
  await settings.set('openaiCompatible.model', name.trim());
  await settings.set('model', `openai-compatible:${name.trim()}`);
}

async function askAddress({ settings }: Services): Promise<string | undefined> {
  const address = await vscode.window.showInputBox({
    title: vscode.l10n.t('Address of the server'),
    prompt: vscode.l10n.t('Up to the version, as in http://localhost:1234/v1'),
    value: settings.get('openaiCompatible.baseUrl'),
    ignoreFocusOut: true,
    validateInput: (value) => {
      try {
        parseBaseUrl(value);
        return undefined;
      } catch (error) {
        return messageOf(error);
      }
    },
  });
  if (address === undefined) return undefined;
  await settings.set('openaiCompatible.baseUrl', address.trim());
  return parseBaseUrl(address).origin;
}

/** The origin of the server that is set up, or of one that is being set up now. */
async function serverOrigin(services: Services): Promise<string | undefined> {
  const baseUrl = services.settings.get('openaiCompatible.baseUrl');
  return baseUrl === '' ? askAddress(services) : parseBaseUrl(baseUrl).origin;
}

async function askKey({ keys }: Services, origin: string): Promise<void> {
  const key = await vscode.window.showInputBox({
    title: vscode.l10n.t('API key for {0}', origin),
    prompt: vscode.l10n.t(
      'Kept in the secret storage and sent to this address only. Leave it empty if none is needed.',
    ),
    password: true,
    ignoreFocusOut: true,
  });
  if (key !== undefined && key.trim() !== '') await keys.set(origin, key.trim());
}
