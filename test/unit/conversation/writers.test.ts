import assert from 'node:assert/strict';
import type { RunsOptions } from '../../../src/agent/run/runs.ts';
import type { ReadonlyStore } from '../../../src/engine/readonlyStore.ts';
import type { ContextStore } from '../../../src/engine/store.ts';
import type { ChatContext } from '../../../src/extension/chat/chatView.ts';
import type { Parts } from '../../../src/extension/parts.ts';
import type { RestorerOptions } from '../../../src/files/restorer.ts';

/** What those who only read must not have. */
type Writer =
  | 'createChat'
  | 'upsertChat'
  | 'updateChat'
  | 'addUsage'
  | 'deleteChat'
  | 'saveMessages'
  | 'createBranch'
  | 'addBranch'
  | 'activateBranch'
  | 'renameBranch'
  | 'archiveBranch'
  | 'unarchiveBranch'
  | 'deleteBranch'
  | 'setCheckpoint'
  | 'renameCheckpoint'
  | 'deleteCheckpoint'
  | 'importChats'
  | 'extendChat'
  | 'saveTitle'
  | 'logEvent'
  | 'saveDraft'
  | 'deleteDraft'
  | 'claimAnswer'
  | 'reclaimAnswer'
  | 'saveAnswer'
  | 'finishAnswer'
  | 'cancelAnswer'
  | 'discardAnswer'
  | 'close';

/** True when nothing of `Names` is a member of `Type`. */
type HasNone<Type, Names extends string> = Extract<keyof Type, Names> extends never ? true : false;

// What does not hold is `false`, and then this does not compile.
const settled: readonly [
  HasNone<ReadonlyStore, Writer>,
  HasNone<Parts['store'], Writer>,
  HasNone<ChatContext['store'], Writer>,
  HasNone<RunsOptions['store'], Writer>,
  HasNone<RestorerOptions['store'], Writer>,
  HasNone<ReadonlyStore['trash'], 'restore' | 'discardBranch' | 'empty'>,
  ReadonlyStore extends ContextStore ? false : true,
  Exclude<keyof ContextStore, keyof ReadonlyStore | Writer> extends never ? true : false,
] = [true, true, true, true, true, true, true, true];

describe('a store that is only read', () => {
  it('has none of the methods that write, which the compiler checks for every member', () => {
    assert.ok(settled.every(Boolean));
  });
});
