import { storable } from '../engine/storable.ts';
import type { NewMessage } from '../engine/store.ts';
import type { UIMessage } from '../engine/uiMessage.ts';

/** A message node in the format of the store. */
export function messageNode(
  name: string,
  message: UIMessage,
  more: Partial<Pick<NewMessage, 'invocationId' | 'replaces' | 'effects'>> = {},
): NewMessage {
  return {
    id: message.id,
    name,
    type: 'message',
    data: storable(message, 'message'),
    invocationId: more.invocationId,
    replaces: more.replaces,
    effects: more.effects,
  };
}
