import { MAX_TASK_STEPS } from '../../../src/agent/explore/exploration.ts';
import { call, reasoning, text } from '../../fixtures/strict/strictServer.ts';
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
        const looks = Array.from({ length: MAX_TASK_STEPS - 1 }, (_, step) => [look(`${step}`)]);
        await scene.talk('Go', [tasks('a')], ...looks, [text('What I have.')], [text('Done.')]);
        await scene.accepted('main-v2');
        return undefined;
      },
    },
  ];
}
