import { defineTool, type AgentTool } from '../tool.ts';
import type { CommandHost } from './commandHost.ts';
import { readCommandInput, runCommandInput } from './commandInput.ts';

/** Tools that run commands in a terminal, with the user's approval each time or by an earlier approval. */
export function commandTools(host: CommandHost): readonly AgentTool[] {
  return [runCommand(host), readCommand(host)];
}

function runCommand(host: CommandHost): AgentTool {
  return defineTool({
    name: 'run_command',
    description:
      'Runs a shell command in a terminal, in the workspace folder or in a folder of it. Nobody answers prompts. One ' +
      'that has not ended after waitSeconds goes on, under an id for read_command.',
    input: runCommandInput,
    mustFinish: true,
    endsStep: true,
    run: async (input, context) => (await host.load()).runCommand(host, input, context),
  });
}

function readCommand(host: CommandHost): AgentTool {
  return defineTool({
    name: 'read_command',
    description: 'Waits for a command that was left running and reads what it has written, or stops it.',
    input: readCommandInput,
    mustFinish: true,
    run: async (input, context) => (await host.load()).readCommand(host, input, context),
  });
}
