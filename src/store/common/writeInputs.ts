import { z } from 'zod';
import { artifactVersion, messageEffects } from '../../engine/effects.ts';
import { logEventKinds } from '../../engine/graph.ts';
import type { JsonValue } from '../../engine/json.ts';
import { portableChat, type PortableChat } from '../../engine/portableChat.ts';
import { anyJsonObject, jsonObject, jsonValue } from '../../engine/storable.ts';
import type {
  AddBranch,
  ChatChanges,
  CreateBranch,
  NewChat,
  NewLogEvent,
  NewTitle,
  SaveMessages,
  StateChanges,
} from '../../engine/store.ts';
import type { EmptyTrash } from '../../engine/trash.ts';
import type { UsageNumbers } from '../../engine/usage.ts';
import { whole } from './writeResults.ts';

// They are a file of their own, as only what talks to other processes loads them.

const chatId = z.string();
const by = { userId: z.string().optional() };
const named = { ...by, chatId, name: z.string() };
const details = anyJsonObject.exactOptional();
const kind = z.enum(logEventKinds);
const naming = z.enum(['nested', 'flat']).exactOptional();
const isProvisional = z.boolean().exactOptional();

const newChat = whole<NewChat>()(
  z.object({
    id: z.string(),
    userId: z.string(),
    title: z.string().exactOptional(),
    metadata: jsonObject.exactOptional(),
  }),
);
const changes = whole<ChatChanges>()(
  z.object({ title: z.string().exactOptional(), metadata: jsonObject.exactOptional() }),
);
/** zod's own records leave out a member called `__proto__`. */
const usage = z.custom<UsageNumbers>((value) => isUsage(jsonObject.safeParse(value).data));

function isUsage(value: JsonValue | undefined): boolean {
  if (typeof value === 'number') return true;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && Object.values(value).every(isUsage);
}

/** The JSON of a map: a key without a value is one to be removed. */
const stateChanges = z
  .array(z.union([z.tuple([z.string()]), z.tuple([z.string(), jsonValue])]))
  .transform((entries): StateChanges => new Map(entries.map(([key, value]) => [key, value])));

const newMessage = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.enum(['message', 'fragment', 'internal']),
    data: jsonValue,
    invocationId: z.string().optional(),
    replaces: z.string().optional(),
    effects: messageEffects.optional(),
  })
  .transform(({ invocationId, replaces, effects, ...message }) => ({
    ...message,
    invocationId,
    replaces,
    effects: effects as SaveMessages['messages'][number]['effects'],
  }));

const messagesToSave = whole<SaveMessages>()(
  z
    .object({
      ...by,
      chatId,
      branch: z.string(),
      expectedHead: z.string().nullable(),
      onHeadConflict: z.enum(['error', 'fork']),
      newBranchAt: z
        .object({
          messageId: z.string().nullable(),
          why: z.enum(['edit', 'report', 'summary', 'copy', 'explore']).exactOptional(),
        })
        .optional(),
      activate: z.boolean(),
      naming,
      messages: z.array(newMessage),
      shared: z
        .object({
          user: stateChanges,
          app: stateChanges,
          userId: z.string(),
          artifacts: z.array(artifactVersion),
        })
        .exactOptional(),
      event: z.object({ kind, details }).exactOptional(),
    })
    .transform(({ newBranchAt, ...request }) => ({ ...request, newBranchAt })),
);

const branchToCreate = whole<CreateBranch>()(
  z.object({
    ...named,
    headMessageId: z.string().nullable(),
    from: z.string().exactOptional(),
    activate: z.boolean().exactOptional(),
    isProvisional,
  }),
);
const branchToAdd = whole<AddBranch>()(
  z.object({
    ...by,
    chatId,
    from: z.string(),
    messageId: z.string().nullable(),
    activate: z.boolean(),
    naming,
    isProvisional,
    event: z.enum(['rewound', 'restored', 'btw', 'branch-created']),
    details,
  }),
);

/** The version of a chat that a caller's function has read and based its changes on. */
const seen = z
  .object({ title: z.string().optional(), metadata: jsonObject, updatedAt: z.number() })
  .transform(({ title, ...rest }) => ({ ...rest, title }));

const newTitle = whole<NewTitle>()(
  z.object({
    ...by,
    chatId,
    messageId: z.string(),
    title: z.string(),
    replaces: z.string().optional(),
    details,
  }),
);
const newLogEvent = whole<NewLogEvent>()(
  z.object({
    ...by,
    chatId,
    kind,
    branch: z.string().exactOptional(),
    messageId: z.string().exactOptional(),
    details,
  }),
);

const draft = { ...by, chatId, branch: z.string() };
/** `data` is the message as JSON; `owner` the window that writes the answer, null where there is only one. */
const draftToSave = z.object({ ...draft, data: z.string(), owner: z.string().nullable() });

const answer = { ...by, chatId, answerId: z.string() };
const claimed = { ...answer, claim: z.string() };
/** `data` is the message as JSON; `owner` the window that writes it, or the process where there is only one window. */
const answerToClaim = z.object({
  ...claimed,
  branch: z.string(),
  afterId: z.string().nullable(),
  data: z.string(),
  owner: z.string(),
});
const answerToSave = z.object({
  ...claimed,
  data: z.string().exactOptional(),
  outcome: z.enum(['failed', 'cancelled', 'interrupted']).exactOptional(),
  /** A text as JSON: PostgreSQL's own cannot hold NUL. */
  error: z.string().exactOptional(),
});

const emptyTrash = whole<EmptyTrash>()(
  z.object({
    userId: z.string().exactOptional(),
    ids: z.array(z.string()).exactOptional(),
    deletedBefore: z.number().exactOptional(),
    blobGrace: z.number().exactOptional(),
  }),
);

const imported: z.ZodType<{ readonly userId: string; readonly chats: readonly PortableChat[] }> = z.object({
  userId: z.string(),
  chats: z.array(portableChat),
});
const extension: z.ZodType<{
  readonly chatId: string;
  readonly userId: string;
  readonly chat: PortableChat;
}> = z.object({
  chatId,
  userId: z.string(),
  chat: portableChat,
});

/** These also validate what another process sends as JSON. */
const all = {
  newChat,
  changes: z.object({ chatId, changes }),
  changesOfSeen: z.object({ chatId, seen, changes }),
  usage: z.object({ chatId, usage }),
  ownedChat: z.object({ chatId, userId: z.string().exactOptional() }),
  messagesToSave,
  branchToCreate,
  branchToAdd,
  named: z.object(named),
  renamed: z.object({ ...named, newName: z.string() }),
  namedMessage: z.object({ ...named, messageId: z.string() }),
  imported,
  extension,
  newTitle,
  newLogEvent,
  draftToSave,
  draft: z.object(draft),
  answer: z.object(answer),
  claimedAnswer: z.object(claimed),
  answerToClaim,
  answerToReclaim: z.object({ ...claimed, replaces: z.string(), owner: z.string() }),
  answerToSave,
  answerToFinish: z.object({ ...claimed, data: jsonValue, naming }),
  trashEntry: z.object({ ...by, id: z.string() }),
  emptyTrash,
  keys: z.object({ first: z.int(), last: z.int() }),
  nothing: z.object({}),
};

export type Inputs = { readonly [K in keyof typeof all]: z.output<(typeof all)[K]> };

export const inputs: { readonly [K in keyof Inputs]: z.ZodType<Inputs[K]> } = all;
