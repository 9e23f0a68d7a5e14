import {
  commandTools,
  type CommandHost,
  type CommandTerminals,
} from '../../src/agent/tools/commands/commandTools.ts';
import { CommandRuns } from '../../src/agent/tools/commands/commandRuns.ts';
import { NodePrograms } from '../../src/host/node/nodePrograms.ts';
import { WorkspaceSnapshots } from '../../src/host/node/workspaceSnapshots.ts';
import type { Script } from '../fixtures/openaiServer.ts';
import type { World } from './agentWorld.ts';
import type { TestWorkspace } from './testWorkspace.ts';
import { writingWorld, type Person } from './writingWorld.ts';

/** Runs commands by a real shell, without a terminal. */
const shellTerminals: CommandTerminals = {
  start: ({ command, folder, wall, onOutput }) => {
    const shell = new NodePrograms('').startShell({ shell: '/bin/sh', command, folder, wall, onOutput });
    return Promise.resolve({ ended: shell.ended, stop: () => shell.stop(), show: () => undefined });
  },
};

export interface CommandWorld {
  readonly world: World;
  readonly runs: CommandRuns;
}

export interface CommandWorldOptions extends Pick<CommandHost, 'quietMs' | 'walls'> {
  /** The setting. */
  readonly allowed?: readonly string[];
  readonly shell?: string;
}

/** A model that runs commands in a workspace. */
export async function commandWorld(
  workspace: TestWorkspace,
  person: Person,
  script: Script,
  { allowed = [], shell = 'sh', ...bounds }: CommandWorldOptions = {},
): Promise<CommandWorld> {
  const runs = new CommandRuns();
  const tools = commandTools({
    guarded: workspace.guarded,
    runs,
    shell: () => shell,
    allowed: () => allowed,
    load: () => import('../../src/agent/tools/commands/carryOut.ts'),
    terminals: () => Promise.resolve(shellTerminals),
    watch: () => Promise.resolve(new WorkspaceSnapshots()),
    ...bounds,
  });
  return { runs, world: await writingWorld(workspace, person, script, { tools: () => tools }) };
}
