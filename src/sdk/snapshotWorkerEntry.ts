import { parentPort, workerData } from 'node:worker_threads';
import { snapshotRequest } from '../platform/snapshots.ts';
import { crc32 } from '../platform/node/crc32.ts';
import { NodeFiles } from '../platform/node/nodeFiles.ts';
import { sqliteWasm } from '../platform/node/nodeParts.ts';
import type { snapshotReply } from '../platform/node/snapshotWorker.ts';
import { buildSnapshot } from '../store/durable/buildSnapshot.ts';
import type { z } from 'zod';

// A thread that makes one snapshot and ends. An error it throws reaches its creator as a worker error.

const platform = { files: new NodeFiles(), crc32, wasm: () => sqliteWasm(import.meta.dirname) };
const size = await buildSnapshot(platform, snapshotRequest.parse(workerData));
parentPort?.postMessage({ size } satisfies z.infer<typeof snapshotReply>);
