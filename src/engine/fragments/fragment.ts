import { z } from 'zod';
import { InvalidArgumentError, NotStorableError } from '../errors.ts';
import { defineMessage } from '../messageDescriptor.ts';
import { refusePromise } from './refusePromise.ts';
import { anyJson, copyGiven, isRevoked, MAX_DEPTH, tooDeep } from '../storable.ts';

/**
 * A piece of context. Fragments of type `message` belong to the conversation and are stored in it; all others make up
 * the system prompt. A fragment is plain data: it can be written to JSON and read back with {@link fragmentSchema},
 * except for its functions, which `settled` replaces by their current values.
 */
export interface Fragment {
  readonly id?: string;
  readonly name: string;
  readonly data?: FragmentData;
  /** Default: `fragment`. */
  readonly type?: 'fragment' | 'message';
  /** Metadata for programs; no renderer shows it. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/**
 * The content of a fragment. Null and undefined are empty. A function is called each time the fragment is rendered or
 * resolved; it must be synchronous because rendering does not wait.
 */
export type FragmentData =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | Date
  | (() => FragmentData)
  | readonly FragmentData[]
  | ReadonlyMap<string, FragmentData>
  | ReadonlySet<FragmentData>
  | Fragment
  | { readonly [key: string]: FragmentData };

/**
 * Reads a fragment back from JSON.
 * @example fragmentSchema.parse(JSON.parse(JSON.stringify(hint('Be brief.'))))
 */
export const fragmentSchema = z.object({
  id: z.string().exactOptional(),
  name: z.string().min(1),
  data: anyJson.exactOptional(),
  type: z.enum(['fragment', 'message']).exactOptional(),
  metadata: z.record(z.string(), z.unknown()).exactOptional(),
});

const members: ReadonlySet<string> = new Set(['id', 'name', 'data', 'type', 'metadata']);

/**
 * True for a fragment nested in another's data; one without a type has to have data. An object with more members is
 * user data that looks like one, and is shown whole.
 */
export function isFragment(data: unknown): data is Fragment {
  if (typeof data !== 'object' || data === null || isRevoked(data)) return false;
  if (!('name' in data) || typeof data.name !== 'string') return false;
  if ('id' in data && data.id !== undefined && typeof data.id !== 'string') return false;
  const type = 'type' in data ? data.type : undefined;
  const isOne = type === undefined ? 'data' in data : type === 'fragment';
  return isOne && Object.keys(data).every((member) => members.has(member));
}

/**
 * Rejects values that are not fragments, and data nested too deep for a renderer. Results of functions are checked
 * when they are called. Of a message it returns a copy, which the caller cannot change.
 * @throws InvalidArgumentError, NotStorableError, AsyncFragmentError
 */
export function checkedFragment(given: Fragment): Fragment {
  const value: unknown = given;
  const isOne =
    typeof value === 'object' &&
    value !== null &&
    !isRevoked(value) &&
    'name' in value &&
    typeof value.name === 'string';
  if (!isOne)
    throw new InvalidArgumentError(
      defineMessage('fragment'),
      defineMessage('it is none; make it with user(), hint() and the like'),
    );
  check(given.data, `fragment "${given.name}"`);
  return isMessageFragment(given) ? copyGiven(given) : given;
}

function check(value: unknown, path: string, above = new Set<unknown>()): void {
  if (typeof value !== 'object' || value === null || above.has(value)) return;
  if (above.size >= MAX_DEPTH) throw tooDeep(path);
  if (isRevoked(value)) throw new NotStorableError(path, 'it holds a proxy that was revoked');
  if (value instanceof Promise) refusePromise(value);
  above.add(value);
  const members =
    value instanceof Map || value instanceof Set || Array.isArray(value)
      ? value.values()
      : Object.values(value);
  for (const member of members) check(member, path, above);
  above.delete(value);
}

/**
 * True for a fragment that belongs to the conversation.
 * @example isMessageFragment(user('Hello')) // true
 */
export function isMessageFragment(fragment: Fragment): boolean {
  return fragment.type === 'message';
}

/**
 * A fragment with any name.
 * @example fragment('database', fragment('table', 'users'), 'Read only.')
 */
export function fragment(name: string, ...children: readonly FragmentData[]): Fragment {
  const [only] = children;
  return { name, type: 'fragment', data: children.length === 1 ? only : children };
}
