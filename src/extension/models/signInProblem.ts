import { defineMessage, type MessageDescriptor } from '../../engine/messageDescriptor.ts';
import { CloudAccountError } from '../../host/cloudAccounts.ts';
import { quoted } from '../../models/errors/describeStatus.ts';
import { ModelError } from '../../models/errors/modelErrors.ts';

/** What the user can do about a sign-in that a cloud's tool does not give; other errors stay as they are. */
export function signInProblem(cloud: string, cause: unknown): unknown {
  return cause instanceof CloudAccountError
    ? new ModelError('sign-in', signInText(cloud, cause), { cause })
    : cause;
}

function signInText(cloud: string, { reason, command, words }: CloudAccountError): MessageDescriptor {
  switch (reason) {
    case 'none':
      return defineMessage(
        'Nobody is signed in to {0} on this machine{1} Run “{2}” in a terminal, and try again.',
        cloud,
        quoted(words),
        command,
      );
    case 'expired':
      return defineMessage(
        'The sign-in to {0} has expired. Run “{1}” in a terminal, and try again.',
        cloud,
        command,
      );
    case 'failed':
      return defineMessage(
        'Can’t use the sign-in to {0}{1} Check it with “{2}” in a terminal.',
        cloud,
        quoted(words),
        command,
      );
  }
}
