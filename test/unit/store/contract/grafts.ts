import assert from 'node:assert/strict';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import { assistant, user } from '../../../../src/engine/fragments/index.ts';
import type { MessageData } from '../../../../src/engine/graph.ts';
import type { ContextStore } from '../../../../src/engine/store.ts';
import { readUIMessage, textOf } from '../../../../src/engine/uiMessage.ts';
import type { OpenStore } from './actions.ts';

const TURNS = 5;

/** What every store does for engines whose turns are put one after the other. @param open makes an empty one */
export function specifyGrafts(place: string, open: OpenStore): void {
  describe(`engines that save to one branch at the same time in a store ${place}`, () => {
    let store: ContextStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    it('have all their turns on one path, each whole, with state and artifacts', async function () {
      this.timeout(60_000);
      const names = ['a', 'b', 'c', 'd'];
      await Promise.all(names.map((name) => saveTurns(store, name, TURNS)));
      await checkTurns(store, names, TURNS);
    });
  });
}

/** Saves turns of a question and an answer, with state and artifacts, each on what there is then. */
export async function saveTurns(
  store: ContextStore,
  name: string,
  turns: number,
  chatId = 'chat',
): Promise<void> {
  const context = new ContextEngine({ store, chatId, userId: 'ann', onHeadConflict: 'graft' });
  for (let turn = 0; turn < turns; turn++) {
    context.set(user(`${name} ${turn}`), assistant(`${name} ${turn}`));
    context.state.set(name, turn);
    context.state.set(`user:${name}`, turn);
    const bytes = new TextEncoder().encode(`${name} ${turn}`);
    await context.artifacts.save('file', bytes, { mediaType: 'text/plain' });
    const saved = await context.save();
    assert.equal(saved.branch, 'main');
  }
  await context.close();
}

/** Checks that all of these turns are on one path, each whole, and those of one engine in order. */
export async function checkTurns(
  store: ContextStore,
  names: readonly string[],
  turns: number,
  chatId = 'chat',
): Promise<void> {
  const branches = await store.listBranches(chatId);
  assert.equal(branches.length, 1);
  const path = await store.getPath(chatId, branches[0]?.headMessageId ?? '');
  const said = path.map((message) => textIn(message));
  const questions = said.filter((_, index) => index % 2 === 0);
  assert.deepEqual(
    said.filter((_, index) => index % 2 === 1),
    questions,
    'an answer follows its question',
  );
  for (const name of names) {
    assert.deepEqual(
      questions.filter((text) => text.startsWith(`${name} `)),
      Array.from({ length: turns }, (_, turn) => `${name} ${turn}`),
    );
  }
  assert.equal(questions.length, names.length * turns);
  const context = new ContextEngine({ store, chatId, userId: 'ann' });
  assert.deepEqual(
    await context.state.entries(),
    [...names, ...names.map((name) => `user:${name}`)].map((key) => [key, turns - 1]),
  );
  assert.deepEqual(
    path.flatMap(({ effects }) => effects?.artifacts ?? []).map(({ version }) => version),
    questions.map((_, index) => index),
  );
  assert.deepEqual((await context.artifacts.load('file'))?.data, new TextEncoder().encode(said.at(-1)));
  await context.close();
}

function textIn({ data }: MessageData): string {
  return textOf(readUIMessage(data) ?? { parts: [] });
}
