import type { FileVersion } from '../engine/effects.ts';
import type { BlobStore } from '../engine/store.ts';
import type { FileLocation, WorkspaceFiles } from '../host/workspaceFiles.ts';
import { contentOf, isSameVersion, keyOf, versionOf } from './contentVersion.ts';
import { FileChangedError, NotWrittenError, VersionLostError } from './restoreErrors.ts';
import type { RestoredFile } from './fileHistory.ts';

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
      const current = await files.read(location);
      if (!isSameVersion(await versionOf(current), from)) throw new FileChangedError(location.path);
      if (current) await blobs.put(current.bytes);
      if (to && !(await contentOf(to, blobs))) throw new VersionLostError(location.path);
    }
  }

  /** Deletes first: a file may be where another one needs a folder. */
  async apply(tag: string, steps: readonly RestoreStep[]): Promise<void> {
    const goes = steps.filter(({ to }) => to === null);
    for (const step of goes) await this.applyOne(tag, step);
    await this.removeFoldersOf(goes);
    for (const step of steps) if (step.to !== null) await this.applyOne(tag, step);
  }

  private async applyOne(tag: string, { location, from, to }: RestoreStep): Promise<void> {
    // It may have been saved since the inspection.
    await this.verify(location, from, FileChangedError);
    await this.put(tag, location, from, to);
  }

  private async removeFoldersOf(
    steps: readonly Pick<RestoreStep, 'location' | 'madeFolders'>[],
  ): Promise<void> {
    const folders = new Map(
      steps.flatMap(({ location: { folder }, madeFolders }) =>
        madeFolders.map((path) => [keyOf({ folder, path }), { folder, path }] as const),
      ),
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
    const expected = { hash: before?.hash ?? null };
    if (version === null) return files.remove(location, expected);
    const content = await contentOf(version, blobs);
    if (!content) throw new VersionLostError(location.path);
    await files.write(location, content, tag, expected);
  }

  async verify(
    location: FileLocation,
    expected: FileVersion | null,
    failure: new (path: string) => Error = NotWrittenError,
  ): Promise<void> {
    const found = await versionOf(await this.files.read(location));
    if (!isSameVersion(found, expected)) throw new failure(location.path);
  }

  /** @returns the paths of files that could not be put back */
  async putBack(
    tag: string,
    steps: readonly Pick<RestoreStep, 'location' | 'from' | 'to' | 'madeFolders'>[],
  ): Promise<string[]> {
    const failed: string[] = [];
    const goes = steps.filter(({ from }) => from === null);
    const attempt = async (path: string, work: () => Promise<void>): Promise<void> => {
      try {
        await work();
      } catch {
        // Reported to the user; the others are still put back.
        failed.push(path);
      }
    };
    for (const step of goes) await attempt(step.location.path, () => this.putOneBack(tag, step));
    await attempt(goes[0]?.location.path ?? '', () => this.removeFoldersOf(goes));
    for (const step of steps) {
      if (step.from !== null) await attempt(step.location.path, () => this.putOneBack(tag, step));
    }
    return failed;
  }

  private async putOneBack(
    tag: string,
    { location, from, to }: Pick<RestoreStep, 'location' | 'from' | 'to'>,
  ): Promise<void> {
    const { files } = this;
    await files.sweep(location, tag);
    const current = await versionOf(await files.read(location));
    if (isSameVersion(current, from)) return;
    // Not written by this restore: another program changed it, and its change is kept.
    if (!isSameVersion(current, to)) throw new FileChangedError(location.path);
    await this.put(tag, location, current, from);
    await this.verify(location, from);
  }
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
  readonly standAfter: Pick<RestoredFile, 'messageId' | 'version'>;
  readonly standBefore: Pick<RestoredFile, 'messageId' | 'version'>;
}

export function reversed(step: RestoreStep): RestoreStep {
  const { from, to, standBefore, standAfter, unsaved } = step;
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
