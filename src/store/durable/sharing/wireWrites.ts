import { z } from 'zod';
import { artifactVersion, messageEffects } from '../../../engine/effects.ts';
import { logEventKinds } from '../../../engine/graph.ts';
import { portableChat } from '../../../engine/portableChat.ts';
import type { JsonValue } from '../../../engine/json.ts';
import { jsonObject, jsonValue } from '../../../engine/storable.ts';
import type { SaveMessages, StateChanges } from '../../../engine/store.ts';
import type { UsageNumbers } from '../../../engine/usage.ts';
import type { WriteArguments, WriteName, WriteResults } from '../../writeTypes.ts';
import {
  branchData,
  chatData,
  checkpointData,
  restoredEntry,
  savedMessage,
  trashEntry,
  whole,
} from './wireResults.ts';

// The arguments and results of writes as JSON. Data from the other process is validated before it is used.

const chatId = z.string();
const name = z.string();
/** The user who does it. */
const by = { userId: z.string().optional() };
const branch = { ...by, chatId, name };
const details = jsonObject.exactOptional();
const kind = z.enum(logEventKinds);
const naming = z.enum(['nested', 'flat']).exactOptional();
const isProvisional = z.boolean().exactOptional();

const newChat = z.object({
  id: z.string(),
  userId: z.string(),
  title: z.string().exactOptional(),
  metadata: jsonObject.exactOptional(),
});
const changes = z.object({ title: z.string().exactOptional(), metadata: jsonObject.exactOptional() });
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

const saveMessages = z
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
  .transform(({ newBranchAt, ...request }) => ({ ...request, newBranchAt }));

const all = <N extends WriteName>() => whole<WriteArguments[N]>();

type Given = { readonly [N in WriteName]: z.ZodType<WriteArguments[N]> };

const given: Given = {
  createChat: all<'createChat'>()(newChat),
  upsertChat: all<'upsertChat'>()(newChat),
  updateChat: all<'updateChat'>()(z.object({ chatId, changes })),
  updateSeenChat: all<'updateSeenChat'>()(
    z.object({
      chatId,
      seen: z
        .object({ title: z.string().optional(), metadata: jsonObject, updatedAt: z.number() })
        .transform(({ title, ...seen }) => ({ ...seen, title })),
      changes,
    }),
  ),
  addUsage: all<'addUsage'>()(z.object({ chatId, usage })),
  deleteChat: all<'deleteChat'>()(z.object({ chatId, userId: z.string().exactOptional() })),
  saveMessages: all<'saveMessages'>()(saveMessages),
  createBranch: all<'createBranch'>()(
    z.object({
      ...branch,
      headMessageId: z.string().nullable(),
      from: z.string().exactOptional(),
      activate: z.boolean().exactOptional(),
      isProvisional,
    }),
  ),
  addBranch: all<'addBranch'>()(
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
  ),
  activateBranch: all<'activateBranch'>()(z.object(branch)),
  renameBranch: all<'renameBranch'>()(z.object({ ...branch, newName: z.string() })),
  archiveBranch: all<'archiveBranch'>()(z.object(branch)),
  unarchiveBranch: all<'unarchiveBranch'>()(z.object(branch)),
  deleteBranch: all<'deleteBranch'>()(z.object(branch)),
  discardBranch: all<'discardBranch'>()(z.object(branch)),
  importChats: all<'importChats'>()(z.object({ userId: z.string(), chats: z.array(portableChat) })),
  extendChat: all<'extendChat'>()(z.object({ chatId, userId: z.string(), chat: portableChat })),
  setCheckpoint: all<'setCheckpoint'>()(z.object({ ...branch, messageId: z.string() })),
  renameCheckpoint: all<'renameCheckpoint'>()(z.object({ ...branch, newName: z.string() })),
  deleteCheckpoint: all<'deleteCheckpoint'>()(z.object(branch)),
  saveTitle: all<'saveTitle'>()(
    z.object({
      ...by,
      chatId,
      messageId: z.string(),
      title: z.string(),
      replaces: z.string().optional(),
      details,
    }),
  ),
  logEvent: all<'logEvent'>()(
    z.object({
      ...by,
      chatId,
      kind,
      branch: z.string().exactOptional(),
      messageId: z.string().exactOptional(),
      details,
    }),
  ),
  saveDraft: all<'saveDraft'>()(
    z.object({ ...by, chatId, branch: z.string(), data: z.string(), owner: z.string().nullable() }),
  ),
  deleteDraft: all<'deleteDraft'>()(z.object({ ...by, chatId, branch: z.string() })),
  restoreFromTrash: all<'restoreFromTrash'>()(z.object({ ...by, id: z.string() })),
  beginLeaving: all<'beginLeaving'>()(
    z.object({
      userId: z.string().exactOptional(),
      ids: z.array(z.string()).exactOptional(),
      deletedBefore: z.number().exactOptional(),
      blobGrace: z.number().exactOptional(),
    }),
  ),
  removePiece: all<'removePiece'>()(z.object({ first: z.int(), last: z.int() })),
  endLeaving: all<'endLeaving'>()(z.object({})),
};

/** No result, which is null in JSON. */
const nothing = z.null().transform(() => undefined);

/** Converts a result for sending; undefined where no conversion is needed. */
type Sent<N extends WriteName> = (result: WriteResults[N]) => unknown;

/** Converts it back on the other side. */
type Received<N extends WriteName> = (sent: unknown, given: WriteArguments[N]) => WriteResults[N];

const reading =
  <T>(schema: z.ZodType<T>) =>
  (sent: unknown): T =>
    schema.parse(sent);

const savedMessages = z.object({
  branch: branchData,
  messages: z.array(savedMessage),
  artifacts: z.array(artifactVersion),
});

const discardedMessages = z.object({
  messages: z.int(),
  named: z.array(z.tuple([z.string(), z.number()])).transform((entries) => new Map(entries)),
});

const received: { readonly [N in WriteName]: Received<N> } = {
  createChat: reading(chatData),
  upsertChat: reading(chatData),
  updateChat: reading(chatData),
  updateSeenChat: reading(z.union([chatData, nothing])),
  addUsage: reading(chatData),
  deleteChat: reading(z.boolean()),
  saveMessages: (sent, { messages: asked }) => {
    const { messages, ...saved } = savedMessages.parse(sent);
    const data = new Map(asked.map((message) => [message.id, message.data]));
    return { ...saved, messages: messages.map((each) => ({ ...each, data: data.get(each.id) ?? null })) };
  },
  createBranch: reading(branchData),
  addBranch: reading(branchData),
  activateBranch: reading(branchData),
  renameBranch: reading(branchData),
  archiveBranch: reading(branchData),
  unarchiveBranch: reading(branchData),
  deleteBranch: reading(trashEntry),
  discardBranch: reading(discardedMessages),
  importChats: reading(z.array(z.string())),
  extendChat: reading(z.object({ messages: z.int(), branches: z.array(z.string()) })),
  setCheckpoint: reading(checkpointData),
  renameCheckpoint: reading(checkpointData),
  deleteCheckpoint: reading(z.boolean()),
  saveTitle: reading(z.boolean()),
  logEvent: reading(nothing),
  saveDraft: reading(nothing),
  deleteDraft: reading(nothing),
  restoreFromTrash: reading(restoredEntry),
  beginLeaving: reading(z.int()),
  removePiece: reading(nothing),
  endLeaving: reading(nothing),
};

/** The caller already has the content of the messages. */
const withoutData: Sent<'saveMessages'> = ({ messages, ...saved }) => ({
  ...saved,
  messages: messages.map(({ data: _, ...message }) => message),
});
const withEntries: Sent<'discardBranch'> = ({ messages, named }) => ({ messages, named: [...named] });
const sent: { readonly [N in WriteName]?: Sent<N> } = {
  saveMessages: withoutData,
  discardBranch: withEntries,
};

/** Repeating these changes nothing, so their answers need not be stored. */
const repeatable: ReadonlySet<WriteName> = new Set<WriteName>([
  ...(['updateSeenChat', 'saveDraft', 'deleteDraft', 'removePiece', 'endLeaving'] as const),
]);

export function isRepeatable(write: WriteName): boolean {
  return repeatable.has(write);
}

/** @returns the JSON of a write's arguments */
export function packGiven<N extends WriteName>(_write: N, value: WriteArguments[N]): string {
  return JSON.stringify(value, (_key, member: unknown) => (member instanceof Map ? [...member] : member));
}

/** @throws ZodError */
export function unpackGiven<N extends WriteName>(write: N, value: unknown): WriteArguments[N] {
  return given[write].parse(value);
}

/** @returns the JSON of a write's result */
export function packResult<N extends WriteName>(write: N, result: WriteResults[N]): string {
  const pack: Sent<N> | undefined = sent[write];
  return JSON.stringify((pack ? pack(result) : result) ?? null);
}

/** @throws ZodError */
export function unpackResult<N extends WriteName>(
  write: N,
  value: unknown,
  asked: WriteArguments[N],
): WriteResults[N] {
  return received[write](value, asked);
}
