import * as vscode from 'vscode';
import { azure } from '../../models/providers/hosted/azure.ts';
import { mayHaveToken } from '../../models/providers/hosted/hostedSource.ts';
import { parseBaseUrl } from '../../models/providers/compatible/openAiCompatible.ts';
import { knownServers, type KeyedServers } from './keyedServers.ts';
import { setUpAccess } from './keyCommands.ts';
import { askText } from '../ui/inputBox.ts';
import type { Settings } from '../manifest/settings.ts';

/** A resource of Azure's; a second one is a server like any other. */
function isAzure(settings: Settings, address: string): boolean {
  const { origin } = parseBaseUrl(address);
  const current = settings.get('baseUrls')['azure'] ?? '';
  return (
    azure.session !== undefined &&
    mayHaveToken(azure.session, origin) &&
    (current === '' || URL.parse(current)?.origin === origin)
  );
}

/**
 * Deployment, model, access. Nothing is saved before the model is known.
 * @returns false for an address that is none of Azure's
 */
export async function addAzure(
  deps: KeyedServers & { readonly settings: Settings },
  address: string,
): Promise<boolean> {
  const { settings } = deps;
  if (!isAzure(settings, address)) return false;
  const deployment = await ask({
    title: vscode.l10n.t('Name of the deployment'),
    prompt: vscode.l10n.t('As the portal of Azure shows it'),
  });
  if (deployment === undefined) return true;
  const model = await ask({
    title: vscode.l10n.t('Model of the deployment'),
    prompt: vscode.l10n.t('As OpenAI names it. It tells the context window, the price and the efforts.'),
    value: deployment,
  });
  if (model === undefined) return true;
  await settings.set('baseUrls', { ...settings.get('baseUrls'), azure: apiAddress(address) });
  await settings.set('azure.deployments', { ...settings.get('azure.deployments'), [deployment]: model });
  const server = knownServers(deps).find(({ id }) => id === azure.id);
  if (server && (await setUpAccess(deps, server))) await settings.set('model', `${azure.id}:${deployment}`);
  return true;
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
