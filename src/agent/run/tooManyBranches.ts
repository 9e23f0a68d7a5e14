import { OffshootError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';

export class TooManyBranchesError extends OffshootError {
  constructor(readonly atOnce: number) {
    super(
      'too-many-branches',
      defineMessage(
        '{0} branches are working in their own files already. Stop one of them, or try again when one has ended.',
        atOnce,
      ),
    );
  }
}
