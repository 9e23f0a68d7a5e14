import { z } from 'zod';
import { defineMessage } from '../../../engine/messageDescriptor.ts';
import { ModelError } from '../../errors/modelErrors.ts';

/** Replaced with the key in header values, so that settings hold no key. */
const KEY_PLACEHOLDER = '{key}';

const MAX_NAME = 60;

const dollars = z.number().min(0).max(1_000_000);
const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,200}$/u);

/** A server with OpenAI's chat protocol, as configured by the user. */
export const compatibleServer = z.object({
  /** Part of its models' ids, where a colon ends it. */
  name: z
    .string()
    .trim()
    .regex(new RegExp(`^[^:\\p{Cc}]{1,${MAX_NAME}}$`, 'u')),
  /** Without the trailing `/chat/completions`. */
  address: z.string().trim().min(1).max(2_000),
  /** Models to offer even if the server does not list them. */
  models: z.array(z.string().trim().min(1).max(500)).max(1_000).default([]),
  /** In tokens. */
  contextWindow: z.int().positive().max(1e9).optional(),
  /** In tokens; sent as `max_tokens`. */
  maxOutputTokens: z.int().positive().max(1e9).optional(),
  /** Sent with each request; `{key}` is replaced with the server's key. */
  headers: z.record(headerName, z.string().max(10_000)).default({}),
  /** Extra JSON properties of each request. */
  body: z.record(z.string(), z.unknown()).default({}),
  /** In US dollars per million tokens. */
  price: z
    .object({
      input: dollars,
      output: dollars,
      cachedInput: z.exactOptional(dollars),
      cacheWrite: z.exactOptional(dollars),
    })
    .optional(),
});
export type CompatibleServer = z.infer<typeof compatibleServer>;

/** A server name that is not taken: the allowed characters of the wanted one, with a number if needed. */
export function freeServerName(wanted: string, taken: ReadonlySet<string>): string {
  const plain = wanted.replaceAll(':', '.');
  let name = plain.slice(0, MAX_NAME);
  for (let number = 2; taken.has(name); number += 1) {
    const end = ` ${number}`;
    name = plain.slice(0, MAX_NAME - end.length) + end;
  }
  return name;
}

/** @throws ModelError when one holds a secret: settings are synchronized, shared and read by every extension */
export function headersWithKey(
  headers: Readonly<Record<string, string>>,
  key: string | undefined,
): { readonly headers: Record<string, string>; readonly isKeyUsed: boolean } {
  const secret = Object.entries(headers).find(
    ([name, value]) => isSecretName(name) && !value.includes(KEY_PLACEHOLDER),
  );
  if (secret) {
    throw new ModelError(
      'secret-header',
      defineMessage(
        'Header “{0}” holds a key. Write {1} in its place, and set the key with “Offshoot: Select Model › Set API Key…”.',
        secret[0],
        KEY_PLACEHOLDER,
      ),
    );
  }
  const filled = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    if (!value.includes(KEY_PLACEHOLDER)) return [[name, value]];
    return key === undefined ? [] : [[name, value.replaceAll(KEY_PLACEHOLDER, key)]];
  });
  const isKeyUsed = Object.values(headers).some((value) => value.includes(KEY_PLACEHOLDER));
  return { headers: Object.fromEntries(filled), isKeyUsed };
}

/** Names of headers and query parameters that hold secrets. */
const SECRET =
  /^(?:proxy-)?authorization$|^cookie$|(?:^|[-_])(?:api|access|auth|subscription|secret)?[-_]?(?:key|token|secret|password|auth|signature|sig)$/iu;

export function isSecretName(name: string): boolean {
  return SECRET.test(name);
}

/** Models whose chat templates have no place for tools: a server leaves them out without a word. */
const NO_TOOLS = /gemma-?2(?![\d.])/iu;

export function hasNoTools(model: string): boolean {
  return NO_TOOLS.test(model);
}
