import { UnknownFragmentError } from '../errors.ts';
import { storable } from '../storable.ts';
import * as domain from './domain.ts';
import { isFragment, isMessageFragment, type Fragment, type FragmentData } from './fragment.ts';
import { isPromise } from './promises.ts';
import { refusePromise } from './refusePromise.ts';
import { settled } from './settled.ts';

/** A fragment as a program stores it in its own files: a plain object whose `type` determines how to read it. */
export interface SerializedFragment {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** How fragments of one type are written and read back. */
export interface FragmentCodec<T extends SerializedFragment = SerializedFragment> {
  /** Makes the fragment that an object of this type represents. */
  toFragment(serialized: T, options: CodecOptions): Fragment;
  /** The object for a fragment; undefined for fragments of other codecs. Without it, nothing is written this way. */
  fromFragment?(fragment: Fragment, options: CodecOptions): T | undefined;
}

/** Codecs by the type they read. */
export type FragmentCodecs = Readonly<Record<string, AnyFragmentCodec>>;

/** A codec of any type; as methods, its functions may each take their own type. */
interface AnyFragmentCodec {
  toFragment(serialized: SerializedFragment, options: CodecOptions): Fragment;
  fromFragment?(fragment: Fragment, options: CodecOptions): SerializedFragment | undefined;
}

/** The codecs used in addition to those of the engine's own fragments. */
export interface CodecOptions {
  /** Tried first, so that they can replace the engine's own. */
  readonly registry?: FragmentCodecs;
}

/**
 * Makes the fragment that a plain object represents: `{ type: 'hint', text }`, `{ type: 'term', name, definition }`
 * and so on for every fragment of the engine, and every type that the registry's codecs read.
 * @throws UnknownFragmentError
 * @example
 * ```ts
 * const ticket: FragmentCodec<{ type: 'ticket'; key: string }> = {
 *   toFragment: ({ key }) => fragment('ticket', key),
 *   fromFragment: ({ name, data }) => (name === 'ticket' ? { type: 'ticket', key: String(data) } : undefined),
 * };
 * const registry = { ticket };
 * const read = toFragment({ type: 'ticket', key: 'A-1' }, { registry });
 * assert.equal(new XmlRenderer().render([read]), '<ticket>A-1</ticket>');
 * assert.deepEqual(fromFragment(read, { registry }), { type: 'ticket', key: 'A-1' });
 * assert.deepEqual(toFragment({ type: 'hint', text: 'Be brief.' }), hint('Be brief.'));
 * ```
 */
export function toFragment(serialized: SerializedFragment, options: CodecOptions = {}): Fragment {
  const { type } = serialized;
  const codec = ownCodec(options.registry, type) ?? builtIn.get(type);
  if (!codec) throw new UnknownFragmentError(type);
  return codec.toFragment(serialized, options);
}

/**
 * Writes a fragment as a plain object that {@link toFragment} reads. Functions are evaluated now.
 * @throws UnknownFragmentError for a fragment no codec knows, and for messages: a store keeps those
 * @throws AsyncFragmentError for one that holds a promise
 * @example
 * ```ts
 * assert.deepEqual(fromFragment(term('AOV', 'average order value')), {
 *   type: 'term',
 *   name: 'AOV',
 *   definition: 'average order value',
 * });
 * ```
 */
export function fromFragment(fragment: Fragment, options: CodecOptions = {}): SerializedFragment {
  if (isMessageFragment(fragment)) throw new UnknownFragmentError(fragment.name);
  const { data } = fragment;
  if (typeof data === 'object' && data !== null && isPromise(data)) refusePromise(data);
  for (const codec of Object.values(options.registry ?? {})) {
    const written = codec.fromFragment?.(fragment, options);
    if (written !== undefined) return written;
  }
  const written = builtIn.get(fragment.name)?.fromFragment?.(fragment, options);
  if (!written) throw new UnknownFragmentError(fragment.name);
  return written;
}

/** Ignores inherited names such as `constructor`. */
function ownCodec(registry: FragmentCodecs | undefined, type: string): FragmentCodec | undefined {
  return registry && Object.hasOwn(registry, type) ? registry[type] : undefined;
}

/** For fragments whose data is one text. */
function textCodec(name: 'role' | 'hint', member: string): [string, FragmentCodec] {
  return [
    name,
    {
      toFragment: (serialized) => domain[name](String(serialized[member])),
      fromFragment: (fragment) => ({ type: name, [member]: storable(settled(fragment).data, name) }),
    },
  ];
}

/** For fragments whose data is an object: its members are those of the serialized form. */
function memberCodec(name: string): [string, FragmentCodec] {
  return [
    name,
    {
      toFragment: ({ type: _, ...members }, options) => ({
        name,
        type: 'fragment',
        data: Object.fromEntries(
          Object.entries(members).map(([key, value]) => [key, nested(value, options)]),
        ),
      }),
      fromFragment: ({ data }, options) => {
        if (typeof data !== 'object' || data === null) return undefined;
        const members = Object.entries(data)
          .filter(([, value]) => value !== undefined)
          .map(([key, value]) => [key, written(value, name, options)]);
        return { ...(Object.fromEntries(members) as object), type: name };
      },
    },
  ];
}

/** Fragments may be nested: in the policies of a principle, for instance. */
function nested(value: unknown, options: CodecOptions): FragmentData {
  if (Array.isArray(value)) return value.map((item: unknown) => nested(item, options));
  if (isSerialized(value)) return toFragment(value, options);
  // Accepts any data; what cannot be rendered is rejected at rendering.
  return value as FragmentData;
}

function written(value: unknown, path: string, options: CodecOptions): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => written(item, path, options));
  // A literal without a type stays as it is: any name is read back from it.
  if (isFragment(value) && value.type !== undefined) return fromFragment(value, options);
  return storable(settled({ name: path, type: 'fragment', data: value as FragmentData }).data, path);
}

function isSerialized(value: unknown): value is SerializedFragment {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

const glossary: FragmentCodec = {
  toFragment: ({ entries }) => domain.glossary(entries as Readonly<Record<string, string>>),
  fromFragment: ({ data }) => {
    if (!Array.isArray(data)) return undefined;
    const entries = data.map(({ term, expression }: { term: string; expression: string }) => [
      term,
      expression,
    ]);
    return { type: 'glossary', entries: Object.fromEntries(entries) as object };
  },
};

const builtIn: ReadonlyMap<string, FragmentCodec> = new Map([
  textCodec('role', 'content'),
  textCodec('hint', 'text'),
  ['glossary', glossary],
  ...[
    'term',
    'guardrail',
    'explain',
    'example',
    'clarification',
    'workflow',
    'quirk',
    'styleGuide',
    'analogy',
    'principle',
    'policy',
    'identity',
    'persona',
    'alias',
    'preference',
    'correction',
  ].map((name) => memberCodec(name)),
]);
