import { z } from 'zod';
import { cycleTools } from '../../src/agent/checkpoints/cycleTools.ts';
import type { ExploreTask } from '../../src/agent/explore/exploreTask.ts';
import { exploreTool } from '../../src/agent/explore/exploreTool.ts';
import { tasksOf, type TaskProgress } from '../../src/agent/explore/taskProgress.ts';
import { defineTool, type AgentTool } from '../../src/agent/tools/tool.ts';
import { conversationOf, useTools, type Reply, type RecordedRequest } from '../fixtures/openaiServer.ts';
import { CHAT, type World } from './agentWorld.ts';
import { callsIn, echoTool } from './toolCalls.ts';

/** Reads, so that runs that explore have it. */
export const lookTool: AgentTool = defineTool({
  name: 'look',
  description: 'Looks.',
  input: z.object({ path: z.string() }),
  readsOnly: true,
  run: ({ path }) => ({ text: `saw ${path}` }),
});

export const tools = (): readonly AgentTool[] => [...cycleTools, exploreTool, lookTool, echoTool];

export const task = (title: string, prompt = `Find out ${title}`): ExploreTask => ({ title, prompt });

/** A step of the main answer that has tasks explored. */
export const explore = (...tasks: readonly ExploreTask[]): Reply => useTools(['explore', { tasks }]);

/** The prompt of the task that a request is about; '' for the main answer. */
export function promptOf(request: RecordedRequest): string {
  const sent = conversationOf(request).find(({ role }) => role === 'user')?.text ?? '';
  // The ledger of where it starts stands before it.
  const first = sent.replace(/^<ledger>[^]*<\/ledger>\n+/u, '');
  return first.startsWith('Find out ') ? (first.split('\n')[0] ?? '') : '';
}

/** How often the model was asked before about what a request is about. */
export function stepOf(request: RecordedRequest): number {
  return request.body.messages.filter(({ tool_calls: calls }) => (calls ?? []).length > 0).length;
}

/** Answers each conversation separately: those of tasks by their titles, and the main one. */
export function playing(
  main: readonly Reply[],
  tasks: Readonly<Record<string, readonly Reply[] | ((step: number) => Reply)>>,
): (request: RecordedRequest) => Reply {
  return (request: RecordedRequest): Reply => {
    const prompt = promptOf(request);
    const replies = prompt === '' ? main : tasks[prompt.replace('Find out ', '')];
    const step = stepOf(request);
    const reply = typeof replies === 'function' ? replies(step) : replies?.[step];
    if (reply === undefined) throw new Error(`There is no reply ${step} to “${prompt}”.`);
    return reply;
  };
}

/** How far the tasks of the last call have come, of an answer that is written or was saved. */
export async function tasksNow(world: World, branch = 'main'): Promise<readonly TaskProgress[]> {
  const running = world.runs.get(CHAT, branch);
  const calls = callsIn(running ? [running.message()] : await world.path(branch));
  return calls.flatMap((call) => tasksOf(call) ?? []);
}

/** Resolves when the tasks are so far. */
export async function tasksAre(
  world: World,
  isMet: (tasks: readonly TaskProgress[]) => boolean,
): Promise<void> {
  await world.until(() => {
    const running = world.runs.get(CHAT, 'main');
    return (
      running !== undefined && isMet(callsIn([running.message()]).flatMap((call) => tasksOf(call) ?? []))
    );
  });
}
