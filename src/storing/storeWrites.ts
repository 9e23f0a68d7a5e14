import { z } from 'zod';
import { artifactVersion, messageEffects } from '../engine/effects.ts';
import { logEventKinds, type StoreChange } from '../engine/graph.ts';
import type { JsonValue } from '../engine/json.ts';
import { portableChat, type PortableChat } from '../engine/portableChat.ts';
import { checkedId, jsonObject, jsonValue, storable } from '../engine/storable.ts';
import type {
  AddBranch,
  ChatChanges,
  CreateBranch,
  NewChat,
  NewLogEvent,
  NewTitle,
  SaveMessages,
  StateChanges,
} from '../engine/store.ts';
import type { EmptyTrash } from '../engine/trash.ts';
import type { UsageNumbers } from '../engine/usage.ts';
import { branchName, checkpointName } from './chatChanges.ts';
import { checkedChats, checkedExtension } from './portableChats.ts';
import { results, whole, type ResultCodec } from './writeResults.ts';

/** What holds of a write in every store. */
export interface Write<Given, Result> {
  /** Its input. What another process sends as JSON is validated by it. */
  readonly given: z.ZodType<Given>;
  readonly result: ResultCodec<Result, Given>;
  /** Repeating it changes nothing, so its answers need not be stored. Default: no. */
  readonly isRepeatable?: boolean;
  /** The changes announced to windows that did not request it. Default: all of them. */
  announced?(given: Given): readonly StoreChange[] | undefined;
  /** Its parameters as a method of a store; the rest of the input is an object after them. Left out: it is none. */
  readonly parameters?: readonly string[];
  /** Checks what a method was called with. */
  checked?(given: Given): Given;
}

type Further<Given> = Pick<Write<Given, unknown>, 'isRepeatable' | 'announced'>;

function write<Given, Result>(
  given: z.ZodType<Given>,
  result: ResultCodec<Result, NoInfer<Given>>,
  further: Further<NoInfer<Given>> = {},
): Omit<Write<Given, Result>, 'parameters'> {
  return { given, result, ...further };
}

interface Method<Given, Result, P extends readonly string[]> extends Write<Given, Result> {
  readonly parameters: P;
}

/** A write that is a method of its name, which only checks its arguments. */
function method<Given, Result, const P extends readonly (keyof Given & string)[]>(
  parameters: P,
  given: z.ZodType<Given>,
  result: ResultCodec<Result, NoInfer<Given>>,
  further: Further<NoInfer<Given>> & Pick<Write<NoInfer<Given>, Result>, 'checked'> = {},
): Method<Given, Result, P> {
  return { parameters, given, result, ...further };
}

const chatId = z.string();
/** The user who does it. */
const by = { userId: z.string().optional() };
const named = { ...by, chatId, name: z.string() };
const ofBranch = z.object(named);
const renamed = z.object({ ...named, newName: z.string() });
const details = jsonObject.exactOptional();
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
const draftChange =
  (change: 'saved' | 'removed') =>
  ({ chatId: id, branch }: { readonly chatId: string; readonly branch: string }): StoreChange[] => [
    { kind: 'draft', chatId: id, branch, change },
  ];

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
const extension: z.ZodType<ReturnType<typeof checkedExtension>> = z.object({
  chatId,
  userId: z.string(),
  chat: portableChat,
});

const nameOfBranch = <T extends { readonly name: string }>(given: T): T => ({
  ...given,
  name: branchName(given.name),
});
const nameOfCheckpoint = <T extends { readonly name: string }>(given: T): T => ({
  ...given,
  name: checkpointName(given.name),
});

/**
 * The writes of a store: what each gets and returns, how it goes to another process, and the method it is. Each store
 * has its body. `eslint.config.mjs` reads the names from this file.
 */
const table = {
  createChat: write(newChat, results.chat),
  upsertChat: write(newChat, results.chat),
  updateChat: write(z.object({ chatId, changes }), results.chat),
  // Changes a chat if it is still as it was read.
  updateSeenChat: write(z.object({ chatId, seen, changes }), results.chatIfAsSeen, { isRepeatable: true }),
  addUsage: write(z.object({ chatId, usage }), results.chat),
  deleteChat: method(['chatId'], z.object({ chatId, userId: z.string().exactOptional() }), results.isDone),
  saveMessages: write(messagesToSave, results.saved),
  createBranch: method([], branchToCreate, results.branch, { checked: nameOfBranch }),
  addBranch: method([], branchToAdd, results.branch),
  activateBranch: method(['chatId', 'name'], ofBranch, results.branch),
  renameBranch: method(['chatId', 'name', 'newName'], renamed, results.branch, {
    checked: (given) => ({ ...given, newName: branchName(given.newName) }),
  }),
  archiveBranch: method(['chatId', 'name'], ofBranch, results.branch),
  unarchiveBranch: method(['chatId', 'name'], ofBranch, results.branch),
  deleteBranch: method(['chatId', 'name'], ofBranch, results.trashEntry),
  discardBranch: write(ofBranch, results.discarded),
  importChats: method(['userId', 'chats'], imported, results.chatIds, {
    checked: ({ userId, chats }) => {
      const checked = checkedChats(chats);
      return { userId: checkedId(userId, 'user id'), chats: checked };
    },
  }),
  extendChat: method(['chatId', 'chat'], extension, results.extended, {
    checked: (given) => checkedExtension(given.chatId, given.chat, given.userId),
  }),
  setCheckpoint: method(
    ['chatId', 'name', 'messageId'],
    z.object({ ...named, messageId: z.string() }),
    results.checkpoint,
    { checked: nameOfCheckpoint },
  ),
  renameCheckpoint: method(['chatId', 'name', 'newName'], renamed, results.checkpoint, {
    checked: (given) => ({ ...given, newName: checkpointName(given.newName) }),
  }),
  deleteCheckpoint: method(['chatId', 'name'], ofBranch, results.isDone),
  saveTitle: method([], newTitle, results.isDone, {
    checked(given) {
      storable(given.title, 'title');
      return given;
    },
  }),
  logEvent: method([], newLogEvent, results.nothing),
  saveDraft: write(draftToSave, results.nothing, { isRepeatable: true, announced: draftChange('saved') }),
  deleteDraft: method(['chatId', 'branch'], z.object(draft), results.nothing, {
    isRepeatable: true,
    announced: draftChange('removed'),
  }),
  restoreFromTrash: write(z.object({ ...by, id: z.string() }), results.restored),
  beginLeaving: write(emptyTrash, results.count),
  // Removes messages of one transaction, by their keys; no window shows them.
  removePiece: write(z.object({ first: z.int(), last: z.int() }), results.nothing, {
    isRepeatable: true,
    announced: () => undefined,
  }),
  endLeaving: write(z.object({}), results.nothing, { isRepeatable: true }),
};

/** The name of a write. */
export type WriteName = keyof typeof table;

/** The input of each write. All of them can be sent to another process, which may be the writer. */
export type WriteArguments = { readonly [N in WriteName]: z.output<(typeof table)[N]['given']> };

/** The result of each write. */
export type WriteResults = {
  readonly [N in WriteName]: ReturnType<(typeof table)[N]['result']['received']>;
};

/** The writes, by name. */
export const writes: { readonly [N in WriteName]: Write<WriteArguments[N], WriteResults[N]> } = table;

/** Whether there is a write of this name. */
export function isWriteName(name: string): name is WriteName {
  return Object.hasOwn(writes, name);
}

/** The writes that are methods of every store, with the parameters of each. */
type MethodParameters = {
  readonly [
    N in WriteName as (typeof table)[N] extends { readonly parameters: readonly string[] } ? N : never
  ]: (typeof table)[N] extends { readonly parameters: infer P extends readonly string[] } ? P : never;
};

/** The name of a write that is a method of every store. */
export type MethodName = keyof MethodParameters;

type Call<Given, Result, P extends readonly string[]> = (
  ...values: [...{ [I in keyof P]: P[I] extends keyof Given ? Given[P[I]] : never }, Omit<Given, P[number]>?]
) => Promise<Result>;

/** The methods, as the table has them. */
export type WriteMethods = {
  readonly [N in MethodName]: Call<WriteArguments[N], WriteResults[N], MethodParameters[N]>;
};

/** Whether a write is a method of every store. */
export function isMethodName(name: string): name is MethodName {
  return isWriteName(name) && writes[name].parameters !== undefined;
}
