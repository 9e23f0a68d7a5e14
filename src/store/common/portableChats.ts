import { z } from 'zod';
import { ImportError } from '../../engine/errors.ts';
import type { JsonValue } from '../../engine/json.ts';
import { portableChat, type PortableChat } from '../../engine/portableChat.ts';
import { checkedId } from '../../engine/storable.ts';
import { isJsonObject } from './chatChanges.ts';

/** @throws ImportError with the position of the first problem */
export function checkedChats(given: readonly unknown[]): PortableChat[] {
  const read = z.array(portableChat).safeParse(given);
  if (!read.success) throw ImportError.of(read.error, 'chats');
  return read.data;
}

/** @throws ImportError with the position of the first problem */
export function checkedExtension(
  chatId: string,
  copy: PortableChat,
  userId: string,
): { readonly chatId: string; readonly userId: string; readonly chat: PortableChat } {
  const read = portableChat.safeParse(copy);
  if (!read.success) throw ImportError.of(read.error, 'the chat');
  return { chatId, userId: checkedId(userId, 'user id'), chat: read.data };
}

/** A message contains its own id; a wrong one would be mistaken for another message. */
export function withId(data: JsonValue, id: string): JsonValue {
  const isOther = isJsonObject(data) && 'parts' in data && 'id' in data && data['id'] !== id;
  return isOther ? { ...data, id } : data;
}

/** JSON has no undefined, and exported data must equal the imported data. */
export function withoutUndefined(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
