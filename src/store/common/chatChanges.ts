import type { MessageEffects } from '../../engine/effects.ts';
import { NotStorableError, ImportError } from '../../engine/errors.ts';
import type { ChatData } from '../../engine/graph.ts';
import type { JsonObject, JsonValue } from '../../engine/json.ts';
import { checkedId, storable, storableJson, checkedName } from '../../engine/storable.ts';
import type {
  ChatChanges,
  ChatUpdate,
  NewChat,
  NewMessage,
  SaveMessages,
  StateChanges,
} from '../../engine/store.ts';
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

/**
 * A copy of messages to save: the store may have to be opened first, and the caller may change its own until then.
 * @throws NotStorableError
 */
export function checkedMessages(request: SaveMessages): SaveMessages {
  const { messages, newBranchAt, shared, event } = request;
  return {
    ...request,
    messages: messages.map(checkedMessage),
    newBranchAt: newBranchAt && { ...newBranchAt },
    ...(shared && {
      shared: {
        ...shared,
        user: checkedState(shared.user),
        app: checkedState(shared.app),
        artifacts: shared.artifacts.map((artifact) => ({ ...artifact })),
      },
    }),
    ...(event && { event: { ...event, ...checkedDetails(event) } }),
  };
}

function checkedMessage(message: NewMessage): NewMessage {
  const { data, effects } = message;
  return {
    ...message,
    data: storable(data, 'message'),
    // A copy has the same members.
    effects: effects && (storableJson(effects, 'effects') as unknown as MessageEffects),
  };
}

function checkedState(changes: StateChanges): StateChanges {
  const copied = ([key, value]: [string, JsonValue | undefined]) =>
    [key, value === undefined ? undefined : storable(value, key)] as const;
  return new Map(Array.from(changes, copied));
}

/** A copy of the details of a log entry, if it has any. @throws NotStorableError */
export function checkedDetails({ details }: { readonly details?: JsonObject }): {
  readonly details?: JsonObject;
} {
  if (details === undefined) return {};
  const copy = storableJson(details, 'details');
  if (!isJsonObject(copy)) throw new NotStorableError('details', 'it is not an object');
  return { details: copy };
}

/** A copy of counts. @throws NotStorableError */
export function checkedUsage(usage: UsageNumbers): UsageNumbers {
  // A copy has the same members.
  return storable(usage, 'usage') as UsageNumbers;
}

/** The changes that a caller's function returns for a copy of the chat; undefined: no change. */
export function changesOf(update: Exclude<ChatUpdate, ChatChanges>, chat: ChatData): ChatChanges | undefined {
  const changes: unknown = update(chat);
  if (changes === undefined) return undefined;
  // The error below is the answer, whatever becomes of the promise.
  if (changes instanceof Promise) changes.catch(() => undefined);
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
