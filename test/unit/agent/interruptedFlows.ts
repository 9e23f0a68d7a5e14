import { call, cut, limit, pause, reasoning, text } from '../../fixtures/strict/strictServer.ts';
import { echoTool } from '../../worlds/toolCalls.ts';
import { CHAT } from '../../worlds/agentWorld.ts';
import { draftWithCalls } from '../../worlds/scene.ts';
import { echo, stopAt, type Flow } from './scenarioFlow.ts';

/** What cuts an answer off, and what follows then. */
export function interruptedFlows(): readonly Flow[] {
  return [
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
  ];
}
