import assert from 'node:assert/strict';
import { cycleTools } from '../../../src/agent/cycle/cycleTools.ts';
import { cherryPick } from '../../../src/conversation/cherryPick.ts';
import { mergeSummary } from '../../../src/conversation/mergeSummary.ts';
import { partOf, replaceBySummary } from '../../../src/conversation/summarize.ts';
import { writeSummary } from '../../../src/agent/summaries/writeSummary.ts';
import { strictServers } from '../../fixtures/strict/strictServers.ts';
import { call, cut, limit, pause, reasoning, text } from '../../fixtures/strict/strictServer.ts';
import { echoTool } from './toolWorld.ts';
import { CHAT } from './agentWorld.ts';
import { draftWithCalls, Scene, type SceneOptions } from './scenarioWorld.ts';

interface Flow {
  readonly title: string;
  readonly options?: SceneOptions;
  /** Plays the scenario; the branch whose last answer has to be whole, where it is not the main one. */
  readonly play: (scene: Scene) => Promise<string | undefined>;
}

const echo = (value: string): ReturnType<typeof call> => call('echo', { text: value });
const written = { text: 'the gist', model: undefined, now: 0 };

/** Stops an answer as soon as it stands where it should. */
async function stopAt(scene: Scene, question: string, isThere: () => Promise<void>): Promise<void> {
  const run = await scene.ask(question);
  await isThere();
  await scene.world.runs.stop(CHAT, 'main');
  scene.server.release();
  assert.equal(run.status, 'interrupted');
}

const flows: readonly Flow[] = [
  {
    title: 'a loop of five steps',
    play: async (scene) => {
      const steps = ['a', 'b', 'c', 'd'].map((step) => [
        reasoning(`Now ${step}.`),
        text(`Step ${step}`),
        echo(step),
      ]);
      await scene.talk('Go', ...steps, [reasoning('All there.'), text('Done.')]);
      await scene.talk('And?', [text('That is all.')]);
      return undefined;
    },
  },
  {
    title: 'parallel calls, one of no tool there is, one without an answer',
    play: async (scene) => {
      const calls = [echo('a'), call('silent'), call('functions.echo<|channel|>commentary', {}), echo('b')];
      await scene.talk('Go', [reasoning('All at once.'), ...calls], [text('Done.')]);
      await scene.talk('Again', [echo('c'), echo('d')], [text('Done.')]);
      return undefined;
    },
  },
  {
    title: 'calls that all have one id',
    play: async (scene) => {
      // No provider is to be trusted with that.
      await scene.talk(
        'Go',
        [call('echo', { text: 'a' }, 'samesame1')],
        [call('echo', { text: 'b' }, 'samesame1')],
        [text('Done.')],
      );
      await scene.talk('And?', [text('That is all.')]);
      return undefined;
    },
  },
  {
    title: 'a reload in the middle of a call',
    play: async (scene) => {
      await scene.talk('Go', [echo('a')], [text('Half')]);
      const { store } = scene.world;
      await store.saveDraft({
        chatId: CHAT,
        branch: 'main',
        message: await draftWithCalls(scene.world, (await scene.server.model()).id),
      });
      await scene.world.runs.recover();
      await scene.talk('And?', [text('That is all.')]);
      return undefined;
    },
  },
  {
    title: 'a stop during a text, then another question',
    play: async (scene) => {
      scene.server.replies.push(
        [reasoning('Hm.'), echo('a')],
        [reasoning('Hm.'), text('Half'), pause, text('more')],
      );
      await stopAt(scene, 'Go', () => scene.server.pauseReached());
      await scene.talk('And?', [text('That is all.')]);
      return undefined;
    },
  },
  {
    title: 'a stop while it thinks, then continue',
    play: async (scene) => {
      scene.server.replies.push(
        [reasoning('Hm.'), echo('a')],
        [reasoning('Half a'), pause, reasoning('thought')],
      );
      await stopAt(scene, 'Go', () => scene.server.pauseReached());
      scene.server.replies.push([text('That is all.')]);
      await scene.goOn();
      return undefined;
    },
  },
  {
    title: 'a stop during a tool, then continue',
    play: async (scene) => {
      scene.server.replies.push([echo('a'), call('hang')]);
      await stopAt(scene, 'Go', async () => {
        await scene.world.until(() =>
          scene.world.events.some(
            (event) => event.kind === 'part' && JSON.stringify(event.part).includes('echo: a'),
          ),
        );
      });
      scene.server.replies.push([text('That is all.')]);
      await scene.goOn();
      return undefined;
    },
  },
  {
    title: 'a stop during an approval, then another question',
    play: async (scene) => {
      scene.server.replies.push([text('I need it.'), call('asking')]);
      await stopAt(scene, 'Go', async () => {
        await scene.world.until(() => scene.approvals.list().length > 0);
      });
      await scene.talk('And?', [text('That is all.')]);
      return undefined;
    },
  },
  {
    title: 'a connection that breaks in the middle, then continue',
    play: async (scene) => {
      await scene.talk('Go', [echo('a')], [text('Half'), cut]);
      scene.server.replies.push([text('That is all.')]);
      await scene.goOn();
      return undefined;
    },
  },
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
      for (const create of strictServers) {
        const server = await scene.join(create);
        server.replies.push([reasoning(`I am ${server.name}.`), echo('a'), echo('b')], [text('Done.')]);
        await (
          await scene.ask(`You, ${server.name}?`, { server })
        ).done;
      }
      await scene.talk('And you?', [reasoning('Hm.'), echo('c')], [text('Done.')]);
      await scene.talk('Once more', [text('That is all.')]);
      return undefined;
    },
  },
  {
    title: "a loop that goes on with this model after another's limit of steps",
    options: { maxSteps: 2 },
    play: async (scene) => {
      for (const create of strictServers) {
        const server = await scene.join(create);
        server.replies.push([reasoning('Hm.'), echo('a')], [reasoning('Hm.'), echo('b')]);
        await (
          await scene.ask(`You, ${server.name}?`, { server })
        ).done;
        scene.server.replies.push([reasoning('On.'), echo('c')], [text('Done.')]);
        await scene.goOn();
      }
      return undefined;
    },
  },
  {
    title: 'continue after the limit of steps',
    options: { maxSteps: 2 },
    play: async (scene) => {
      await scene.talk('Go', [reasoning('Hm.'), echo('a')], [reasoning('Hm.'), echo('b')]);
      scene.server.replies.push([reasoning('On.'), echo('c')], [text('Done.')]);
      await scene.goOn();
      return undefined;
    },
  },
  {
    title: 'continue after tools were switched off',
    options: { maxSteps: 1 },
    play: async (scene) => {
      await scene.talk('Go', [reasoning('Hm.'), text('Look:'), echo('a')]);
      scene.tools = [];
      scene.server.replies.push([text('Done.')]);
      await scene.goOn();
      scene.tools = [echoTool];
      await scene.talk('And?', [echo('b')], [text('That is all.')]);
      return undefined;
    },
  },
  {
    title: 'an answer cut by its limit, then continue',
    play: async (scene) => {
      await scene.talk('Go', [text('Half an ans'), limit]);
      scene.server.replies.push([text('wer.')]);
      await scene.goOn();
      return undefined;
    },
  },
  {
    title: 'pictures and files',
    play: async (scene) => {
      const png = Uint8Array.of(
        0x89,
        0x50,
        0x4e,
        0x47,
        0x0d,
        0x0a,
        0x1a,
        0x0a,
        0,
        0,
        0,
        13,
        73,
        72,
        68,
        82,
        0,
        0,
        0x20,
        0,
        0,
        0,
        0,
        9,
      );
      const gif = Uint8Array.of(0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 2, 0, 2, 0);
      const attached = [
        await scene.picture(png, 'image/png'),
        await scene.picture(gif, 'image/gif'),
        // Under the name of another kind.
        await scene.picture(gif, 'image/png'),
        {
          type: 'file' as const,
          mediaType: 'text/csv',
          url: `data:text/csv;base64,${btoa('a,b')}`,
          filename: 'a.csv',
        },
        {
          type: 'file' as const,
          mediaType: 'application/zip',
          url: `data:application/zip;base64,${btoa('PK')}`,
        },
        { type: 'text' as const, text: ' \n ' },
      ];
      scene.server.replies.push([echo('a')], [text('I see.')]);
      await (
        await scene.ask('Look', { attached })
      ).done;
      scene.server.replies.push([text('Many.')]);
      const many = await Promise.all(Array.from({ length: 25 }, () => scene.picture(png, 'image/png')));
      await (
        await scene.ask('And these?', { attached: many })
      ).done;
      return undefined;
    },
  },
  {
    title: 'tools of MCP servers with odd schemas',
    play: async (scene) => {
      scene.offerOddTools();
      await scene.talk('Go', [call('odd_union', { b: 1 })], [text('Done.')]);
      await scene.talk('And?', [call('odd_text', {})], [text('That is all.')]);
      return undefined;
    },
  },
];

/** What every provider accepts of every flow: a cell is a test, and its title names both. */
describe('what is sent is accepted', () => {
  for (const { title, options, play } of flows) {
    describe(title, () => {
      for (const create of strictServers) {
        it(create().name, async () => {
          await using scene = await Scene.open(create, options);
          const branch = await play(scene);
          await scene.accepted(branch);
        });
      }
    });
  }
});
