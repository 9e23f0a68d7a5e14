import { sentPath } from '../../engine/sentPath.ts';
import type { UIMessage, UIMessagePart } from '../../engine/uiMessage.ts';
import {
  environmentOf,
  environmentPart,
  environmentText,
  type Environment,
} from '../../models/messages/environment.ts';

/** For the newest question, unless what is sent says the same already: nothing before it changes, so it stays cached. */
export function environmentParts(now: Environment, path: readonly UIMessage[]): UIMessagePart[] {
  const known = sentPath(path)
    .flatMap(({ parts }) => parts.flatMap((part) => environmentOf(part) ?? []))
    .at(-1);
  const part = environmentPart(now);
  return !part || (known && environmentText(known) === environmentText(now)) ? [] : [part];
}
