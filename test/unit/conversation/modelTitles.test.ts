import assert from 'node:assert/strict';
import { ModelTitles } from '../../../src/conversation/modelTitles.ts';
import { answer, finish, lastQuestion, say, usage } from '../../fixtures/openaiServer.ts';
import { until } from '../../fixtures/until.ts';
import { CHAT } from '../../worlds/agentWorld.ts';
import { budgetWorld } from '../../worlds/budgetWorld.ts';
import { explore, promptOf, task, tools } from '../../worlds/exploreWorld.ts';
import { ConversationWorld } from '../../worlds/conversationWorld.ts';

/** Titles for a world, without the words that models put around them. */
function titlesFor({ store, parts, world }: ConversationWorld, isWanted: boolean): ModelTitles {
  return new ModelTitles({
    store,
    models: parts.models,
    runs: world.runs,
    titleFrom: parts.titleFrom,
    log: world.log,
    budget: parts.budget,
    isWanted: () => isWanted,
    cleanTitle: (written) => written.replaceAll('"', ''),
    onError: () => assert.fail(),
  });
}

/** Resolves once the chat has this title. */
function titled({ store }: ConversationWorld, title: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const subscription = store.onDidChange(() => {
      store.getChat(CHAT).then((chat) => {
        if (chat?.title !== title) return;
        subscription.dispose();
        resolve();
      }, reject);
    });
  });
}

describe('titles of models', () => {
  it('take the place of the first words, cleaned, and say what they cost', async () => {
    await using world = await ConversationWorld.make([answer('1'), answer('"Counting"')]);
    const titles = titlesFor(world, true);
    const done = titled(world, 'Counting');
    await world.answered('one');
    await done;
    const [event] = await world.store.listEvents(CHAT, { kind: 'titled' });
    assert.equal(event?.details['model'], 'openai-compatible:test-model');
    titles.dispose();
  });

  it('are not asked for where a task that was explored has one', async () => {
    await using world = await ConversationWorld.make(
      (asked, index) => {
        if (index === 0) return explore(task('a'));
        if (promptOf(asked) !== '') return answer('A.');
        return answer(lastQuestion(asked).startsWith('Give this a title') ? 'Counting' : 'Done.');
      },
      { tools },
    );
    const titles = titlesFor(world, true);
    const done = titled(world, 'Counting');
    await world.answered('one');
    await done;
    assert.equal(world.world.server.requests.length, 4, 'two steps, a task, and the title of the chat');
    titles.dispose();
  });

  it('are not asked for where they are not wanted, nor once they are disposed', async () => {
    await using world = await ConversationWorld.make([answer('1'), answer('2')]);
    const titles = titlesFor(world, false);
    await world.answered('one');
    titles.dispose();
    titlesFor(world, true).dispose();
    await world.answered('two');
    assert.deepEqual(await world.world.texts(), ['one', '1', 'two', '2']);
    assert.equal(world.world.server.requests.length, 2);
    assert.equal((await world.store.getChat(CHAT))?.title, 'About one');
  });

  it('stay the first words where the budget has nothing left for them, and the log says so', async () => {
    const counted = [say('1'), usage(4_900, 50), finish()];
    await using world = await budgetWorld({ perMessage: { tokens: 5_000 } }, [counted, answer('Counting')]);
    const titles = titlesFor(world, true);
    await world.answered('one');
    const told = await until(
      () => world.world.log.lines.find((line) => line.includes('No title was written')),
      'the log to say why there is no title',
    );
    assert.match(told, /budget-reached/);
    assert.equal(world.world.server.requests.length, 1, 'nothing was sent for a title');
    assert.equal((await world.store.getChat(CHAT))?.title, 'About one');
    titles.dispose();
  });
});
