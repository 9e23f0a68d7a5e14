import type { ContextEngineOptions } from './contextEngineTypes.ts';
import { InvalidArgumentError } from './errors.ts';
import { defineMessage } from './messageDescriptor.ts';
import { checkedId, copyGiven } from './storable.ts';

/**
 * Reports missing options before the first call fails on them: not every caller is type-checked.
 * @returns a copy, which the caller cannot change
 * @throws InvalidArgumentError, InvalidNameError
 */
export function checkedOptions(options: ContextEngineOptions): ContextEngineOptions {
  const given = options as Partial<ContextEngineOptions> | null | undefined;
  if (typeof given !== 'object' || given === null) {
    throw new InvalidArgumentError(defineMessage('engine'), defineMessage('it was given no options'));
  }
  if (typeof given.store?.saveMessages !== 'function') {
    throw new InvalidArgumentError(
      defineMessage('engine'),
      defineMessage('its store is missing, or is no store'),
    );
  }
  for (const [id, what] of [
    [options.chatId, 'chat id'],
    [options.userId, 'user id'],
  ] as const) {
    if (checkedId(id, what).trim() === '') throw new InvalidArgumentError(what, defineMessage('it is blank'));
  }
  if (given.branch !== undefined) checkedId(given.branch, 'branch name');
  return { ...options, ...(options.metadata === undefined ? {} : { metadata: copyGiven(options.metadata) }) };
}
