import { z } from 'zod';
import { InvalidArgumentError } from '../errors.ts';
import { defineMessage } from '../messageDescriptor.ts';
import { anyJson, MAX_DEPTH, tooDeep } from '../storable.ts';

/**
 * A piece of context. Those of type `message` are said in the conversation and stored in it; the others make up the
 * system prompt. A fragment is plain data: it can be written to JSON and read back with {@link fragmentSchema}, except
 * for the functions in it, which `settled` replaces by what they say at that moment.
 */
export interface Fragment {
  readonly id?: string;
  readonly name: string;
  readonly data?: FragmentData;
  readonly type: 'fragment' | 'message';
  /** What programs note about it; no renderer shows it. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/**
 * What a fragment says. Null and undefined say nothing. A function is asked anew each time the fragment is rendered or
 * resolved; it answers at once, for rendering does not wait.
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
  type: z.enum(['fragment', 'message']),
  metadata: z.record(z.string(), z.unknown()).exactOptional(),
});

const members: ReadonlySet<string> = new Set(['id', 'name', 'data', 'type', 'metadata']);

/**
 * True for a fragment in the data of another. What has further members is somebody's data that looks like one, and is
 * shown whole.
 */
export function isFragment(data: unknown): data is Fragment {
  return (
    typeof data === 'object' &&
    data !== null &&
    'type' in data &&
    data.type === 'fragment' &&
    'name' in data &&
    typeof data.name === 'string' &&
    Object.keys(data).every((member) => members.has(member))
  );
}

/**
 * Refuses what is no fragment, and data nested so deep that no renderer could write it. What functions answer is looked
 * at when they are asked.
 * @throws InvalidArgumentError, NotStorableError
 */
export function checkedFragment(given: Fragment): Fragment {
  const value: unknown = given;
  const isOne =
    typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';
  if (!isOne)
    throw new InvalidArgumentError(
      defineMessage('fragment'),
      defineMessage('it is none; make it with user(), hint() and the like'),
    );
  checkDepth(given.data, `fragment "${given.name}"`);
  return given;
}

function checkDepth(value: unknown, path: string, above = new Set<unknown>()): void {
  if (typeof value !== 'object' || value === null || above.has(value)) return;
  if (above.size >= MAX_DEPTH) throw tooDeep(path);
  above.add(value);
  const members =
    value instanceof Map || value instanceof Set || Array.isArray(value)
      ? value.values()
      : Object.values(value);
  for (const member of members) checkDepth(member, path, above);
  above.delete(value);
}

/**
 * True for a fragment that is said in the conversation.
 * @example isMessageFragment(user('Hello')) // true
 */
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
