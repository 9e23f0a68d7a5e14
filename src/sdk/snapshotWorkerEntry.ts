import { parentPort, workerData } from 'node:worker_threads';
import { snapshotRequest } from '../host/platform.ts';
import { crc32 } from '../host/node/nodePlatform.ts';
import { NodeFiles } from '../host/node/nodeFiles.ts';
import { sqliteWasm, type snapshotReply } from '../host/node/nodeParts.ts';
import { buildSnapshot } from '../store/durable/buildSnapshot.ts';
import type { z } from 'zod';

// A thread that makes one snapshot and ends. An error it throws reaches its creator as a worker error.

const platform = { files: new NodeFiles(), crc32, wasm: () => sqliteWasm(import.meta.dirname) };
const size = await buildSnapshot(platform, snapshotRequest.parse(workerData));
parentPort?.postMessage({ size } satisfies z.infer<typeof snapshotReply>);
