import { NotStorableError, ImportError } from '../../engine/errors.ts';
import type { ChatData } from '../../engine/graph.ts';
import type { JsonObject, JsonValue } from '../../engine/json.ts';
import { checkedId, storable, checkedName } from '../../engine/storable.ts';
import type { ChatChanges, ChatUpdate, NewChat } from '../../engine/store.ts';
import type { UsageNumbers } from '../../engine/usage.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import { z } from 'zod';
import { portableChat, type PortableChat } from '../../engine/portableChat.ts';

/** @throws InvalidNameError, NotStorableError */
export function checkedChat(chat: NewChat): NewChat {
  return {
    id: checkedId(chat.id, 'chat id'),
    userId: checkedId(chat.userId, 'user id'),
    ...checkedChanges(chat),
  };
}

/** @throws NotStorableError */
export function checkedChanges({ title, metadata }: ChatChanges): ChatChanges {
  if (title !== undefined) storable(title, 'title');
  if (metadata === undefined) return title === undefined ? {} : { title };
  const copy = storable(metadata, 'metadata');
  if (!isJsonObject(copy)) throw new NotStorableError('metadata', 'it is not an object');
  return { ...(title === undefined ? {} : { title }), metadata: copy };
}

/** Undefined: no change. */
export function changesOf(update: Exclude<ChatUpdate, ChatChanges>, chat: ChatData): ChatChanges | undefined {
  const changes: unknown = update(chat);
  if (changes === undefined) return undefined;
  if (typeof changes !== 'object' || changes === null || 'then' in changes) {
    throw new NotStorableError('changes', 'the function has to give them at once, as an object');
  }
  return checkedChanges(changes);
}

/** The given title and metadata that the chat lacks; undefined when there are none. */
export function missingOf(found: ChatData, { title, metadata = {} }: NewChat): ChatChanges | undefined {
  const lacking = Object.entries(metadata).filter(([name]) => !Object.hasOwn(found.metadata, name));
  const lacksTitle = title !== undefined && found.title === undefined;
  if (lacking.length === 0 && !lacksTitle) return undefined;
  return { ...(lacksTitle ? { title } : {}), metadata: Object.fromEntries(lacking) };
}

export function sumUsage(before: JsonValue | undefined, added: UsageNumbers): JsonObject {
  const known = before !== undefined && isJsonObject(before) ? before : {};
  const total = (name: string, value: number | UsageNumbers): JsonValue => {
    const counted = Object.hasOwn(known, name) ? known[name] : undefined;
    if (typeof value !== 'number') return sumUsage(counted, value);
    return (typeof counted === 'number' ? counted : 0) + value;
  };
  return {
    ...known,
    ...Object.fromEntries(Object.entries(added).map(([name, value]) => [name, total(name, value)])),
  };
}

export function isJsonObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @throws InvalidArgumentError, InvalidNameError */
export function branchName(name: string): string {
  return checkedName(name, defineMessage('branch name'));
}

/** @throws InvalidArgumentError, InvalidNameError */
export function checkpointName(name: string): string {
  return checkedName(name, defineMessage('checkpoint name'));
}

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
