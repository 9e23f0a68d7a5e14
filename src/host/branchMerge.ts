import { isSameBytes } from '../base/sameBytes.ts';
import type { BranchFileChange, MergedText } from './branchFiles.ts';
import type { FileContent, FileLocation } from './workspaceFiles.ts';

/** Whether its owner may execute it. */
const EXECUTABLE = 0o100;

/** A file of the target, as it is to be once it has the change of a branch. */
export interface MergedFile extends FileLocation {
  /** What is there now; null: nothing. */
  readonly now: FileContent | null;
  /** Null: it goes. Undefined: both changed it, and the two can't be merged. */
  readonly result: FileContent | null | undefined;
  /** `taken`: only the branch changed it; `merged`: both did, in different places; `same`: it is so already. */
  readonly how: 'taken' | 'merged' | 'same' | 'conflict';
  /** The other name of a file that the branch renamed. */
  readonly renamed?: string | undefined;
}

export interface MergeTarget {
  contentAt(file: FileLocation): Promise<FileContent | null>;
  mergeText(base: Uint8Array, target: Uint8Array, branch: Uint8Array): Promise<MergedText>;
}

/** Merges the changes of a branch into files that may have changed since the branch began, and writes nothing. */
export async function mergeChanges(
  changes: readonly BranchFileChange[],
  target: MergeTarget,
): Promise<MergedFile[]> {
  const merged: MergedFile[] = [];
  for (const change of changes) merged.push(...(await mergeChange(change, target)));
  return merged;
}

async function mergeChange(change: BranchFileChange, target: MergeTarget): Promise<MergedFile[]> {
  const { folder, path, oldPath, before, after } = change;
  const now = await target.contentAt({ folder, path });
  // A name that is no valid text would become another one.
  if (path.includes('\uFFFD')) return [{ folder, path, now, ...conflict() }];
  // Where a disk takes both names for the same, the file is there, and keeps its name.
  const isSameName = now !== null && oldPath?.toLowerCase() === path.toLowerCase();
  if (oldPath === undefined || isSameName) {
    return [{ folder, path, now, ...(await mergeContents(before, now, after, target)) }];
  }
  const old = await target.contentAt({ folder, path: oldPath });
  const made = { folder, path, now, renamed: oldPath };
  const gone = { folder, path: oldPath, now: old, renamed: path, result: null, how: 'taken' as const };
  if (now !== null) {
    if (!isSameContent(now, after)) return [{ ...made, ...conflict() }];
    return [{ ...made, how: 'same', result: now }, ...(isSameContent(old, before) ? [gone] : [])];
  }
  if (old === null) return [{ ...made, ...conflict() }];
  const { how, result } = await mergeContents(before, old, after, target);
  // What only moved is the same under its old name.
  const outcome = { how: how === 'same' ? ('taken' as const) : how, result };
  return [{ ...made, ...outcome }, ...(result === undefined ? [] : [gone])];
}

type Outcome = Pick<MergedFile, 'result' | 'how'>;

async function mergeContents(
  before: FileContent | null,
  now: FileContent | null,
  after: FileContent | null,
  { mergeText }: Pick<MergeTarget, 'mergeText'>,
): Promise<Outcome> {
  const [base, branch] = withLineEndsOf(now, before, after);
  if (isSameContent(now, branch)) return { how: 'same', result: now };
  if (isSameContent(now, base)) return { how: 'taken', result: branch };
  if (now === null || branch === null || ![now, branch, ...(base ? [base] : [])].every(isText))
    return conflict();
  const { bytes, conflicts } = await mergeText(base?.bytes ?? new Uint8Array(), now.bytes, branch.bytes);
  const isModeOfBranch = before !== null && after !== null && isExecutable(before) !== isExecutable(after);
  const result = { bytes, mode: isModeOfBranch ? branch.mode : now.mode };
  return { how: conflicts > 0 ? 'conflict' : 'merged', result };
}

/**
 * Git writes texts with the line ends that its settings name, whatever those in the workspace have. Where all three have
 * line ends of one kind, and the branch has not changed them, they get those of the workspace.
 */
function withLineEndsOf(
  now: FileContent | null,
  before: FileContent | null,
  after: FileContent | null,
): [FileContent | null, FileContent | null] {
  const [wanted, had] = [lineEndsOf(now), lineEndsOf(before)];
  if (wanted === undefined || had === undefined || wanted === had || lineEndsOf(after) !== had) {
    return [before, after];
  }
  const changed = (content: FileContent | null): FileContent | null =>
    content && { ...content, bytes: withLineEnds(content.bytes, wanted) };
  return [changed(before), changed(after)];
}

const [LINE_FEED, RETURN] = [0x0a, 0x0d];

type LineEnds = 'CRLF' | 'LF';

/** Undefined: it is no text, or has both or none. */
function lineEndsOf(content: FileContent | null): LineEnds | undefined {
  if (!content || !isText(content)) return undefined;
  const found = new Set<LineEnds>();
  const { bytes } = content;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
    found.add(bytes[at - 1] === RETURN ? 'CRLF' : 'LF');
  }
  return found.size === 1 ? [...found][0] : undefined;
}

/** Of bytes that have the other kind. */
function withLineEnds(bytes: Uint8Array, wanted: LineEnds): Uint8Array<ArrayBuffer> {
  const lines = bytes.reduce((count, byte) => count + (byte === LINE_FEED ? 1 : 0), 0);
  const changed = new Uint8Array(bytes.length + (wanted === 'CRLF' ? lines : -lines));
  let to = 0;
  for (const [at, byte] of bytes.entries()) {
    if (byte === LINE_FEED && wanted === 'CRLF') changed[to++] = RETURN;
    if (byte !== RETURN || bytes[at + 1] !== LINE_FEED) changed[to++] = byte;
  }
  return changed;
}

function conflict(): Outcome {
  return { how: 'conflict', result: undefined };
}

/** The same kind with the same bytes, which its owner may execute or not. */
export function isSameContent(a: FileContent | null, b: FileContent | null): boolean {
  if (a === null || b === null) return a === b;
  return a.kind === b.kind && isExecutable(a) === isExecutable(b) && isSameBytes(a.bytes, b.bytes);
}

/** Git takes a file with a zero byte for none. */
function isText({ bytes, kind }: FileContent): boolean {
  return kind === undefined && !bytes.includes(0);
}

function isExecutable({ mode = 0 }: FileContent): boolean {
  return (mode & EXECUTABLE) !== 0;
}
