import { Runs, type RunsOptions } from '../../src/agent/run/runs.ts';
import { createAgentWrites } from '../../src/conversation/agentWrites.ts';
import type { ContextStore } from '../../src/engine/store.ts';
import { loadLater } from '../fixtures/loadLater.ts';
import { MemoryLog, USER, type FragileStore, type ManualScheduler, type World } from './agentWorld.ts';

/** The runs of the program started again on the same store. */
export function restarted(
  store: ContextStore,
  options: Partial<Pick<RunsOptions, 'log' | 'tools'>> = {},
): Runs {
  return new Runs({
    store,
    writes: createAgentWrites(store, USER, loadLater),
    fragments: () => [],
    log: new MemoryLog(),
    ...options,
  });
}

/** Ends the program once a draft of its answers is saved, so that the answers themselves never are. */
export async function crash(
  world: Pick<World, 'runs'>,
  store: FragileStore,
  scheduler: ManualScheduler,
): Promise<void> {
  scheduler.pass(1_000);
  await store.draftTried();
  store.isFull = true;
  await world.runs.stopAll();
  store.isFull = false;
}
