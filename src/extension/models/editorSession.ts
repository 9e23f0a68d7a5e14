import { defineMessage } from '../../engine/messageDescriptor.ts';
import { ModelError } from '../../models/errors/modelErrors.ts';
import type { EditorSession } from '../../models/providerFacts.ts';

/** As VS Code's `authentication.getSession`. */
export type GetSession = (
  providerId: string,
  scopes: readonly string[],
  options: { readonly silent: true } | { readonly createIfNone: true },
) => PromiseLike<{ readonly accessToken: string } | undefined>;

/** The token of the session, which VS Code keeps and renews. Undefined: not signed in. @throws ModelError `sign-in` */
export async function sessionToken(
  { providerId, scopes }: EditorSession,
  getSession: GetSession,
): Promise<string | undefined> {
  try {
    return (await getSession(providerId, scopes, { silent: true }))?.accessToken;
  } catch (cause) {
    throw signInError(cause);
  }
}

/** @returns false when the user canceled @throws ModelError `sign-in` */
export async function askToSignIn(
  { providerId, scopes }: EditorSession,
  getSession: GetSession,
): Promise<boolean> {
  try {
    return (await getSession(providerId, scopes, { createIfNone: true })) !== undefined;
  } catch (cause) {
    // VS Code has no other way to tell.
    if (/cancel|consent/iu.test(textOf(cause))) return false;
    throw signInError(cause);
  }
}

function signInError(cause: unknown): ModelError {
  return new ModelError('sign-in', defineMessage('Can’t sign in: {0}', textOf(cause)), { cause });
}

function textOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
