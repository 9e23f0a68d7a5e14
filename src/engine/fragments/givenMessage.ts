import { InvalidArgumentError } from '../errors.ts';
import { verbatim } from '../messageDescriptor.ts';
import { assistant, user, type MessageInput } from './conversationFragments.ts';
import { checkedFragment, isMessageFragment, type Fragment } from './fragment.ts';

/**
 * A message of the user or the model, as a fragment or as the AI SDK holds it; a copy.
 * @throws InvalidArgumentError for anything else, and for an answer without an id
 */
export function givenMessage(given: Fragment | MessageInput): Fragment {
  const fragment = checkedFragment(isInput(given) ? ofInput(given) : given);
  if (!isMessageFragment(fragment) || (fragment.name !== 'user' && fragment.name !== 'assistant'))
    throw new InvalidArgumentError('message', verbatim('it is neither one of the user nor one of the model'));
  if (fragment.name === 'assistant' && fragment.id === undefined) throw withoutId();
  return fragment;
}

function isInput(given: unknown): given is MessageInput {
  return typeof given === 'object' && given !== null && 'parts' in given;
}

function ofInput(input: MessageInput): Fragment {
  // One that is made up would be no answer's.
  if (input.role === 'assistant' && input.id === undefined) throw withoutId();
  return input.role === 'assistant' ? assistant(input) : user(input);
}

function withoutId(): InvalidArgumentError {
  return new InvalidArgumentError('answer', verbatim('it has no id'));
}
