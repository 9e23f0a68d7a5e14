import { z } from 'zod';
import { artifactVersion, messageEffects, type MessageEffects } from '../../engine/effects.ts';
import type { BranchData, ChatData, CheckpointData, MessageData, StoreChange } from '../../engine/graph.ts';
import { jsonObject, jsonValue } from '../../engine/storable.ts';
import type { ExtendedChat, SavedMessages, SaveMessages } from '../../engine/store.ts';
import type { RestoredEntry, TrashEntry } from '../../engine/trash.ts';
import type { JsonValue } from '../../engine/json.ts';

/** Every member of a type, by its path, and every text that one of them may be; except inside free JSON. */
type Members<T> = [JsonValue] extends [T] ? never : MembersOfEach<T>;
type MembersOfEach<T> = T extends string
  ? string extends T
    ? never
    : `= ${T}`
  : T extends number | boolean | null | undefined | ReadonlyMap<unknown, unknown>
    ? never
    : T extends readonly (infer Element)[]
      ? Members<Element>
      : { [K in keyof T & string]-?: MemberAt<K, T[K]> }[keyof T & string];
type MemberAt<K extends string, Value> = string extends K ? never : K | `${K}.${Members<Value>}`;

type Lacking<T, Output> = Exclude<Members<T>, Members<Output>>;

/** Knows every member of a type, also optional ones: a missed one, which would be dropped, is a compile error. */
export const whole =
  <T>() =>
  <S extends z.ZodType<T>>(
    schema: S & ([Lacking<T, z.output<S>>] extends [never] ? unknown : { lacks: Lacking<T, z.output<S>> }),
  ): z.ZodType<T> =>
    schema;

// JSON leaves out undefined members; here they are restored, as in the process that wrote.

const chatData = whole<ChatData>()(
  z
    .object({
      id: z.string(),
      userId: z.string(),
      title: z.string().optional(),
      metadata: jsonObject,
      createdAt: z.number(),
      updatedAt: z.number(),
    })
    .transform(({ title, ...chat }) => ({ ...chat, title })),
);

const branchData = whole<BranchData>()(
  z
    .object({
      id: z.string(),
      chatId: z.string(),
      name: z.string(),
      headMessageId: z.string().nullable(),
      forkMessageId: z.string().nullable(),
      parentBranch: z.string().optional(),
      isActive: z.boolean(),
      messageCount: z.number(),
      createdAt: z.number(),
      archivedAt: z.number().optional(),
    })
    .transform(({ parentBranch, archivedAt, ...branch }) => ({ ...branch, parentBranch, archivedAt })),
);

const checkpointData = whole<CheckpointData>()(
  z.object({
    id: z.string(),
    chatId: z.string(),
    name: z.string(),
    messageId: z.string(),
    createdAt: z.number(),
  }),
);

const savedMessage = whole<Omit<MessageData, 'data'>>()(
  z
    .object({
      id: z.string(),
      chatId: z.string(),
      parentId: z.string().nullable(),
      depth: z.number(),
      name: z.string(),
      type: z.enum(['message', 'fragment', 'internal']),
      invocationId: z.string(),
      replaces: z.string().optional(),
      effects: messageEffects.optional(),
      createdAt: z.number(),
    })
    .transform(({ replaces, effects, ...message }) => ({
      ...message,
      replaces,
      effects: effects as MessageEffects | undefined,
    })),
);

const trashKind = z.enum(['chat', 'branch', 'checkpoint']);

const trashEntry = whole<TrashEntry>()(
  z
    .object({
      id: z.string(),
      kind: trashKind,
      chatId: z.string(),
      chatTitle: z.string().optional(),
      name: z.string().optional(),
      subject: jsonValue.optional(),
      messageCount: z.number(),
      deletedAt: z.number(),
    })
    .transform(({ chatTitle, name, subject, ...entry }) => ({ ...entry, chatTitle, name, subject })),
);

const restoredEntry = whole<RestoredEntry>()(
  z
    .object({ kind: trashKind, chatId: z.string(), name: z.string().optional() })
    .transform(({ name, ...entry }) => ({ ...entry, name })),
);

const ofChat = { chatId: z.string() };

/** No result, which is null in JSON. */
const nothing = z.null().transform(() => undefined);

const savedMessages = z.object({
  branch: branchData,
  messages: z.array(savedMessage),
  artifacts: z.array(artifactVersion),
});

export interface DiscardedMessages {
  readonly messages: number;
  /** The blobs that its messages named, by hash, with the time when the last message that named it was saved. */
  readonly named: ReadonlyMap<string, number>;
}

const discardedMessages: z.ZodType<DiscardedMessages> = z.object({
  messages: z.int(),
  named: z.array(z.tuple([z.string(), z.number()])).transform((entries) => new Map(entries)),
});

export interface ResultCodec<Result> {
  sent(result: Result): unknown;
  /** @throws ZodError */
  received(sent: unknown, given: object): Result;
}

/** A result that is its own JSON. */
function plain<Result>(schema: z.ZodType<Result>): ResultCodec<Result> {
  return { sent: (result) => result ?? null, received: (sent) => schema.parse(sent) };
}

const all = {
  /** The caller already has the content of the messages. */
  saved: {
    sent: ({ messages, ...rest }: SavedMessages): object => ({
      ...rest,
      messages: messages.map(({ data: _, ...message }) => message),
    }),
    received(sent: unknown, { messages: asked }: SaveMessages): SavedMessages {
      const { messages, ...rest } = savedMessages.parse(sent);
      const data = new Map(asked.map((message) => [message.id, message.data]));
      return { ...rest, messages: messages.map((each) => ({ ...each, data: data.get(each.id) ?? null })) };
    },
  },
  chat: plain(chatData),
  chatIfAsSeen: plain(z.union([chatData, nothing])),
  branch: plain(branchData),
  checkpoint: plain(checkpointData),
  trashEntry: plain(trashEntry),
  restored: plain(restoredEntry),
  discarded: {
    sent: ({ messages, named }: DiscardedMessages): object => ({ messages, named: [...named] }),
    received: (sent: unknown): DiscardedMessages => discardedMessages.parse(sent),
  },
  chatIds: plain(z.array(z.string())),
  extended: plain(whole<ExtendedChat>()(z.object({ messages: z.int(), branches: z.array(z.string()) }))),
  isDone: plain(z.boolean()),
  count: plain(z.int()),
  nothing: plain(nothing),
};

export type Results = { readonly [K in keyof typeof all]: ReturnType<(typeof all)[K]['received']> };

export const results: { readonly [K in keyof Results]: ResultCodec<Results[K]> } = all;

export const storeChange = whole<StoreChange>()(
  z.discriminatedUnion('kind', [
    z.object({ ...ofChat, kind: z.literal('chat'), change: z.enum(['created', 'updated', 'deleted']) }),
    z.object({
      ...ofChat,
      kind: z.literal('messages'),
      branch: z.string(),
      messageIds: z.array(z.string()),
    }),
    z.object({
      ...ofChat,
      kind: z.literal('branch'),
      branch: z.string(),
      change: z.enum(['created', 'switched', 'renamed', 'archived', 'unarchived', 'deleted', 'dropped']),
    }),
    z.object({
      ...ofChat,
      kind: z.literal('checkpoint'),
      checkpoint: z.string(),
      change: z.enum(['set', 'moved', 'renamed', 'deleted']),
    }),
    z.object({
      ...ofChat,
      kind: z.literal('draft'),
      branch: z.string(),
      change: z.enum(['saved', 'removed']),
      answerId: z.string().exactOptional(),
    }),
  ]),
);
