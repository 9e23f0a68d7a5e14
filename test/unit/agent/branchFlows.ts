import { cycleTools } from '../../../src/agent/checkpoints/cycleTools.ts';
import assert from 'node:assert/strict';
import { cherryPick } from '../../../src/conversation/copies.ts';
import { mergeSummary, partOf, replaceBySummary } from '../../../src/conversation/summarize.ts';
import { writeSummary } from '../../../src/agent/summaries/writeSummary.ts';
import { compactionOf } from '../../../src/engine/sentPath.ts';
import { call, reasoning, text } from '../../fixtures/strict/strictServer.ts';
import { echoTool } from '../../worlds/toolCalls.ts';
import { CHAT } from '../../worlds/agentWorld.ts';
import { echo, written, type Flow } from './scenarioFlow.ts';
import type { SaidBefore } from './saidBefore.ts';

/** Ways through the tree, and what is brought from one branch to another. */
export function branchFlows(said: SaidBefore): readonly Flow[] {
  return [
    {
      title: 'a rewind and an edited question',
      play: async (scene) => {
        await scene.talk('one', [echo('a')], [text('First.')]);
        await scene.talk('two', [echo('b')], [text('Second.')]);
        await scene.world.engine('main').rewindBefore(await scene.idOf('two'));
        await scene.talkOn('main-v2', 'two, otherwise', [echo('c')], [text('Third.')]);
        return 'main-v2';
      },
    },
    {
      title: 'a rewind to a step: to continue there, after a change of state, and to ask something else',
      play: async (scene) => {
        scene.tools = [{ ...echoTool, endsStep: true }];
        await scene.talk(
          'Go',
          [reasoning('One.'), echo('a')],
          [reasoning('Two.'), text('On.'), echo('b'), echo('c')],
          [reasoning('So.'), text('Done.')],
        );
        const [, first, second] = await scene.world.path();
        assert.ok(first && second);
        const continued = await scene.world.engine('main').rewind(second.id);
        const engine = scene.world.engine(continued.name);
        engine.state.set('ticked', true);
        await engine.save();
        scene.server.replies.push([reasoning('Again.'), echo('d')], [text('Continued.')]);
        await scene.goOn(continued.name);
        await scene.accepted(continued.name);
        const other = await scene.world.engine('main').rewind(first.id);
        await scene.talkOn(other.name, 'Something else', [echo('e')], [text('Else.')]);
        return other.name;
      },
    },
    {
      title: 'a switch to another branch and back',
      play: async (scene) => {
        await scene.talk('one', [echo('a')], [text('First.')]);
        const { name } = await scene.world.engine('main').btw();
        await scene.talkOn(name, 'side', [echo('b')], [text('Aside.')]);
        await scene.talk('two', [echo('c')], [text('Second.')]);
        await scene.talkOn(name, 'side again', [text('Aside again.')]);
        return undefined;
      },
    },
    {
      title: "the agent's checkpoint and rewind",
      play: async (scene) => {
        scene.tools = [...cycleTools, echoTool];
        await scene.talk(
          'Go',
          [reasoning('First a mark.'), call('checkpoint', { goal: 'find out' })],
          [reasoning('Look.'), echo('a')],
          [call('rewind', { report: 'It is so.' })],
          [reasoning('So it is.'), text('Done.')],
        );
        await scene.talkOn('main-v2', 'And?', [text('That is all.')]);
        return 'main-v2';
      },
    },
    {
      title: 'a loop that is compacted twice, and once more by the user',
      play: async (scene) => {
        const model = { ...(await scene.server.model()), contextWindow: 1_200 };
        const steps = Array.from({ length: 7 }, (_, index) => [
          reasoning('On.'),
          text(`Step ${index}`),
          echo(`${index} ${'word '.repeat(260)}`),
          echo(`${index} again`),
        ]);
        scene.server.replies.push(...steps, [reasoning('All there.'), text('Done.')]);
        await (
          await scene.ask('Go', { model })
        ).done;
        const summaries = async (): Promise<number> =>
          (await scene.world.path()).filter((message) => compactionOf(message)).length;
        assert.ok((await summaries()) >= 2, `${await summaries()} summaries`);
        await scene.talk('And?', [echo('e')], [text('That is all.')]);
        const before = await summaries();
        const onDemand = { chatId: CHAT, branch: 'main', model, compacts: { thenAnswers: false } };
        await (
          await scene.world.runs.start(onDemand)
        ).done;
        assert.equal(await summaries(), before + 1);
        await scene.talk('And then?', [echo('f')], [text('Nothing.')]);
        return undefined;
      },
    },
    {
      title: 'a checkpoint that is never rewound, with reminders',
      play: async (scene) => {
        scene.tools = [...cycleTools, echoTool];
        await scene.talk(
          'Go',
          [call('checkpoint', { goal: 'find out' })],
          [text('Hm.')],
          [text('Hm.')],
          [text('Hm.')],
        );
        await scene.talk('And?', [call('rewind', { report: 'Nothing.' })], [text('That is all.')]);
        return 'main-v2';
      },
    },
    {
      title: 'a side question during a call',
      play: async (scene) => {
        scene.server.replies.push([text('Wait.'), echo('z'), call('hang')]);
        const run = await scene.ask('Go');
        await scene.world.until(() =>
          scene.world.events.some(
            (event) => event.kind === 'part' && JSON.stringify(event.part).includes('echo: z'),
          ),
        );
        const { name } = await scene.world.engine('main').btw();
        await scene.talkOn(name, 'By the way', [echo('b')], [text('Aside.')]);
        await scene.world.runs.stop(CHAT, 'main');
        await run.done;
        await scene.talk('And?', [text('That is all.')]);
        return undefined;
      },
    },
    {
      title: 'a summary, written and stood in for what it sums up',
      play: async (scene) => {
        await scene.talk('one', [echo('a')], [text('First.')]);
        await scene.talk('two', [echo('b')], [text('Second.')]);
        const { store } = scene.world;
        const main = await scene.branch();
        const path = await scene.world.path();
        scene.server.replies.push([text('the gist')]);
        const gist = await writeSummary({
          spends: undefined,
          model: await scene.server.model(),
          messages: path.slice(0, 2),
          purpose: 'replace',
          signal: new AbortController().signal,
        });
        assert.equal(gist, 'the gist');
        const part = await partOf(store, main, path[1]?.id ?? '', 'up-to-here');
        const made = await replaceBySummary(store, main, part, 'up-to-here', written);
        await scene.talkOn(made.name, 'three', [echo('c')], [text('Third.')]);
        return made.name;
      },
    },
    {
      title: 'a summary of the end, with an answer right before it',
      play: async (scene) => {
        await scene.talk('one', [echo('a')], [text('First.')]);
        await scene.talk('two', [echo('b')], [text('Second.')]);
        const { store } = scene.world;
        const main = await scene.branch();
        const part = await partOf(store, main, await scene.idOf('two'), 'from-here');
        const made = await replaceBySummary(store, main, part, 'from-here', written);
        await scene.talkOn(made.name, 'three', [text('Third.')]);
        return made.name;
      },
    },
    {
      title: 'a side branch brought back',
      play: async (scene) => {
        await scene.talk('one', [echo('a')], [text('First.')]);
        const { name } = await scene.world.engine('main').btw();
        await scene.talkOn(name, 'side', [echo('b')], [text('Aside.')]);
        const made = await mergeSummary(
          scene.world.store,
          await scene.branch(name),
          await scene.branch(),
          written,
        );
        await scene.talkOn(made.name, 'two', [echo('c')], [text('Second.')]);
        return made.name;
      },
    },
    {
      title: 'the same turn cherry-picked twice',
      play: async (scene) => {
        await scene.talk('one', [text('First.')]);
        const { name } = await scene.world.engine('main').btw();
        await scene.talkOn(name, 'side', [reasoning('Hm.'), echo('b'), echo('c')], [text('Aside.')]);
        const { store } = scene.world;
        const side = await scene.idOf('side', name);
        const once = await cherryPick(store, await scene.branch(name), side, await scene.branch());
        const twice = await cherryPick(store, await scene.branch(name), side, await scene.branch(once.name));
        await scene.talkOn(twice.name, 'two', [echo('d')], [text('Second.')]);
        return twice.name;
      },
    },
    {
      title: 'a conversation that every other provider has answered before',
      play: async (scene) => {
        await scene.talk('You first', [reasoning('I am the first.'), echo('a'), echo('b')], [text('Done.')]);
        for (const { name, messages } of await said.turns()) {
          if (name !== scene.server.name) await scene.add(messages);
        }
        await scene.talk('And you?', [reasoning('Hm.'), echo('c')], [text('Done.')]);
        await scene.talk('Once more', [text('That is all.')]);
        return undefined;
      },
    },
  ];
}
