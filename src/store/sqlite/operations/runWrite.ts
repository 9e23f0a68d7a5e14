import type { WriteArguments, WriteName, WriteResults } from '../../common/storeWrites.ts';
import type { Bodies, Outcome, Transaction } from '../database.ts';
import { logWrites } from '../events.ts';
import { purgeWrites } from '../purge.ts';
import { answerWrites } from './answerOperations.ts';
import { branchWrites } from './branchOperations.ts';
import { chatWrites } from './chatOperations.ts';
import { checkpointWrites } from './checkpointOperations.ts';
import { draftWrites } from './draftOperations.ts';
import { extensionWrites } from './extendOperations.ts';
import { messageWrites } from './messageOperations.ts';
import { portableWrites } from './portableOperations.ts';
import { trashWrites } from './trashOperations.ts';

const writes: Bodies = {
  ...chatWrites,
  ...messageWrites,
  ...branchWrites,
  ...checkpointWrites,
  ...trashWrites,
  ...purgeWrites,
  ...portableWrites,
  ...extensionWrites,
  ...draftWrites,
  ...answerWrites,
  ...logWrites,
};

export function runWrite<N extends WriteName>(
  name: N,
  transaction: Transaction,
  now: number,
  given: WriteArguments[N],
): Outcome<WriteResults[N]> {
  return writes[name](transaction, now, given);
}
