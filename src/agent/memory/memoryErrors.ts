import { OffshootError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';

export class KnownFactError extends OffshootError {
  constructor(fact: string) {
    super('known-fact', defineMessage('“{0}” is remembered there already.', fact));
  }
}

export class UnknownFactError extends OffshootError {
  constructor(fact: string) {
    super('unknown-fact', defineMessage('“{0}” isn’t remembered there. Give the line exactly.', fact));
  }
}

/** A line would stand where it counts as no fact. */
export class NoPlaceForFactError extends OffshootError {
  constructor() {
    super(
      'no-place-for-fact',
      defineMessage(
        'It can’t be added: use other words, or close the last code block or comment of the file.',
      ),
    );
  }
}

export class MemoryFullError extends OffshootError {
  constructor() {
    super('memory-full', defineMessage('The branch remembers no more. Forget something first.'));
  }
}

export class MemoryUnavailableError extends OffshootError {
  constructor() {
    super('no-memory', defineMessage('There is no such memory here. Open a folder, or choose another one.'));
  }
}

/** The file is as it was. */
export class MemoryFileError extends OffshootError {
  constructor(
    problem: 'too-large' | 'no-text' | 'read-only' | 'unsaved' | 'busy',
    /** As the user names it. */
    readonly file: string,
  ) {
    super(`memory-${problem}`, messageFor(problem, file));
  }
}

function messageFor(problem: ConstructorParameters<typeof MemoryFileError>[0], file: string) {
  switch (problem) {
    case 'too-large':
      return defineMessage('“{0}” is too large to be used. Shorten it first.', file);
    case 'no-text':
      return defineMessage('“{0}” is no text that can be changed. Save it as UTF-8 first.', file);
    case 'read-only':
      return defineMessage('“{0}” is read-only, and was not changed.', file);
    case 'unsaved':
      return defineMessage('“{0}” has changes in the editor that are not saved. Save it first.', file);
    case 'busy':
      return defineMessage('“{0}” is being changed by others. Try again.', file);
  }
}
