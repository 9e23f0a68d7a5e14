import { z } from 'zod';
import { toBase64 } from '../../../engine/bytes.ts';
import { defineMessage } from '../../../engine/messageDescriptor.ts';
import { ModelError } from '../../errors/modelErrors.ts';
import type { SignInPaths } from '../../providerFacts.ts';
import { requestModelList } from '../modelList.ts';
import type { Fetch } from '../../requests/originFetch.ts';

/** A sign-in whose page was not visited yet. */
export interface StartedSignIn {
  /** For the user's browser. */
  readonly page: string;
  /** Gives the key for the code the page ends with. @throws ModelError `sign-in` */
  readonly keyFor: (code: string) => Promise<string>;
}

export interface SignInOptions {
  readonly baseUrl: string;
  readonly paths: SignInPaths;
  /** Opened by the page, with a `code`. */
  readonly callback: string;
  readonly label: string;
  readonly fetch: Fetch;
  /** In milliseconds. */
  readonly timeout: number;
}

const answer = z.object({ key: z.string().min(1) });

/** Random bytes in a verifier: 43 letters, the fewest that RFC 7636 allows. */
const VERIFIER_BYTES = 32;

/**
 * Starts a sign-in with a code challenge: a code that others see is useless without the verifier, which stays here.
 * https://openrouter.ai/docs/use-cases/oauth-pkce
 */
export async function startSignIn({
  baseUrl,
  paths,
  callback,
  label,
  fetch,
  timeout,
}: SignInOptions): Promise<StartedSignIn> {
  const verifier = urlSafe(crypto.getRandomValues(new Uint8Array(VERIFIER_BYTES)));
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const page = new URL(paths.page, baseUrl);
  page.searchParams.set('callback_url', callback);
  page.searchParams.set('code_challenge', urlSafe(new Uint8Array(hash)));
  page.searchParams.set('code_challenge_method', 'S256');
  return {
    page: page.href,
    keyFor: async (code) => {
      const body = JSON.stringify({ code, code_verifier: verifier, code_challenge_method: 'S256' });
      try {
        return await requestModelList({
          url: new URL(baseUrl + paths.exchange),
          headers: { 'content-type': 'application/json' },
          fetch: (input, init) => fetch(input, { ...init, method: 'POST', body }),
          timeout,
          read: (given) => answer.safeParse(given).data?.key,
        });
      } catch (cause) {
        throw new ModelError(
          'sign-in',
          defineMessage('{0} gave no key. Sign in again, or enter a key.', label),
          { cause },
        );
      }
    },
  };
}

function urlSafe(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/u, '');
}
