import { Sequencer } from '../../kit/sequencer.ts';
import { isWriteName, writes } from '../../storing/storeWrites.ts';
import * as timers from '../../platform/timers.ts';
import { indexMessages } from '../messages.ts';
import { exportChat } from '../operations/portableOperations.ts';
import { runWrite } from '../operations/runWrite.ts';
import { SCHEMA_VERSION } from '../schema.ts';
import { DatabaseFullError } from '../sizeLimit.ts';
import { loadReplica } from './replica.ts';
import { isNotTheWriter, readOnlyError, StorageWriteError } from './storageErrors.ts';

/**
 * Functions for serving other processes and reading other folders. They are passed as an argument: importing them in
 * separately loaded code would duplicate them.
 */
export const storageParts = {
  Sequencer,
  timers,
  runWrite,
  writes,
  isWriteName,
  schemaVersion: SCHEMA_VERSION,
  isNotTheWriter,
  readOnlyError,
  exportChat,
  indexMessages,
  loadReplica,
  errorClasses: {
    'storage-full': StorageWriteError,
    'storage-write-failed': StorageWriteError,
    'too-large': DatabaseFullError,
  },
} as const;

export type StorageParts = typeof storageParts;
