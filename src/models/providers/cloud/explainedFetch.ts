import type { ModelError } from '../../errors/modelErrors.ts';
import { serverErrorText } from '../../errors/serverErrorText.ts';
import type { Fetch } from '../../requests/originFetch.ts';

/** What the user can do about a refusal, told from its status and message; undefined: nothing special. */
export type Explain = (status: number, words: string) => ModelError | undefined;

/** A `fetch` that throws what a cloud's refusal means: the same status there is for a sign-in, a role and a model. */
export function explainedFetch(fetch: Fetch, explain: Explain): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.ok) return response;
    const text = await response.text();
    const error = explain(response.status, serverErrorText(text).text);
    if (error) throw error;
    const { status, statusText, headers } = response;
    return new Response(text, { status, statusText, headers });
  };
}
