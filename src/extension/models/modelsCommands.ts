import * as vscode from 'vscode';
import type { Host } from '../../host/hostMachine.ts';
import type { ChatModel, ReasoningEffort } from '../../models/chatModel.ts';
import type { ModelListing, ModelRegistry } from '../../models/modelRegistry.ts';
import { serverName } from './compatibleServers.ts';
import { knownServers, serversWithKeys, type ServerWithOrigin } from './keyedServers.ts';
import { localServers } from '../../models/providers/compatible/localServers.ts';
import { cloudRows, type CloudSetup } from './cloudSetups.ts';
import { modelDetail } from './modelDetail.ts';
import { addModelServer } from './addModelServer.ts';
import { keyCommands, setUpAccess } from './keyCommands.ts';
import { PickList, pickOne, type PickRow } from '../ui/quickPick.ts';
import type { CommandHandlers, NamesOf } from '../commands/commandHandlers.ts';
import { cloudProviders, effortsOf, hostedProviders } from '../../models/modelProviders.ts';
import { effortText, selectedEffort } from './reasoningEffort.ts';
import { runCommand } from '../manifest/runCommand.ts';
import { notify } from '../ui/notifications.ts';
import type { Settings } from '../manifest/settings.ts';

export function modelsCommands(
  deps: Parameters<typeof selectModel>[0],
): CommandHandlers<'selectModel' | 'addModelServer' | 'selectReasoningEffort' | NamesOf<typeof keyCommands>> {
  return {
    selectModel: () => selectModel(deps),
    addModelServer: () => addModelServer(deps),
    selectReasoningEffort: () => selectReasoningEffort(deps.models, deps.settings),
    ...keyCommands(deps),
  };
}

/** What else is set up in the list of models, by the command that does it. */
type OtherChoice = 'addModelServer' | 'setApiKey' | 'removeApiKey';

export interface ModelItem extends PickRow {
  readonly choice?:
    | { readonly model: ChatModel }
    | { readonly server: ServerWithOrigin }
    | { readonly cloud: CloudSetup }
    | OtherChoice;
}

async function selectModel(
  deps: Parameters<typeof addModelServer>[0] & {
    readonly models: ModelRegistry;
    readonly host: Pick<Host, 'cloudAccounts'>;
  },
): Promise<void> {
  const { models, settings } = deps;
  const picker = new PickList<ModelItem>({
    title: vscode.l10n.t('Select Model'),
    placeholder: vscode.l10n.t('Select a model'),
    matchOnDetail: true,
  });
  picker.isBusy = true;
  // Before any await: the list may be closed while servers are still being asked.
  const picked = new Promise<ModelItem | undefined>((resolve) => {
    picker.onDidAccept(() => resolve(picker.selectedRows[0]));
    picker.onDidHide(() => resolve(undefined));
  });
  picker.show();
  let choice: ModelItem['choice'];
  try {
    const current = await models.current().catch(() => undefined);
    const [listing, withKeys] = await Promise.all([models.list(), serversWithKeys(deps)]);
    const without = knownServers(deps).filter(
      ({ id, keyPage }) =>
        keyPage !== undefined &&
        !withKeys.some((server) => server.id === id) &&
        !listing.models.some((model) => sourceOf(model) === id),
    );
    const clouds = cloudRows(settings, deps.host);
    const rows = [
      ...modelItems(listing, current),
      ...setUpItems(listing, without, clouds, withKeys.length > 0),
    ];
    picker.rows = rows;
    picker.activeRows = rows.filter(({ choice: each }) => isModel(each, current));
    picker.isBusy = false;
    choice = (await picked)?.choice;
  } finally {
    picker.dispose();
  }
  if (choice === undefined) return;
  if (typeof choice === 'string') await runCommand(`offshoot.${choice}`);
  else if ('model' in choice) await settings.set('model', choice.model.id);
  else {
    const isSetUp = 'cloud' in choice ? await choice.cloud.run() : await setUpAccess(deps, choice.server);
    // Its models are in the list now.
    if (isSetUp) await selectModel(deps);
  }
}

function isModel(choice: ModelItem['choice'], model: ChatModel | undefined): boolean {
  return typeof choice === 'object' && 'model' in choice && choice.model.id === model?.id;
}

/** Each source below a heading. */
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

function setUpItems(
  { problems }: ModelListing,
  servers: readonly ServerWithOrigin[],
  clouds: readonly ModelItem[],
  hasKeys: boolean,
): ModelItem[] {
  return [
    separator(vscode.l10n.t('Other')),
    ...problems.map(({ message }) => ({ icon: 'warning', label: message, alwaysShow: true })),
    ...servers.map((server) => ({
      icon: 'key',
      label: vscode.l10n.t('Set up {0}…', server.label),
      description: server.signIn ? vscode.l10n.t('needs a sign-in or a key') : vscode.l10n.t('needs a key'),
      choice: { server },
    })),
    ...clouds,
    {
      icon: 'plug',
      label: vscode.l10n.t('Add Model Server…'),
      detail: vscode.l10n.t('LM Studio, vLLM, llama.cpp, Azure OpenAI, or any OpenAI-compatible address'),
      alwaysShow: true,
      choice: 'addModelServer',
    },
    { icon: 'key', label: vscode.l10n.t('Set API Key…'), alwaysShow: true, choice: 'setApiKey' },
    ...(hasKeys
      ? [
          {
            icon: 'trash',
            label: vscode.l10n.t('Remove API Key…'),
            alwaysShow: true,
            choice: 'removeApiKey' as const,
          },
        ]
      : []),
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
      return vscode.l10n.t('{0}, on this machine', 'Ollama');
    case 'demo':
      return vscode.l10n.t('Offline');
    default: {
      const local = localServers.find(({ id }) => id === source);
      if (local) return vscode.l10n.t('{0}, on this machine', local.label);
      return (
        serverName(source) ??
        [...hostedProviders, ...cloudProviders].find(({ id }) => id === source)?.label ??
        source
      );
    }
  }
}

interface EffortRow extends PickRow {
  /** Undefined: the model's default. */
  readonly effort: ReasoningEffort | undefined;
}

/** The selection applies to this model from then on. */
async function selectReasoningEffort(models: ModelRegistry, settings: Settings): Promise<void> {
  const model = await models.current();
  const efforts = effortsOf(model);
  if (efforts.length === 0) {
    void notify.information(vscode.l10n.t('{0} has no reasoning effort to select', model.label));
    return;
  }
  const selected = selectedEffort(settings, model);
  const rows = [undefined, ...efforts].map((effort): EffortRow => ({
    effort,
    label: effort === undefined ? vscode.l10n.t('Default') : effortText(effort),
    ...(effort === selected ? { description: vscode.l10n.t('current') } : {}),
  }));
  const picked = await pickOne(rows, {
    title: vscode.l10n.t('Select Reasoning Effort'),
    placeHolder: vscode.l10n.t('Select how much {0} thinks before it answers', model.label),
  });
  if (!picked) return;
  const { [model.id]: _before, ...others } = settings.get('reasoningEffort');
  await settings.set(
    'reasoningEffort',
    picked.effort === undefined ? others : { ...others, [model.id]: picked.effort },
  );
}
