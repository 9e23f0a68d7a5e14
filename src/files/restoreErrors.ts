import { OffshootError, errorDescriptor } from '../engine/errors.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';

export class FileChangedError extends OffshootError {
  constructor(path: string) {
    super(
      'file-changed',
      defineMessage('“{0}” changed in the meantime and was skipped. Review it, then try again.', path),
    );
  }
}

export class NotWrittenError extends OffshootError {
  constructor(path: string) {
    super(
      'not-written',
      defineMessage(
        '“{0}” does not hold what was written to it. Check the disk, and who else writes there.',
        path,
      ),
    );
  }
}

export class VersionLostError extends OffshootError {
  constructor(path: string) {
    super(
      'version-lost',
      defineMessage('The earlier content of “{0}” is not kept any more, so that nothing was restored.', path),
    );
  }
}

/** Nothing was restored; every file is as before, except those named. */
export class RestoreFailedError extends OffshootError {
  constructor(
    readonly notPutBack: readonly string[],
    options: ErrorOptions,
  ) {
    const { cause } = options;
    const hasReason = cause instanceof Error && cause.message !== '';
    const outcome =
      notPutBack.length === 0
        ? defineMessage('The files could not be restored, and all of them are as they were before.')
        : defineMessage(
            'The files could not be restored, and these could not be put back: {0}.',
            notPutBack.join(', '),
          );
    super(
      'restore-failed',
      hasReason ? defineMessage('{0} {1}', outcome, errorDescriptor(cause)) : outcome,
      options,
    );
  }
}
