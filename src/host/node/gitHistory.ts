import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { CommittedFile, CommittedRename, CommittedHistory, FilePast } from '../committedHistory.ts';
import { uriBelow } from '../fileUri.ts';
import type { FileLocation } from '../workspaceFiles.ts';
import { git, gitList, gitText, type GitCommand } from './branchFiles/gitCommand.ts';
import { pathOf } from './fileUris.ts';
import { GitObjects } from './gitObjects.ts';
import { findRepository, type FoundRepository } from './nodeRepositoryFacts.ts';
import { isInside, relativeParts } from './workspaceRoots.ts';

/** How many versions of a file are looked for, and how many names that it had. */
const MOST_VERSIONS = 1_000;
const MOST_RENAMES = 20;

/** Of how many files it is kept what git said. */
const MOST_FILES = 16;

/** How long git may take for one answer, in milliseconds: a history may be very long. */
const GIT_MS = 10_000;

interface KnownPast {
  /** Changes with what is checked out. */
  readonly mark: string;
  readonly past: Promise<FilePast>;
}

/** Asks git about the past of files. It is asked again once something else is checked out. */
export class GitHistory implements CommittedHistory {
  private readonly known = new Map<string, KnownPast>();

  async open(location: FileLocation, since: number): Promise<CommittedFile | undefined> {
    const place = await placeOf(location);
    if (!place) return undefined;
    const key = JSON.stringify([place.workTree, place.name, place.prefix, since]);
    const mark = await markIn(place);
    let known = this.known.get(key);
    if (known?.mark !== mark) {
      known = { mark, past: readPast(place, since) };
      this.known.delete(key);
      this.known.set(key, known);
      const [oldest] = this.known.keys();
      if (this.known.size > MOST_FILES && oldest !== undefined) this.known.delete(oldest);
    }
    try {
      const past = await known.past;
      const objects = new GitObjects(place.workTree);
      return { past, read: (object) => objects.read(object), dispose: () => objects.dispose() };
    } catch (error) {
      if (this.known.get(key) === known) this.known.delete(key);
      throw error;
    }
  }

  async markOf(location: FileLocation): Promise<string | undefined> {
    const place = await placeOf(location);
    return place && markIn(place);
  }
}

interface Place extends FoundRepository {
  /** The path of the file in its work tree, as git writes it. */
  readonly name: string;
  /** That of the folder that was asked for, with a slash at its end; empty: it is the work tree, or above it. */
  readonly prefix: string;
  /** What stands before paths of the work tree that is below the folder, with a slash at its end. */
  readonly below: string;
}

async function placeOf({ folder, path: file }: FileLocation): Promise<Place | undefined> {
  if (!folder.startsWith('file:')) return undefined;
  const asked = pathOf(uriBelow(folder, file));
  const [root, parent] = await Promise.all([realOf(pathOf(folder)), realOf(path.dirname(asked))]);
  // A file of another repository within the folder belongs to that one.
  const repository = parent && (await findRepository(parent));
  if (root === undefined || !repository) return undefined;
  const { workTree } = repository;
  const slashed = (from: string, to: string): string =>
    relativeParts(from, to)
      .map((part) => `${part}/`)
      .join('');
  const name = slashed(workTree, parent) + path.basename(asked);
  if (isInside(workTree, root)) return { ...repository, name, prefix: slashed(workTree, root), below: '' };
  // A link may lead to another folder.
  return isInside(root, workTree)
    ? { ...repository, name, prefix: '', below: slashed(root, workTree) }
    : undefined;
}

function realOf(folder: string): Promise<string | undefined> {
  return realpath(folder).catch(() => undefined);
}

/** Looked up with each question, so no program is started where git logs what is checked out. */
async function markIn({ own, workTree }: Place): Promise<string> {
  const [head, log] = await Promise.all([
    readFile(path.join(own, 'HEAD'), 'utf8').catch(() => ''),
    stat(path.join(own, 'logs', 'HEAD'), { bigint: true }).catch(() => undefined),
  ]);
  const last = log ? `${log.ino} ${log.size} ${log.mtimeNs}` : await headOf(workTree);
  return JSON.stringify([head, last]);
}

/** Undefined: nothing is committed yet. */
async function headOf(workTree: string): Promise<string | undefined> {
  const isExpected = (status: number): boolean => status === 1;
  const args = ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'];
  const { status, bytes } = await git(args, { ...commandIn(workTree), isExpected });
  return status === 0 ? new TextDecoder().decode(bytes).trim() : undefined;
}

/** A repository above this one is another one, and names are no patterns. */
function commandIn(workTree: string): GitCommand {
  const env = { GIT_CEILING_DIRECTORIES: path.dirname(workTree), GIT_LITERAL_PATHSPECS: '1' };
  return { cwd: workTree, env, signal: AbortSignal.timeout(GIT_MS) };
}

async function readPast(place: Place, since: number): Promise<FilePast> {
  const { workTree } = place;
  const head = await headOf(workTree);
  const [staged, renamed] = await Promise.all([
    stagedObject(workTree, place.name),
    head === undefined ? undefined : stagedRename(workTree, head, place.name),
  ]);
  const found: (Change & { readonly path: string })[] = [];
  const renames: CommittedRename[] = [];
  let { name } = place;
  let start = head;
  const rename = (source: string | undefined, after: number, at: number): boolean => {
    const from = source === undefined ? undefined : below(place, source);
    const to = below(place, name);
    if (source === undefined || from === undefined || to === undefined) return false;
    renames.push({ from, to, after, at });
    name = source;
    return renames.length < MOST_RENAMES;
  };
  rename(renamed, -Infinity, Infinity);
  while (start !== undefined && found.length < MOST_VERSIONS) {
    const changes = await changesOf(workTree, start, name, { since, most: MOST_VERSIONS - found.length });
    // What came before the file was added is another one of that name.
    const added = changes.findIndex(({ before }) => isNone(before));
    const own = added < 0 ? changes : changes.slice(0, added + 1);
    const at = below(place, name);
    for (const change of own) if (at !== undefined) found.push({ ...change, path: at });
    const first = own.at(-1);
    if (added < 0 || !first) break;
    const { parent } = first;
    const from = parent === undefined ? undefined : await renamedFrom(workTree, parent, first.commit, name);
    if (!rename(from, changes[added + 1]?.to ?? -Infinity, first.to)) break;
    start = parent;
  }
  const last = start === undefined ? undefined : await objectAt(workTree, start, name);
  const sizes = await sizesOf(workTree, [
    ...found.map(({ object }) => object),
    ...[found.at(-1)?.before, last, staged],
  ]);
  return {
    versions: found.toReversed().flatMap(({ path: at, from, to, object }) => {
      const size = object === undefined ? undefined : sizes.get(object);
      return object === undefined || size === undefined ? [] : [{ path: at, from, to, object, size }];
    }),
    renames,
    objects: [...sizes].map(([object, size]) => ({ object, size })),
  };
}

/** A path in the folder that was asked for; undefined: it is not in it. */
function below({ prefix, below: before }: Place, name: string): string | undefined {
  return name.startsWith(prefix) ? before + name.slice(prefix.length) : undefined;
}

interface Change {
  readonly commit: string;
  /** The first one. */
  readonly parent: string | undefined;
  readonly before: string;
  /** Undefined: it is no file any more. */
  readonly object: string | undefined;
  readonly from: number;
  readonly to: number;
}

/** What has no counterpart is as many zeros. */
function isNone(object: string): boolean {
  return /^0+$/u.test(object);
}

/** Settings that would show other changes, or start a program that checks signatures. */
const plain = ['log.showSignature=false', 'log.showRoot=true', 'log.diffMerges=separate'];

/** The commits that changed a file, the latest first, each with what it made of the file. */
async function changesOf(
  workTree: string,
  start: string,
  name: string,
  { since, most }: { readonly since: number; readonly most: number },
): Promise<Change[]> {
  const shown = ['--raw', '--no-abbrev', '--no-renames', '--no-color', '--no-ext-diff', '--no-textconv'];
  const which = ['--first-parent', '-m', `--max-count=${most}`, `--max-age=${Math.floor(since / 1_000)}`];
  const format = '--format=commit %H %at %ct %P';
  const settings = plain.flatMap((setting) => ['-c', setting]);
  const text = await gitText(
    [...settings, 'log', ...which, ...shown, format, start, '--', name],
    commandIn(workTree),
  );
  return text.split(/^commit /mu).flatMap((part): Change[] => {
    const [about = '', ...rows] = part.split('\n').filter((row) => row !== '');
    const [commit = '', written, committed, parent] = about.split(' ');
    // A folder that had the name has several.
    const [row, ...others] = rows;
    const [, mode, before, object] = /^:\d+ (\d+) ([\da-f]+) ([\da-f]+) /u.exec(row ?? '') ?? [];
    if (before === undefined || object === undefined || others.length > 0) return [];
    const times = [Number(written) * 1_000, Number(committed) * 1_000];
    const isFile = mode?.startsWith('100') === true;
    return [
      {
        commit,
        parent: parent === '' ? undefined : parent,
        before,
        object: isFile ? object : undefined,
        from: Math.min(...times),
        to: Math.max(...times),
      },
    ];
  });
}

/** The name that a file had before a commit, which is no longer there. */
async function renamedFrom(
  workTree: string,
  parent: string,
  commit: string,
  name: string,
): Promise<string | undefined> {
  const args = ['diff-tree', '-r', '-z', '--raw', '-M', '--diff-filter=R', parent, commit];
  return sourceIn(await gitList(args, commandIn(workTree)), name);
}

/** The same where it is not committed yet. */
async function stagedRename(workTree: string, head: string, name: string): Promise<string | undefined> {
  if ((await objectAt(workTree, head, name)) !== undefined) return undefined;
  const args = ['diff-index', '--cached', '-z', '--raw', '-M', '--diff-filter=R', head];
  return sourceIn(await gitList(args, commandIn(workTree)), name);
}

/** @param items about each rename, three: modes and objects, the old name, the new one */
function sourceIn(items: readonly string[], name: string): string | undefined {
  const at = items.findIndex((item, index) => index % 3 === 2 && item === name);
  return items[at - 1];
}

async function stagedObject(workTree: string, name: string): Promise<string | undefined> {
  const [row] = await gitList(['ls-files', '-z', '--stage', '--', name], commandIn(workTree));
  return /^100\d+ ([\da-f]+) /u.exec(row ?? '')?.[1];
}

async function objectAt(workTree: string, commit: string, name: string): Promise<string | undefined> {
  const [row] = await gitList(['ls-tree', '-z', commit, '--', name], commandIn(workTree));
  return /^100\d+ blob ([\da-f]+)\t/u.exec(row ?? '')?.[1];
}

/** Of those that are here. */
async function sizesOf(
  workTree: string,
  objects: readonly (string | undefined)[],
): Promise<Map<string, number>> {
  const wanted = [...new Set(objects)].filter((object) => object !== undefined && !isNone(object));
  if (wanted.length === 0) return new Map();
  const input = wanted.map((object) => `${object}\n`).join('');
  const told = await gitText(['cat-file', '--batch-check'], { ...commandIn(workTree), input });
  return new Map(
    told.split('\n').flatMap((row) => {
      const [, object, size] = /^([\da-f]+) blob (\d+)$/u.exec(row) ?? [];
      return object === undefined ? [] : [[object, Number(size)] as const];
    }),
  );
}
