import { systemScheduler } from '../../../src/base/scheduler.ts';
import { RequestPace } from '../../../src/models/requests/retry.ts';
import { call, reasoning, text } from '../../fixtures/strict/strictServer.ts';
import { CHAT } from '../../worlds/agentWorld.ts';
import { tools } from '../../worlds/exploreWorld.ts';
import { echo, type Flow } from './scenarioFlow.ts';

const tasks = (...titles: readonly string[]): ReturnType<typeof call> =>
  call('explore', { tasks: titles.map((title) => ({ title, prompt: `Find out ${title}` })) });
const look = (path: string): ReturnType<typeof call> => call('look', { path });

/** Tasks that are explored alongside an answer. */
export function exploreFlows(): readonly Flow[] {
  return [
    {
      title: 'two tasks explored at once, then another question',
      play: async (scene) => {
        scene.tools = tools();
        await scene.talk(
          'Go',
          [reasoning('Both at once.'), tasks('a', 'b')],
          // Whichever asks first: each ends with a text.
          ...[[reasoning('Look.'), look('a')], [look('b')], [text('Found.')], [text('Found.')]],
          [reasoning('So it is.'), text('Done.')],
        );
        await scene.talk('And?', [echo('a')], [text('That is all.')]);
        return undefined;
      },
    },
    {
      title: 'the branch of a task, gone on with',
      play: async (scene) => {
        scene.tools = tools();
        await scene.talk('Go', [tasks('a')], [look('a')], [text('Found.')], [text('Done.')]);
        await scene.talkOn('main-v2', 'Further?', [reasoning('Hm.'), echo('b')], [text('Further.')]);
        return 'main-v2';
      },
    },
    {
      title: 'a task that comes to its limit of steps, and reports without tools',
      play: async (scene) => {
        scene.tools = tools();
        await scene.talk('Go', [text('Done.')]);
        const { name: branch } = await scene.world.engine('main').btw();
        scene.server.replies.push([look('a')], [reasoning('Hm.'), look('b')], [text('What I have.')]);
        // As a task is started, whose limit is so high that reaching it takes more time than all the rest.
        const exploration = {
          maxSteps: 3,
          pace: new RequestPace(systemScheduler),
          agent: undefined,
          spentFor: { chatId: CHAT },
        };
        await (
          await scene.ask('Find out a', { branch, exploration })
        ).done;
        return branch;
      },
    },
  ];
}
