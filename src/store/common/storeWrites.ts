import type { StoreChange } from '../../engine/graph.ts';
import type { JsonObject } from '../../engine/json.ts';
import { checkedId, storable } from '../../engine/storable.ts';
import { branchName, checkpointName, checkedChats, checkedDetails, checkedExtension } from './chatChanges.ts';
import type { Inputs } from './writeInputs.ts';
import type { Results } from './writeResults.ts';

export interface Write<Given, Input = keyof Inputs, Result = keyof Results> {
  readonly given: Input;
  readonly result: Result;
  /** Repeating it changes nothing, so its answers need not be stored. Default: no. */
  readonly isRepeatable?: boolean;
  /** The changes announced to windows that did not request it. Default: all of them. */
  announced?(given: Given): readonly StoreChange[] | undefined;
  /** Its parameters as a method of a store; the rest of the input is an object after them. Left out: it is none. */
  readonly parameters?: readonly string[];
  checked?(given: Given): Given;
}

type Further<I extends keyof Inputs> = Pick<Write<Inputs[I]>, 'isRepeatable' | 'announced'>;

function write<I extends keyof Inputs, R extends keyof Results>(
  given: I,
  result: R,
  further: Further<I> = {},
): Omit<Write<Inputs[I], I, R>, 'parameters'> {
  return { given, result, ...further };
}

interface Method<I extends keyof Inputs, R extends keyof Results, P extends readonly string[]> extends Write<
  Inputs[I],
  I,
  R
> {
  readonly parameters: P;
}

function method<
  I extends keyof Inputs,
  R extends keyof Results,
  const P extends readonly (keyof Inputs[I] & string)[],
>(
  parameters: P,
  given: I,
  result: R,
  further: Further<I> & Pick<Write<Inputs[I]>, 'checked'> = {},
): Method<I, R, P> {
  return { parameters, given, result, ...further };
}

const draftChange =
  (change: 'saved' | 'removed') =>
  ({ chatId: id, branch }: { readonly chatId: string; readonly branch: string }): StoreChange[] => [
    { kind: 'draft', chatId: id, branch, change },
  ];

const nameOfBranch = <T extends { readonly name: string }>(given: T): T => ({
  ...given,
  name: branchName(given.name),
});
const nameOfCheckpoint = <T extends { readonly name: string }>(given: T): T => ({
  ...given,
  name: checkpointName(given.name),
});

function withDetails<T extends { readonly details?: JsonObject }>(given: T): T {
  return { ...given, ...checkedDetails(given) };
}

/**
 * The writes of a store: what each gets and returns, how it goes to another process, and the method it is. Each store
 * has its body. `eslint.config.mjs` reads the names from this file.
 */
const table = {
  createChat: write('newChat', 'chat'),
  upsertChat: write('newChat', 'chat'),
  updateChat: write('changes', 'chat'),
  // Changes a chat if it is still as it was read.
  updateSeenChat: write('changesOfSeen', 'chatIfAsSeen', { isRepeatable: true }),
  addUsage: write('usage', 'chat'),
  deleteChat: method(['chatId'], 'ownedChat', 'isDone'),
  saveMessages: write('messagesToSave', 'saved'),
  createBranch: method([], 'branchToCreate', 'branch', { checked: nameOfBranch }),
  addBranch: method([], 'branchToAdd', 'branch', { checked: withDetails }),
  activateBranch: method(['chatId', 'name'], 'named', 'branch'),
  renameBranch: method(['chatId', 'name', 'newName'], 'renamed', 'branch', {
    checked: (given) => ({ ...given, newName: branchName(given.newName) }),
  }),
  archiveBranch: method(['chatId', 'name'], 'named', 'branch'),
  unarchiveBranch: method(['chatId', 'name'], 'named', 'branch'),
  deleteBranch: method(['chatId', 'name'], 'named', 'trashEntry'),
  discardBranch: write('named', 'discarded'),
  importChats: method(['userId', 'chats'], 'imported', 'chatIds', {
    checked: ({ userId, chats }) => {
      const checked = checkedChats(chats);
      return { userId: checkedId(userId, 'user id'), chats: checked };
    },
  }),
  extendChat: method(['chatId', 'chat'], 'extension', 'extended', {
    checked: (given) => checkedExtension(given.chatId, given.chat, given.userId),
  }),
  setCheckpoint: method(['chatId', 'name', 'messageId'], 'namedMessage', 'checkpoint', {
    checked: nameOfCheckpoint,
  }),
  renameCheckpoint: method(['chatId', 'name', 'newName'], 'renamed', 'checkpoint', {
    checked: (given) => ({ ...given, newName: checkpointName(given.newName) }),
  }),
  deleteCheckpoint: method(['chatId', 'name'], 'named', 'isDone'),
  saveTitle: method([], 'newTitle', 'isDone', {
    checked(given) {
      storable(given.title, 'title');
      return withDetails(given);
    },
  }),
  logEvent: method([], 'newLogEvent', 'nothing', { checked: withDetails }),
  saveDraft: write('draftToSave', 'nothing', { isRepeatable: true, announced: draftChange('saved') }),
  deleteDraft: method(['chatId', 'branch'], 'draft', 'nothing', {
    isRepeatable: true,
    announced: draftChange('removed'),
  }),
  claimAnswer: write('answerToClaim', 'nothing', { isRepeatable: true }),
  reclaimAnswer: write('answerToReclaim', 'nothing', { isRepeatable: true }),
  // Whether it goes on: false when it was canceled.
  saveAnswer: write('answerToSave', 'isDone', { isRepeatable: true }),
  finishAnswer: write('answerToFinish', 'branch'),
  cancelAnswer: method(['chatId', 'answerId'], 'answer', 'isDone', { isRepeatable: true }),
  discardAnswer: method(['chatId', 'answerId', 'claim'], 'claimedAnswer', 'isDone'),
  restoreFromTrash: write('trashEntry', 'restored'),
  beginLeaving: write('emptyTrash', 'count'),
  // Removes messages of one transaction, by their keys; no window shows them.
  removePiece: write('keys', 'nothing', {
    isRepeatable: true,
    announced: () => undefined,
  }),
  endLeaving: write('nothing', 'nothing', { isRepeatable: true }),
};

export type WriteName = keyof typeof table;

type Table = typeof table;

/** All of them can be sent to another process, which may be the writer. */
export type WriteArguments = { readonly [N in WriteName]: Inputs[Table[N]['given']] };

export type WriteResults = { readonly [N in WriteName]: Results[Table[N]['result']] };

export const writes: {
  readonly [N in WriteName]: Write<WriteArguments[N], Table[N]['given'], Table[N]['result']>;
} = table;

export function isWriteName(name: string): name is WriteName {
  return Object.hasOwn(writes, name);
}

type MethodParameters = {
  readonly [
    N in WriteName as Table[N] extends { readonly parameters: readonly string[] } ? N : never
  ]: Table[N] extends { readonly parameters: infer P extends readonly string[] } ? P : never;
};

/** The name of a write that is a method of every store. */
export type MethodName = keyof MethodParameters;

type Call<Given, Result, P extends readonly string[]> = (
  ...values: [...{ [I in keyof P]: P[I] extends keyof Given ? Given[P[I]] : never }, Omit<Given, P[number]>?]
) => Promise<Result>;

export type WriteMethods = {
  readonly [N in MethodName]: Call<WriteArguments[N], WriteResults[N], MethodParameters[N]>;
};

export function isMethodName(name: string): name is MethodName {
  return isWriteName(name) && writes[name].parameters !== undefined;
}
