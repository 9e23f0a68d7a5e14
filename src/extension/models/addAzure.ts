import * as vscode from 'vscode';
import { azure } from '../../models/providers/hosted/azure.ts';
import { mayHaveToken } from '../../models/providers/hosted/hostedSource.ts';
import { parseBaseUrl } from '../../models/providers/compatible/openAiCompatible.ts';
import { knownServers, type KeyedServers } from './keyedServers.ts';
import { setUpAccess } from './keyCommands.ts';
import { askText } from '../ui/inputBox.ts';
import type { Settings } from '../manifest/settings.ts';

/** Whether an address is a resource of Azure's that is set up here; a second one is a server like any other. */
export function isAzure(settings: Settings, address: string): boolean {
  const { origin } = parseBaseUrl(address);
  const current = settings.get('baseUrls')['azure'] ?? '';
  return (
    azure.session !== undefined &&
    mayHaveToken(azure.session, origin) &&
    (current === '' || URL.parse(current)?.origin === origin)
  );
}

/** Deployment, model, access: nothing is saved before the last answer but one. */
export async function addAzure(
  deps: KeyedServers & { readonly settings: Settings },
  address: string,
): Promise<void> {
  const { settings } = deps;
  const deployment = await ask({
    title: vscode.l10n.t('Name of the deployment'),
    prompt: vscode.l10n.t('As the portal of Azure shows it'),
  });
  if (deployment === undefined) return;
  const model = await ask({
    title: vscode.l10n.t('Model of the deployment'),
    prompt: vscode.l10n.t('As OpenAI names it. It tells the context window, the price and the efforts.'),
    value: deployment,
  });
  if (model === undefined) return;
  await settings.set('baseUrls', { ...settings.get('baseUrls'), azure: apiAddress(address) });
  await settings.set('azure.deployments', { ...settings.get('azure.deployments'), [deployment]: model });
  const server = knownServers(deps).find(({ id }) => id === azure.id);
  if (server && (await setUpAccess(deps, server))) await settings.set('model', `${azure.id}:${deployment}`);
}

async function ask(options: Parameters<typeof askText>[0]): Promise<string | undefined> {
  const entered = (await askText(options))?.trim() ?? '';
  return entered === '' ? undefined : entered;
}

/** The portal also shows the address of the resource without the API's path. */
function apiAddress(address: string): string {
  const { origin, pathname } = parseBaseUrl(address);
  return origin + (pathname === '/' ? '/openai/v1' : pathname);
}
