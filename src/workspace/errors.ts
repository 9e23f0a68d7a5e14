import { OffshootError } from '../engine/errors.ts';

/** A file holds something else than it did when its change was decided on. */
export class FileChangedError extends OffshootError {
  constructor(path: string) {
    super(
      'file-changed',
      `“${path}” was changed meanwhile; it was left alone. Look at it again, then try once more.`,
    );
  }
}

/** What was written did not read back the same. */
export class NotWrittenError extends OffshootError {
  constructor(path: string) {
    super(
      'not-written',
      `“${path}” does not hold what was written to it. Check the disk, and who else writes there.`,
    );
  }
}

/** The bytes of an earlier version are not to be had. */
export class VersionLostError extends OffshootError {
  constructor(path: string) {
    super(
      'version-lost',
      `The earlier content of “${path}” is not kept any more, so that nothing was restored.`,
    );
  }
}

/** Nothing was restored; every file is as it was before, but for those named. */
export class RestoreFailedError extends OffshootError {
  constructor(
    readonly notPutBack: readonly string[],
    options: ErrorOptions,
  ) {
    const reason = options.cause instanceof Error ? ` ${options.cause.message}` : '';
    super(
      'restore-failed',
      notPutBack.length === 0
        ? `The files could not be restored, and all of them are as they were before.${reason}`
        : `The files could not be restored, and these could not be put back: ${notPutBack.join(', ')}.${reason}`,
      options,
    );
  }
}
