import { originFetch, type Fetch } from '../../requests/originFetch.ts';

/** Of a user or a role; or a key of Bedrock's own, which is sent as it is. */
export type AwsCredentials =
  | { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string }
  | { readonly bearer: string };

export interface AwsFetchOptions {
  readonly region: string;
  /** Asked for before each request, because most are valid for an hour. @throws ModelError */
  readonly credentials: () => Promise<AwsCredentials>;
  readonly fetch: Fetch;
}

/** A `fetch` for one address of Bedrock that signs what it sends. */
export function awsFetch(address: string, { region, credentials, fetch }: AwsFetchOptions): Fetch {
  const { origin } = new URL(address);
  return async (input, init) => {
    const given = await credentials();
    const url = input instanceof Request ? input.url : String(input);
    const headers = new Headers(init?.headers);
    headers.delete('authorization');
    if ('bearer' in given) {
      headers.set('authorization', `Bearer ${given.bearer}`);
      return originFetch({ origin, key: given.bearer, fetch })(url, { ...init, headers });
    }
    const { AwsV4Signer } = await import('./cloudPackages.ts');
    const { method = 'GET', body = null } = init ?? {};
    const signed = await new AwsV4Signer({
      ...given,
      url,
      method,
      headers,
      body,
      region,
      service: 'bedrock',
    }).sign();
    return originFetch({ origin, key: given.sessionToken, fetch })(url, { ...init, headers: signed.headers });
  };
}
