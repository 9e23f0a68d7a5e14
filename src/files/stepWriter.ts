import type { FileVersion } from '../engine/effects.ts';
import type { BlobStore } from '../engine/store.ts';
import type { FileLocation, WorkspaceFiles } from '../host/workspaceFiles.ts';
import { contentAt, contentOf, isFolder, isSameVersion, keyOf, versionOf } from './contentVersion.ts';
import { FileChangedError, NotWrittenError, VersionLostError } from './restoreErrors.ts';
import type { BranchFilesKept, FileRecord, RecordedFile, RecordedState } from './fileRecords.ts';

/** What a step does to a place. */
export type Change = Pick<RestoreStep, 'location' | 'from' | 'to' | 'madeFolders'>;

/** Runs the steps of a restore, and puts back what they replaced. Skips files that changed after their inspection. */
export class StepWriter {
  constructor(
    private readonly files: WorkspaceFiles,
    private readonly blobs: BlobStore,
  ) {}

  /** Inspects everything again, and stores what will be replaced, before touching any file. */
  async stage(steps: readonly RestoreStep[]): Promise<void> {
    const { files, blobs } = this;
    for (const { location, from, to } of steps) {
      const current = isBelowLink(location, steps) ? undefined : await contentAt(files, location, from, to);
      if (!isSameVersion(await versionOf(current), from)) throw new FileChangedError(location.path);
      if (current && current.kind !== 'folder') await blobs.put(current.bytes);
      if (to && !(await contentOf(to, blobs))) throw new VersionLostError(location.path);
    }
  }

  /** Removes first, files before folders: something may be where another one needs a folder, or a folder a file. */
  async apply(tag: string, steps: readonly Change[]): Promise<void> {
    const going = steps.filter(isRemoved);
    for (const step of going.filter(({ from }) => !isFolder(from))) await this.removeOne(step);
    await this.removeFolders(going);
    for (const step of madeFirst(steps)) await this.files.makeFolder(step.location, step.to?.mode);
    for (const step of steps.filter(isWritten)) {
      const from = isRemoved(step) ? null : step.from;
      // It may have been saved since the inspection.
      await this.verify(step.location, from, FileChangedError);
      await this.put(tag, step.location, from, step.to);
    }
  }

  private async removeOne({ location, from }: Change): Promise<void> {
    await this.verify(location, from, FileChangedError);
    if (from) await this.files.remove(location, expectedOf(from));
  }

  /** Those that are empty by now, innermost first: what others put into one keeps it. */
  private async removeFolders(going: readonly Change[]): Promise<void> {
    const folders = new Map(
      going.flatMap(({ location, from, madeFolders }) => {
        const made = madeFolders.map((path) => ({ folder: location.folder, path }));
        return [...made, ...(isFolder(from) ? [location] : [])].map((each) => [keyOf(each), each] as const);
      }),
    );
    const innermostFirst = [...folders.values()].sort((a, b) => b.path.length - a.path.length);
    for (const each of innermostFirst) await this.files.removeEmptyFolder(each);
  }

  /** @param before the file's content, checked again right before it is replaced */
  private async put(
    tag: string,
    location: FileLocation,
    before: FileVersion | null,
    version: FileVersion | null,
  ): Promise<void> {
    const { files, blobs } = this;
    if (version === null) return files.remove(location, expectedOf(before));
    const content = await contentOf(version, blobs);
    if (!content) throw new VersionLostError(location.path);
    await files.write(location, content, tag, expectedOf(before));
  }

  /** After `apply`. */
  async verifyAll(steps: readonly RestoreStep[]): Promise<void> {
    const back = steps.map(reversedChange);
    for (const { location, from, to } of steps) {
      // A folder that others put something into stays. Behind a link there is nothing of the workspace.
      if (to === null && (isFolder(from) || isBelowLink(location, back))) continue;
      await this.verify(location, to);
    }
  }

  private async verify(
    location: FileLocation,
    expected: FileVersion | null,
    failure: new (path: string) => Error = NotWrittenError,
  ): Promise<void> {
    const found = await versionOf(await contentAt(this.files, location, expected));
    if (!isSameVersion(found, expected)) throw new failure(location.path);
  }

  /** @returns the paths of files that could not be put back */
  async putBack(tag: string, steps: readonly Change[]): Promise<string[]> {
    const failed: string[] = [];
    const attempt = async (path: string, work: () => Promise<void>): Promise<void> => {
      try {
        await work();
      } catch {
        // Reported to the user; the others are still put back.
        failed.push(path);
      }
    };
    const back = steps.map(reversedChange);
    const going: Change[] = [];
    for (const step of back.filter(isRemoved)) {
      await attempt(step.location.path, async () => {
        if (!(await this.isBehindLink(step.location, back))) going.push(step);
      });
    }
    for (const step of going.filter(({ from }) => !isFolder(from))) {
      await attempt(step.location.path, () => this.takeAway(tag, step));
    }
    await attempt(going[0]?.location.path ?? '', () => this.removeFolders(going));
    for (const { location, to } of madeFirst(back)) {
      await attempt(location.path, async () => {
        await this.files.makeFolder(location, to?.mode);
      });
    }
    for (const step of back.filter(isWritten)) {
      await attempt(step.location.path, () => this.writeBack(tag, step));
    }
    return failed;
  }

  /** @param step what it was to be, from what the restore may have made of it; either may be there */
  private async takeAway(tag: string, { location, from, to }: Change): Promise<void> {
    await this.files.sweep(location, tag);
    const current = await versionOf(await contentAt(this.files, location, from, to));
    if (current === null || isSameVersion(current, to)) return;
    // Not written by this restore: another program changed it, and its change is kept.
    if (!isSameVersion(current, from)) throw new FileChangedError(location.path);
    await this.files.remove(location, expectedOf(current));
  }

  private async writeBack(tag: string, step: Change): Promise<void> {
    const { location, from, to } = step;
    await this.files.sweep(location, tag);
    const current = await versionOf(await contentAt(this.files, location, from, to));
    if (isSameVersion(current, to)) return;
    const isGone = current === null && isRemoved(step);
    if (!isGone && !isSameVersion(current, from)) throw new FileChangedError(location.path);
    await this.put(tag, location, current, to);
    await this.verify(location, to);
  }

  /** Whether the restore did not get as far as to replace the link above it: then there is nothing yet. */
  private async isBehindLink(location: FileLocation, back: readonly Change[]): Promise<boolean> {
    for (const each of back) {
      if (!isBelowLink(location, [reversedChange(each)])) continue;
      if ((await this.files.readEntry(each.location))?.kind === 'link') return true;
    }
    return false;
  }
}

/** Whether what is there has to go before anything else can be there: for good, or as a folder and a file differ. */
function isRemoved({ from, to }: Pick<Change, 'from' | 'to'>): boolean {
  return to === null || (from !== null && isFolder(from) !== isFolder(to));
}

function isWritten({ to }: Pick<Change, 'to'>): boolean {
  return to !== null && !isFolder(to);
}

/** The folders, outermost first. */
function madeFirst(steps: readonly Change[]): Change[] {
  const folders = steps.filter(({ to }) => isFolder(to));
  return folders.sort((a, b) => a.location.path.length - b.location.path.length);
}

/** Whether a link above it is replaced by a folder in the same restore: until then there is nothing. */
function isBelowLink(location: FileLocation, steps: readonly Change[]): boolean {
  return steps.some(
    ({ location: { folder, path }, from, to }) =>
      from?.kind === 'link' &&
      isFolder(to) &&
      folder === location.folder &&
      location.path.startsWith(`${path}/`),
  );
}

function reversedChange({ location, from, to, madeFolders }: Change): Change {
  return { location, from: to, to: from, madeFolders };
}

function expectedOf(version: FileVersion | null): { hash: string | null; isLink: boolean } {
  return { hash: version?.hash ?? null, isLink: version?.kind === 'link' };
}

export interface RestoreStep {
  readonly location: FileLocation;
  readonly from: FileVersion | null;
  readonly to: FileVersion | null;
  /** Removed if empty after the file is deleted. */
  readonly madeFolders: readonly string[];
  /** Its editor's unsaved text: discarded by the step, and brought back when the step is undone. */
  readonly unsaved: string | undefined;
  /** Text to put into its editor, unsaved, at the end. */
  readonly unsavedAfter?: string | undefined;
  readonly standAfter: RecordedState & Pick<RecordedFile, 'after'>;
  readonly standBefore: RecordedState;
}

export function reversed(step: RestoreStep): RestoreStep {
  const { from, to, standBefore, unsaved } = step;
  const { after: _decided, ...standAfter } = step.standAfter;
  return {
    ...step,
    from: to,
    to: from,
    unsaved: undefined,
    unsavedAfter: unsaved,
    standBefore: standAfter,
    standAfter: standBefore,
  };
}

/** What the branch of a Keep works with before it. */
export function branchFilesBefore(
  records: readonly FileRecord[],
  sequences: readonly number[],
): BranchFilesKept | undefined {
  for (const { branch, record, sequence } of records) {
    if (!sequences.includes(sequence)) continue;
    const kept = 'restoreId' in record ? record.branchFiles : undefined;
    // The entry's branch is the one that was kept, by its current name.
    if (kept) return { ...kept, branch: branch ?? kept.branch, isKept: !kept.isKept };
  }
  return undefined;
}
