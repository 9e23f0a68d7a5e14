import assert from 'node:assert/strict';
import { call } from '../../fixtures/strict/strictServer.ts';
import { CHAT } from '../../worlds/agentWorld.ts';
import type { Scene, SceneOptions } from '../../worlds/scene.ts';

export interface Flow {
  readonly title: string;
  readonly options?: SceneOptions;
  /** Plays the scenario; the branch whose last answer has to be whole, where it is not the main one. */
  readonly play: (scene: Scene) => Promise<string | undefined>;
}

export const echo = (value: string): ReturnType<typeof call> => call('echo', { text: value });
export const written = { text: 'the gist', model: undefined, now: 0 };

/** Stops an answer as soon as it stands where it should. */
export async function stopAt(scene: Scene, question: string, isThere: () => Promise<void>): Promise<void> {
  const run = await scene.ask(question);
  await isThere();
  await scene.world.runs.stop(CHAT, 'main');
  scene.server.release();
  assert.equal(run.status, 'interrupted');
}
