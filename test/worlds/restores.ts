import assert from 'node:assert/strict';
import { logRestored } from '../../src/conversation/userWrites.ts';
import { Sequencer } from '../../src/base/sequencer.ts';
import { isReady, type InspectedPlan } from '../../src/files/inspectFiles.ts';
import { RestoreJournal } from '../../src/files/restoreJournal.ts';
import { Restorer } from '../../src/files/restorer.ts';
import { NodeFiles } from '../../src/host/node/nodeFiles.ts';
import { thisProcess } from '../../src/host/node/nodeParts.ts';
import { CHAT, type World } from './agentWorld.ts';
import type { TestWorkspace } from './testWorkspace.ts';

/** What brings the files of a workspace to another point of the world's conversation. */
export function restorerOf(world: Pick<World, 'store'>, workspace: TestWorkspace): Restorer {
  return new Restorer({
    store: world.store,
    logRestored: (chatId, details) => logRestored(world.store, chatId, details),
    files: workspace.files,
    editors: {
      unsavedText: () => undefined,
      discard: () => Promise.resolve(),
      bringBack: () => Promise.resolve(),
    },
    journal: new RestoreJournal(new NodeFiles(), workspace.storage, thisProcess()),
    sequencer: new Sequencer(),
    maxFileSize: () => 10_000_000,
    isReadOnly: (file) => workspace.isReadOnly(file),
  });
}

/** Restores all that changed; none of it has to be chosen. */
export async function restoreAll(
  world: Pick<World, 'store'>,
  workspace: TestWorkspace,
  messageId: string | null,
): Promise<InspectedPlan> {
  const restorer = restorerOf(world, workspace);
  const plan = await restorer.preview(CHAT, messageId);
  const others = plan.files.filter((file) => !isReady(file));
  assert.deepEqual(
    others.map(({ planned, state, problem }) => [planned.location.path, state, problem]),
    [],
  );
  await restorer.restore(CHAT, plan, plan.files);
  return plan;
}
