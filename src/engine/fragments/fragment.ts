import { z } from 'zod';

/**
 * A piece of context. Those of type `message` are said in the conversation and stored in it; the others make up the
 * system prompt. A fragment is plain data: it can be written to JSON and read back with {@link fragmentSchema}.
 */
export interface Fragment {
  readonly id?: string;
  readonly name: string;
  readonly data?: FragmentData;
  readonly type: 'fragment' | 'message';
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** What a fragment says. Null and undefined are left out when it is rendered; a function is called each time anew. */
export type FragmentData =
  | string
  | number
  | boolean
  | null
  | undefined
  | (() => FragmentData)
  | readonly FragmentData[]
  | Fragment
  | { readonly [key: string]: FragmentData };

/** Reads a fragment back from JSON. */
export const fragmentSchema = z.object({
  id: z.string().optional(),
  name: z.string().min(1),
  data: z.json().optional(),
  type: z.enum(['fragment', 'message']),
  metadata: z.record(z.string(), z.unknown()).optional(),
});

/** True for a fragment, in whatever data it stands. */
export function isFragment(data: unknown): data is Fragment {
  return (
    typeof data === 'object' &&
    data !== null &&
    'type' in data &&
    (data.type === 'fragment' || data.type === 'message') &&
    'name' in data &&
    typeof data.name === 'string'
  );
}

/** True for a fragment that is said in the conversation. */
export function isMessageFragment(fragment: Fragment): boolean {
  return fragment.type === 'message';
}

/**
 * A fragment of any name.
 * @example fragment('database', fragment('table', 'users'), 'Read only.')
 */
export function fragment(name: string, ...children: readonly FragmentData[]): Fragment {
  const [only] = children;
  return { name, type: 'fragment', data: children.length === 1 ? only : children };
}
