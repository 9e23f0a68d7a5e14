import { z } from 'zod';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import { ModelError } from '../modelErrors.ts';
import { isSecretName } from '../secretNames.ts';

/** Stands for the key in the value of a header, so that no key stands in a setting. */
const KEY_PLACEHOLDER = '{key}';

const MAX_NAME = 60;

const dollars = z.number().min(0).max(1_000_000);
const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,200}$/u);

/** A server that speaks OpenAI's chat protocol, as the user has it in the settings. */
export const compatibleServer = z.object({
  /** It is part of the ids of its models; a colon ends that part. */
  name: z
    .string()
    .trim()
    .regex(new RegExp(`^[^:\\p{Cc}]{1,${MAX_NAME}}$`, 'u')),
  /** Up to and without `/chat/completions`. */
  address: z.string().trim().min(1).max(2_000),
  /** Models to offer even if the server does not list them. */
  models: z.array(z.string().trim().min(1).max(500)).max(1_000).default([]),
  /** In tokens. */
  contextWindow: z.int().positive().max(1e9).optional(),
  /** In tokens; sent as `max_tokens`. */
  maxOutputTokens: z.int().positive().max(1e9).optional(),
  /** They go with each request; `{key}` stands for the key of the server. */
  headers: z.record(headerName, z.string().max(10_000)).default({}),
  /** Members of the body of each question. */
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

/** A name for a server that none of those has: as far as a name may hold it, with a number where it is taken. */
export function freeServerName(wanted: string, taken: ReadonlySet<string>): string {
  const plain = wanted.replaceAll(':', '.');
  let name = plain.slice(0, MAX_NAME);
  for (let number = 2; taken.has(name); number += 1) {
    const end = ` ${number}`;
    name = plain.slice(0, MAX_NAME - end.length) + end;
  }
  return name;
}

/**
 * The headers of a server with its key in them.
 * @throws ModelError when one holds a secret itself: settings are synchronised, shared and read by every extension
 */
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
        'Header “{0}” holds a key. Write {1} in its place, and set the key with “Offshoot: Set API Key…”.',
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
