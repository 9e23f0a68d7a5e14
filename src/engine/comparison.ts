import { foldEffects, type ArtifactVersion, type FileVersion, type PathEffects } from './effects.ts';
import type { MessageData } from './graph.ts';
import type { JsonValue } from './json.ts';
import type { ReadonlyStore } from './readonlyStore.ts';

/** Undefined: it is missing at that point. */
export interface Difference<T> {
  readonly name: string;
  readonly left: T | undefined;
  readonly right: T | undefined;
}

/** Null: the file did not exist. */
export interface FileDifference {
  /** The URI of the workspace folder it lies in, and its path below that. */
  readonly folder: string;
  readonly path: string;
  readonly left: FileVersion | null;
  readonly right: FileVersion | null;
}

export interface Comparison {
  /** The last message they have in common; undefined when they have no common root. */
  readonly ancestor: MessageData | undefined;
  /** How many messages are only on each side. */
  readonly leftCount: number;
  readonly rightCount: number;
  readonly state: readonly Difference<JsonValue>[];
  /** By the version in force at each point. */
  readonly artifacts: readonly Difference<ArtifactVersion>[];
  /** Limited to changes made by tools. */
  readonly files: readonly FileDifference[];
}

/**
 * Compares two points of a chat, each given by its message (null: before the first). Reads only the messages between
 * them; where only one side changed a key or an artifact, also the path to where they diverge.
 * @throws MessageNotFoundError
 */
export async function compareHeads(
  store: ReadonlyStore,
  chatId: string,
  leftId: string | null,
  rightId: string | null,
): Promise<Comparison> {
  const ancestor =
    leftId === null || rightId === null ? undefined : await store.findCommonAncestor(chatId, leftId, rightId);
  const left = await ownPath(store, chatId, ancestor?.id, leftId);
  const right = await ownPath(store, chatId, ancestor?.id, rightId);
  const [ofLeft, ofRight] = [changedBy(left), changedBy(right)];
  // What one side did not change has the value it had where they diverge.
  const isOneSided = !isSame(ofLeft.keys, ofRight.keys) || !isSame(ofLeft.artifacts, ofRight.artifacts);
  const before = isOneSided && ancestor ? await store.getPath(chatId, ancestor.id) : [];
  const [base, atLeft, atRight] = [foldEffects(before), foldEffects(left), foldEffects(right)];
  const valueAt = (side: PathEffects, changed: Changed, key: string): JsonValue | undefined =>
    (changed.keys.has(key) ? side : base).state.get(key);
  const versionAt = (side: PathEffects, name: string): ArtifactVersion | undefined =>
    (side.artifacts.get(name) ?? base.artifacts.get(name))?.at(-1);
  return {
    ancestor,
    leftCount: left.length,
    rightCount: right.length,
    state: differences(
      new Set([...ofLeft.keys, ...ofRight.keys]),
      (key) => valueAt(atLeft, ofLeft, key),
      (key) => valueAt(atRight, ofRight, key),
      (value) => JSON.stringify(value),
    ),
    artifacts: differences(
      new Set([...ofLeft.artifacts, ...ofRight.artifacts]),
      (name) => versionAt(atLeft, name),
      (name) => versionAt(atRight, name),
      ({ hash, mediaType }) => `${hash} ${mediaType}`,
    ),
    files: fileDifferences(left, right),
  };
}

/** The messages of a head after the ancestor; without an ancestor, all of them. */
export async function ownPath(
  store: ReadonlyStore,
  chatId: string,
  ancestorId: string | undefined,
  headId: string | null,
): Promise<MessageData[]> {
  if (headId === null) return [];
  if (ancestorId === undefined) return store.getPath(chatId, headId);
  return (await store.getPathAfter(chatId, ancestorId, headId)) ?? [];
}

interface Changed {
  readonly keys: ReadonlySet<string>;
  readonly artifacts: ReadonlySet<string>;
}

function changedBy(path: readonly MessageData[]): Changed {
  const keys = new Set<string>();
  const artifacts = new Set<string>();
  for (const { effects } of path) {
    for (const key of Object.keys(effects?.state?.set ?? {})) keys.add(key);
    for (const key of effects?.state?.deleted ?? []) keys.add(key);
    for (const { name } of effects?.artifacts ?? []) artifacts.add(name);
  }
  return { keys, artifacts };
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((name) => other.has(name));
}

function differences<T>(
  names: Iterable<string>,
  leftOf: (name: string) => T | undefined,
  rightOf: (name: string) => T | undefined,
  identity: (value: T) => string,
): Difference<T>[] {
  const identityOf = (value: T | undefined): string | undefined =>
    value === undefined ? undefined : identity(value);
  return [...names]
    .sort()
    .map((name) => ({ name, left: leftOf(name), right: rightOf(name) }))
    .filter(({ left, right }) => identityOf(left) !== identityOf(right));
}

function fileDifferences(left: readonly MessageData[], right: readonly MessageData[]): FileDifference[] {
  const [ofLeft, ofRight] = [filesOf(left), filesOf(right)];
  const found: FileDifference[] = [];
  for (const [key, file] of new Map([...ofLeft, ...ofRight])) {
    const [one, other] = [ofLeft.get(key), ofRight.get(key)];
    // A side that did not change the file has it as the other side found it.
    const difference = {
      folder: file.folder,
      path: file.path,
      left: one ? one.after : (other?.before ?? null),
      right: other ? other.after : (one?.before ?? null),
    };
    if (fileIdentity(difference.left) !== fileIdentity(difference.right)) found.push(difference);
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

interface FileSpan {
  readonly folder: string;
  readonly path: string;
  readonly before: FileVersion | null;
  readonly after: FileVersion | null;
}

function filesOf(path: readonly MessageData[]): Map<string, FileSpan> {
  const files = new Map<string, FileSpan>();
  for (const { effects } of path) {
    for (const { folder, path: name, before, after } of effects?.files ?? []) {
      const key = JSON.stringify([folder, name]);
      const known = files.get(key);
      files.set(key, { folder, path: name, before: known ? known.before : before, after });
    }
  }
  return files;
}

function fileIdentity(version: FileVersion | null): string {
  return version === null ? '' : `${version.hash} ${version.mode ?? ''} ${version.kind ?? ''}`;
}
