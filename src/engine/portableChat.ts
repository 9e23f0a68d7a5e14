import { z } from 'zod';
import { messageEffects } from './effects.ts';
import { InvalidNameError } from './errors.ts';
import { logEventKinds } from './graph.ts';
import type { JsonObject } from './json.ts';
import {
  anyJsonObject,
  checkedId,
  checkedName,
  jsonObject,
  jsonValue as json,
  storable,
} from './storable.ts';
import { LAST_TIME } from './time.ts';

const time = z.int().nonnegative().max(LAST_TIME);

/** A schema for a value whose check throws its own error. */
function checked<T>(check: (value: T) => T, schema: z.ZodType<T>): z.ZodType<T> {
  return schema.superRefine((value, context) => {
    try {
      if (check(value) === value) return;
      context.addIssue({ code: 'custom', message: 'it begins or ends with a blank' });
    } catch (error) {
      if (!(error instanceof InvalidNameError)) throw error;
      context.addIssue({ code: 'custom', message: error.message });
    }
  });
}

const id = checked((value: string) => checkedId(value, 'id'), z.string());
const name = checked((value: string) => checkedName(value, 'name'), z.string());

/** Earlier versions numbered branches without an end: chats that have such names can still be imported. */
const numbered = /^main(?:-v[1-9]\d{0,14})+$/;
const branchName = checked(
  (value: string) => (numbered.test(value) ? value : checkedName(value, 'name')),
  z.string(),
);

/** A text that a database column can hold unchanged. */
const text = z
  .string()
  .refine(
    (value) => value.isWellFormed() && !value.includes('\0'),
    'it holds a NUL or half of a surrogate pair',
  );

function isStorable(value: unknown): boolean {
  try {
    storable(value, '');
    return true;
  } catch {
    return false;
  }
}

const portableMessage = z.object({
  id,
  parentId: z.string().nullable(),
  name: text,
  type: z.enum(['message', 'fragment', 'internal']),
  data: json,
  invocationId: id,
  replaces: text.optional(),
  effects: messageEffects
    // The files of another workspace are not imported, whatever they are called.
    .refine(({ files: _, ...kept }) => isStorable(kept), 'it holds half of a surrogate pair')
    .optional(),
  createdAt: time,
});

const portableBranch = z.object({
  name: branchName,
  headMessageId: z.string().nullable(),
  forkMessageId: z.string().nullable(),
  parentBranch: z.string().optional(),
  isActive: z.boolean(),
  createdAt: time,
  archivedAt: time.optional(),
});

const portableShape = z.object({
  id,
  title: text.optional(),
  metadata: jsonObject,
  createdAt: time,
  updatedAt: time,
  /** A message comes after its parent. */
  messages: z.array(portableMessage),
  branches: z.array(portableBranch).min(1),
  checkpoints: z.array(z.object({ name, messageId: z.string(), createdAt: time })),
  events: z.array(
    z.object({
      kind: z.enum(logEventKinds),
      branch: text.optional(),
      messageId: text.optional(),
      details: anyJsonObject,
      createdAt: time,
    }),
  ),
});

type Shape = z.infer<typeof portableShape>;
type Complain = (message: string, ...path: (string | number)[]) => void;

/** Reads a whole chat from an external source, and reports the position of each problem. */
export const portableChat = portableShape.superRefine((chat, context) => {
  const complain: Complain = (message, ...path) => {
    context.addIssue({ code: 'custom', message, path });
  };
  const parents = checkMessages(chat, complain);
  checkBranches(chat, parents, complain);
  checkCheckpoints(chat, parents, complain);
});

/** A whole chat outside a store: its messages as a tree, branches, checkpoints and log. Bytes are named by hash. */
export type PortableChat = Omit<Shape, 'metadata'> & { readonly metadata: JsonObject };

type Places = ReadonlyMap<string, { readonly parentId: string | null; readonly depth: number }>;

function checkMessages({ messages }: Shape, complain: Complain): Places {
  const places = new Map<string, { parentId: string | null; depth: number }>();
  for (const [index, { id: own, parentId }] of messages.entries()) {
    const parent = parentId === null ? undefined : places.get(parentId);
    if (parentId !== null && !parent) {
      complain(`no message before it has the id ${JSON.stringify(parentId)}`, 'messages', index, 'parentId');
    }
    if (places.has(own)) complain(`the id ${JSON.stringify(own)} is there twice`, 'messages', index, 'id');
    if (!isOfThisPath(messages[index]?.effects)) {
      complain('it changes what belongs to the user and not to a conversation', 'messages', index, 'effects');
    }
    places.set(own, { parentId, depth: (parent?.depth ?? 0) + 1 });
  }
  return places;
}

/** State and artifacts of the user and of everybody are stored outside the chats, so no message may claim them. */
function isOfThisPath(effects: Shape['messages'][number]['effects']): boolean {
  const { state, artifacts = [] } = effects ?? {};
  const keys = [...Object.keys(state?.set ?? {}), ...(state?.deleted ?? [])];
  return (
    !keys.some((key) => /^(?:user|app|temp):/.test(key)) &&
    !artifacts.some(({ name: own }) => own.startsWith('user:'))
  );
}

function checkBranches({ branches }: Shape, places: Places, complain: Complain): void {
  const names = new Set<string>();
  for (const [index, branch] of branches.entries()) {
    const at = (message: string, member: keyof typeof branch): void =>
      complain(message, 'branches', index, member);
    if (names.has(branch.name)) at(`the name ${JSON.stringify(branch.name)} is there twice`, 'name');
    names.add(branch.name);
    const { headMessageId: head, forkMessageId: fork } = branch;
    if (head !== null && !places.has(head)) at('there is no such message', 'headMessageId');
    else if (fork !== null && !isAbove(places, fork, head))
      at('it does not lead to the head', 'forkMessageId');
  }
  for (const [index, { parentBranch }] of branches.entries()) {
    if (parentBranch !== undefined && !names.has(parentBranch)) {
      complain('there is no such branch', 'branches', index, 'parentBranch');
    }
  }
  const active = branches.filter(({ isActive }) => isActive).length;
  if (active !== 1) complain(`${active} of them are active, and one has to be`, 'branches');
}

/** Whether a message is the other one, or on the path to it. */
function isAbove(places: Places, messageId: string, endId: string | null): boolean {
  const wanted = places.get(messageId)?.depth ?? Infinity;
  let at = endId;
  for (let place = at === null ? undefined : places.get(at); place && place.depth > wanted;) {
    at = place.parentId;
    place = at === null ? undefined : places.get(at);
  }
  return at === messageId && Number.isFinite(wanted);
}

function checkCheckpoints({ checkpoints }: Shape, places: Places, complain: Complain): void {
  const names = new Set<string>();
  for (const [index, checkpoint] of checkpoints.entries()) {
    if (names.has(checkpoint.name)) {
      complain(`the name ${JSON.stringify(checkpoint.name)} is there twice`, 'checkpoints', index, 'name');
    }
    names.add(checkpoint.name);
    if (!places.has(checkpoint.messageId)) {
      complain('there is no such message', 'checkpoints', index, 'messageId');
    }
  }
}
