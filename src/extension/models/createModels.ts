import * as vscode from 'vscode';
import { DemoModelSource } from '../../models/demo/demoModel.ts';
import { createHostedSources, type HostedSource } from '../../models/providers/hosted/hostedSource.ts';
import { localServers, LocalSource, sourcesToAsk } from '../../models/providers/compatible/localServers.ts';
import { parseBaseUrl } from '../../models/providers/compatible/openAiCompatible.ts';
import { ModelOverrides } from '../../models/modelOverrides.ts';
import { ModelRegistry } from '../../models/modelRegistry.ts';
import { OllamaSource } from '../../models/providers/ollama/ollamaSource.ts';
import { VsCodeModelSource } from '../../models/providers/vscode/vscodeLmModel.ts';
import type { Host } from '../../host/hostMachine.ts';
import type { ChatModel, ReasoningEffort } from '../../models/chatModel.ts';
import type { Disposable } from '../../base/disposable.ts';
import { ApiKeys } from './apiKeys.ts';
import { createCloudSources } from './cloudAccess.ts';
import { CompatibleServers, OWN_SERVER } from './compatibleServers.ts';
import type { KeyServer, ServerSignIn } from './keyedServers.ts';
import { selectedEffort } from './reasoningEffort.ts';
import { askToSignIn, sessionToken, type GetSession } from './editorSession.ts';
import type { SettingValues } from '../manifest/ids.ts';
import type { Settings } from '../manifest/settings.ts';
import { SignIns } from './signIns.ts';
import { withProgress } from '../ui/progress.ts';
import { vscodeModels } from './vscodeModels.ts';

export interface Models extends Disposable {
  readonly models: ModelRegistry;
  readonly keys: ApiKeys;
  /** As the settings have them now. */
  readonly keyServers: () => readonly KeyServer[];
  readonly compatible: CompatibleServers;
  readonly signIns: SignIns;
  /** Undefined: the model's default. */
  readonly effort: (model: ChatModel) => ReasoningEffort | undefined;
}

export function createModels(
  settings: Settings,
  secrets: vscode.SecretStorage,
  { isBrowser, fetch, cloudAccounts }: Pick<Host, 'isBrowser' | 'fetch' | 'cloudAccounts'>,
  log: Pick<vscode.LogOutputChannel, 'info'>,
  extensionId: string,
  openFolders: () => readonly { readonly name: string }[],
): Models {
  const keys = new ApiKeys(secrets);
  const keyFor = (origin: string): Promise<string | undefined> => keys.forSending(origin);
  const baseUrl = (id: keyof SettingValues['baseUrls']) => (): string | undefined =>
    settings.get('baseUrls')[id];
  const hosted = createHostedSources(({ id, session }) => ({
    keyFor,
    ...(session === undefined ? {} : { session: () => sessionToken(session, getSession) }),
    baseUrl: baseUrl(id),
    ...(id === 'azure' ? { names: () => settings.get('azure.deployments') } : {}),
    fetch,
    isBrowser,
    log,
  }));
  const clouds = createCloudSources({ settings, accounts: cloudAccounts, fetch, log });
  const compatible = new CompatibleServers(settings, keys, fetch);
  const vscodeSource = new VsCodeModelSource(vscodeModels);
  const ollama = new OllamaSource({
    address: baseUrl('ollama'),
    contextLength: () => settings.get('ollama.contextLength') || undefined,
    fetch,
  });
  const local = localServers.map(
    (server) => new LocalSource(server, { keyFor, address: baseUrl(server.id), fetch }),
  );
  const isOn = (): boolean => settings.get('localServers.enabled');
  const lookedFor = (): LocalSource[] =>
    sourcesToAsk(local, {
      isOn: isOn(),
      added: [
        settings.get('openaiCompatible.baseUrl'),
        ...compatible.configured().map(({ address }) => address),
      ],
    });
  const demo = new DemoModelSource({
    pace: () => settings.get('demo.pace'),
    window: () => ({
      language: vscode.env.language,
      isTrusted: vscode.workspace.isTrusted,
      isBrowser,
      folders: openFolders().map(({ name }) => name),
      shell: vscode.env.shell,
    }),
  });
  const overrides = new ModelOverrides(() => settings.get('modelOverrides'));
  const models = new ModelRegistry({
    adjust: (model) => overrides.apply(model),
    sources: () => [
      vscodeSource,
      ...hosted,
      ...clouds,
      ...(isOn() || (baseUrl('ollama')() ?? '').trim() !== '' ? [ollama] : []),
      ...lookedFor(),
      ...compatible.all().map(({ source }) => source),
      compatible.unreadable,
      overrides.unreadable,
      demo,
    ],
    chosen: () => chosenModel(settings),
  });
  const signIns = new SignIns({
    callbackTo: async (path) => {
      const link = vscode.Uri.from({ scheme: vscode.env.uriScheme, authority: extensionId, path });
      return (await vscode.env.asExternalUri(link)).toString(true);
    },
    open: (page) => vscode.env.openExternal(vscode.Uri.parse(page)),
  });
  const hostedServers: KeyServer[] = hosted.map((source) => ({
    id: source.id,
    label: source.provider.label,
    keyPage: source.provider.keyPage,
    origin: () => source.origin,
    check: (key: string) => source.check(key),
    ...signInOf(source, keys, signIns),
  }));
  const keyServers = (): KeyServer[] => [
    ...hostedServers,
    ...compatible.all().map(({ keyServer }) => keyServer),
    ...lookedFor().map((source) => ({
      id: source.id,
      label: source.label,
      origin: () => parseBaseUrl(source.address).origin,
      check: (key: string) => source.check(key),
    })),
  ];
  return {
    models,
    keys,
    keyServers,
    compatible,
    signIns,
    effort: (model) => selectedEffort(settings, model),
    dispose: () => keys.dispose(),
  };
}

const getSession: GetSession = (providerId, scopes, options) =>
  vscode.authentication.getSession(providerId, scopes, options);

/** Either the editor keeps a session, or the user's browser gives a key. */
function signInOf(source: HostedSource, keys: ApiKeys, signIns: SignIns): { readonly signIn?: ServerSignIn } {
  const { label, session } = source.provider;
  const { signIn: start } = source;
  if (session !== undefined) {
    const title = vscode.l10n.t('Sign In with Microsoft');
    return { signIn: { title, run: () => askToSignIn(session, getSession) } };
  }
  if (start === undefined) return {};
  const run = async (): Promise<boolean> => {
    const { origin } = source;
    const key = await signInWithBrowser(signIns, start, label);
    if (key === undefined || origin === undefined) return false;
    await keys.set(origin, key);
    return true;
  };
  return { signIn: { title: vscode.l10n.t('Sign In to {0}', label), run } };
}

/** The key; undefined when the user stops it. */
async function signInWithBrowser(
  signIns: SignIns,
  start: NonNullable<HostedSource['signIn']>,
  label: string,
): Promise<string | undefined> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('Sign in to {0} in your browser', label),
    cancellable: true,
  };
  return withProgress(options, async (_progress, token) => {
    const stopping = new AbortController();
    const listener = token.onCancellationRequested(() => stopping.abort());
    try {
      return await signIns.run(start, label, stopping.signal);
    } finally {
      listener.dispose();
    }
  });
}

/** The model that was picked; else the one of the configured server; else none, and the demo answers. */
function chosenModel(settings: Settings): string | undefined {
  const picked = settings.get('model');
  if (picked !== '') return picked;
  const model = settings.get('openaiCompatible.model');
  const isSetUp = settings.get('openaiCompatible.baseUrl') !== '' && model !== '';
  return isSetUp ? `${OWN_SERVER}:${model}` : undefined;
}
