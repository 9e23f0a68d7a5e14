import { cycleTools } from '../../src/agent/checkpoints/cycleTools.ts';
import { toolResultsOf, useTools, type Step } from '../fixtures/openaiServer.ts';
import { type World } from './agentWorld.ts';
import { echoTool, request } from './toolCalls.ts';
import type { AgentTool } from '../../src/agent/tools/tool.ts';

export const tools = (): readonly AgentTool[] => [...cycleTools, echoTool];
export const checkpoint = (goal: string, name?: string): readonly Step[] =>
  useTools(['checkpoint', { goal, ...(name === undefined ? {} : { name }) }]);
export const rewind = (report: string, name?: string): readonly Step[] =>
  useTools(['rewind', { report, ...(name === undefined ? {} : { checkpoint: name }) }]);
export const look = (text: string): readonly Step[] => useTools(['echo', { text }]);

/** The lines of a message of the model's side that hold this text. */
export const count = (lines: readonly string[], text: string): number =>
  lines.join('\n').split(text).length - 1;

export async function results(world: World, number: number): Promise<string[]> {
  await world.server.requestReceived(number);
  return toolResultsOf(request(world.server, number)).map(({ result }) => result);
}
