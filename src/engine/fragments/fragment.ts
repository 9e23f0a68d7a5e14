import { z } from 'zod';
import { InvalidArgumentError, NotStorableError } from '../errors.ts';
import { defineMessage } from '../messageDescriptor.ts';
import { isPromise, watched } from './promises.ts';
import { refusePromise } from './refusePromise.ts';
import { anyJson, copyGiven, isRevoked, MAX_DEPTH, tooDeep } from '../storable.ts';

/**
 * A piece of context. Fragments of type `message` belong to the conversation and are stored in it; all others make up
 * the system prompt. A fragment is plain data: it can be written to JSON and read back with {@link fragmentSchema},
 * except for its functions and what comes later, which `resolve()` replaces by their current values, and `settled` as
 * far as they are there at once.
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

/** What a function of a fragment is given. */
export interface FragmentContext {
  /** Aborted when nobody waits for the result any more. */
  readonly signal: AbortSignal;
}

/**
 * The content of a fragment, when it is there. A function is called each time the fragment is rendered, resolved,
 * estimated or inspected.
 */
export type FragmentValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | Date
  | ((context: FragmentContext) => FragmentData)
  | readonly FragmentData[]
  | ReadonlyMap<string, FragmentData>
  | ReadonlySet<FragmentData>
  | AsyncIterable<FragmentData>
  | Fragment
  | { readonly [key: string]: FragmentData };

/**
 * The content of a fragment. Null and undefined are empty. It may be, or hold, what comes later: a promise, a function
 * that returns one, or an async iterable, whose items become a list (those of a generator that is no function are read
 * once, and kept). `resolve()`, `save()`, `estimate()` and `inspect()` wait for all of it side by side; `render()` does
 * not wait, and refuses it.
 * @example
 * ```ts
 * const page = fragment('page', async ({ signal }) => {
 *   signal.throwIfAborted();
 *   return ['The first line.', Promise.resolve('The second.')];
 * });
 * const context = new ContextEngine({ store: new InMemoryContextStore(), chatId: 'c', userId: 'u' }).set(page);
 * const { systemPrompt } = await context.resolve({ renderer: new MarkdownRenderer() });
 * assert.equal(systemPrompt, '## Page\n- The first line.\n- The second.');
 * assert.throws(() => context.render(new MarkdownRenderer()), AsyncFragmentError);
 * ```
 */
export type FragmentData = FragmentValue | PromiseLike<FragmentValue>;

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
 * Rejects values that are not fragments, data nested too deep for a renderer, and promises in messages. Results of
 * functions and promises are checked when they are there. Of a message it returns a copy, which the caller cannot
 * change.
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
  const isMessage = isMessageFragment(given);
  check(given.data, `fragment "${given.name}"`, isMessage ? refusePromise : expectPromise);
  return isMessage ? copyGiven(given) : given;
}

const expected = new WeakSet<PromiseLike<unknown>>();

/** Nothing waits for it, and for those it comes with, before the fragment is resolved, which tells of any failure. */
function expectPromise(promise: PromiseLike<unknown>): void {
  // A query of a database client begins when something waits for it.
  if (!(promise instanceof Promise) || expected.has(promise)) return;
  expected.add(promise);
  void watched(promise.then((value) => check(value, 'fragment', expectPromise)));
}

function check(
  value: unknown,
  path: string,
  onPromise: (promise: PromiseLike<unknown>) => void,
  above = new Set<unknown>(),
): void {
  if (typeof value !== 'object' || value === null || above.has(value)) return;
  if (above.size >= MAX_DEPTH) throw tooDeep(path);
  if (isRevoked(value)) throw new NotStorableError(path, 'it holds a proxy that was revoked');
  if (isPromise(value)) {
    onPromise(value);
    return;
  }
  above.add(value);
  const members =
    value instanceof Map || value instanceof Set || Array.isArray(value)
      ? value.values()
      : Object.values(value);
  for (const member of members) check(member, path, onPromise, above);
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
 * @example fragment('rules', async ({ signal }) => (await fetch('/rules.md', { signal })).text())
 */
export function fragment(name: string, ...children: readonly FragmentData[]): Fragment {
  // One that fails before the fragment is set.
  for (const child of children) if (!isRevoked(child) && child instanceof Promise) expectPromise(child);
  const [only] = children;
  return { name, type: 'fragment', data: children.length === 1 ? only : children };
}
