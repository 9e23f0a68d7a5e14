import { Sequencer } from '../../base/sequencer.ts';
import { isWriteName, writes } from '../common/storeWrites.ts';
import * as timers from '../../host/timers.ts';
import { indexMessages } from '../sqlite/messages.ts';
import { exportChat } from '../sqlite/operations/portableOperations.ts';
import { runWrite } from '../sqlite/operations/runWrite.ts';
import { SCHEMA_VERSION } from '../sqlite/schema.ts';
import { DatabaseFullError } from '../sqlite/sizeLimit.ts';
import { loadReplica } from './replica.ts';
import { isNotTheWriter, readOnlyError, StorageClearedError, StorageWriteError } from './storageErrors.ts';

/** Passed as an argument to separately loaded code: importing them there would duplicate them. */
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
    'storage-cleared': StorageClearedError,
    'too-large': DatabaseFullError,
  },
} as const;

export type StorageParts = typeof storageParts;
