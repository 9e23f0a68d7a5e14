import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { CloudAccounts } from '../../host/cloudAccounts.ts';
import type { ModelSource } from '../../models/chatModel.ts';
import { ModelError } from '../../models/errors/modelErrors.ts';
import { bedrock } from '../../models/providers/cloud/bedrock.ts';
import { CloudSource, type CloudSourceOptions } from '../../models/providers/cloud/cloudSource.ts';
import { vertex, vertexClaude } from '../../models/providers/cloud/vertex.ts';
import type { VertexAccess } from '../../models/providers/cloud/vertexRequests.ts';
import type { Fetch } from '../../models/requests/originFetch.ts';
import type { Settings } from '../manifest/settings.ts';

export interface CloudSourcesOptions {
  readonly settings: Pick<Settings, 'get'>;
  /** Undefined in a browser. */
  readonly accounts: (() => Promise<CloudAccounts>) | undefined;
  readonly fetch: Fetch;
  /** Gets a line for what a response has that is not known. */
  readonly log?: { info(message: string): void };
}

/** The models of clouds; none are listed, and no tool is asked, before their settings say where they run. */
export function createCloudSources({
  settings,
  accounts,
  fetch,
  log,
}: CloudSourcesOptions): readonly ModelSource[] {
  const options = <A>(
    label: string,
    access: (from: () => Promise<CloudAccounts>) => A | undefined,
  ): CloudSourceOptions<A> => ({
    access: () => (accounts === undefined ? undefined : access(accounts)),
    missing: () => missing(label, accounts === undefined),
  });
  const ofGoogle = (label: string): CloudSourceOptions<VertexAccess> =>
    options(label, (from) => {
      const { project = '', location = '' } = settings.get('clouds').vertex ?? {};
      if (project === '') return undefined;
      checkName(project, PROJECT);
      checkName(location, REGION);
      const token = signedIn('Google Cloud', async () => (await from()).googleToken());
      const onPassedOver = (what: string): void => log?.info(`vertex: passed over ${what.slice(0, 80)}`);
      return { project, location, token, fetch, onPassedOver };
    });
  return [
    new CloudSource(
      bedrock,
      options(bedrock.label, (from) => {
        const { region = '', profile = '' } = settings.get('clouds').bedrock ?? {};
        if (region === '') return undefined;
        checkName(region, REGION);
        const credentials = signedIn('AWS', async () => (await from()).aws(profile));
        return { region, credentials, fetch };
      }),
    ),
    new CloudSource(vertex, ofGoogle(vertex.label)),
    new CloudSource(vertexClaude, ofGoogle(vertexClaude.label)),
  ];
}

/** A part of an address: nothing else may follow from a setting. */
export const REGION = /^[a-z0-9]+(?:-[a-z0-9]+)*$/u;
/** Those of a company begin with its domain. */
export const PROJECT = /^[a-z0-9][a-z0-9.:-]*$/u;

function checkName(value: string, form: RegExp): void {
  if (form.test(value)) return;
  throw new ModelError(
    'invalid-address',
    defineMessage('“{0}” can’t be used. Set the cloud up again in “Offshoot: Select Model”.', value),
  );
}

export function missing(label: string, isBrowser: boolean): ModelError {
  return isBrowser
    ? new ModelError(
        'not-in-browser',
        defineMessage(
          '{0} isn’t available in a browser: its tools keep the sign-in on a machine. Use Offshoot in VS Code on a desktop or connected to one.',
          label,
        ),
      )
    : new ModelError('not-set-up', defineMessage('{0} isn’t set up. Run “Offshoot: Select Model”.', label));
}

/** @returns what asks a tool, and tells the user what to do if nobody is signed in */
function signedIn<T>(cloud: string, ask: () => Promise<T>): () => Promise<T> {
  return async () => {
    try {
      return await ask();
    } catch (cause) {
      const { signInProblem } = await import('./signInProblem.ts');
      throw signInProblem(cloud, cause);
    }
  };
}
