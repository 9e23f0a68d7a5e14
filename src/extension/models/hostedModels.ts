import { hostedProviders } from '../../agent/hosted/hostedProviders.ts';
import {
  HostedSource,
  type HostedProvider,
  type HostedSourceOptions,
} from '../../agent/hosted/hostedSource.ts';

/** A provider, and its models. */
export interface HostedModels {
  readonly provider: HostedProvider;
  readonly source: HostedSource;
}

/**
 * The models of all providers with keys. Requests have no time limit: a model that thinks for more than five minutes
 * before its first word is too slow for the fetch of Node, and a retry would cost twice.
 */
export function createHostedModels(
  optionsFor: (
    provider: HostedProvider,
  ) => Pick<HostedSourceOptions, 'keyFor' | 'baseUrl' | 'isBrowser'> &
    Required<Pick<HostedSourceOptions, 'fetch'>>,
): readonly HostedModels[] {
  return hostedProviders.map((provider) => ({
    provider,
    source: new HostedSource(provider, optionsFor(provider)),
  }));
}
