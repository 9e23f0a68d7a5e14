export type BranchFilesProblem =
  | 'no-git'
  | 'git-failed'
  | 'too-large'
  | 'not-found'
  /** Only folders on this machine can be copied. */
  | 'not-local'
  | 'no-repository'
  /** Another call or another window. */
  | 'busy'
  | 'branch-exists';

/** The message may be shown to the user. */
export class BranchFilesError extends Error {
  constructor(
    readonly code: BranchFilesProblem,
    readonly about = '',
    options: ErrorOptions = {},
  ) {
    super(messages[code].replaceAll('{0}', about), options);
    this.name = 'BranchFilesError';
  }
}

const messages: Readonly<Record<BranchFilesProblem, string>> = {
  'no-git': 'Git was not found. Install it, so that a branch can have its own files.',
  'git-failed': 'Git could not do it: {0}',
  'too-large': 'There is too much to copy: {0}.',
  'not-found': 'The files of this branch are not on this machine.',
  'not-local': 'The folder “{0}” is not on this machine, so a branch can’t have its own files.',
  busy: 'The files of this branch are being made or removed, here or in another window. Try again when that is done.',
  'no-repository': 'The folder “{0}” is in no git repository.',
  'branch-exists': 'The repository has a branch “{0}” already. Choose another name.',
};
