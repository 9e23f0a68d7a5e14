import assert from 'node:assert/strict';
import { runProjectCommand, type ProjectCommand } from '../../../src/agent/tools/commands/projectCommand.ts';
import { uriOf } from '../../../src/host/node/fileUris.ts';
import { NodePrograms } from '../../../src/host/node/nodePrograms.ts';
import { NodeSandbox } from '../../../src/host/node/walls/nodeSandbox.ts';
import type { Wall } from '../../../src/host/sandbox.ts';
import { usableBubblewrap } from '../../fixtures/shells.ts';
import { WalledWorld } from '../../worlds/walledWorld.ts';

/** A wall that only leaves a mark in the environment. */
class MarkedWall implements Wall {
  readonly start = ['/usr/bin/env', 'WALLED=yes'] as const;
  closed = 0;

  refusedHosts(): readonly string[] {
    return ['https://example.com'];
  }
  sweep(): never {
    return assert.fail('it has ended');
  }
  close() {
    this.closed += 1;
    return Promise.resolve({ made: ['Makefile'], isCut: false });
  }
}

const programs = new NodePrograms('');
const shell = (): string => '/bin/sh';
const never = new AbortController().signal;

const command = (text: string, more: Partial<ProjectCommand> = {}): ProjectCommand => ({
  ...{ chatId: 'chat', command: text, folder: 'file:///', writable: [], limitMs: 60_000, signal: never },
  ...more,
});

if (process.platform !== 'win32') {
  describe('commands of a project', () => {
    it('are given their input and environment, and each stream is kept', async () => {
      const host = { programs, shell, wallFor: () => Promise.resolve(undefined) };
      const text = 'cat; echo "$PLACE" >&2; exit 2';
      const more = { input: '{"a":1}', environment: { PLACE: 'here' } };
      assert.deepEqual(await runProjectCommand(host, command(text, more)), {
        ...{ end: 'ended', exitCode: 2, output: '{"a":1}', errors: 'here\n' },
        ...{ isWalled: false, refusedHosts: [], made: [] },
      });
    });

    it('run behind a wall, unless the user had them leave it', async () => {
      const wall = new MarkedWall();
      const host = { programs, shell, wallFor: () => Promise.resolve(wall) };
      const walled = await runProjectCommand(host, command('echo "$WALLED"'));
      assert.deepEqual(
        [walled.output, walled.isWalled, walled.refusedHosts, walled.made, wall.closed],
        ['yes\n', true, ['https://example.com'], ['Makefile'], 1],
      );
      const outside = await runProjectCommand(host, command('echo "$WALLED"', { isOutside: true }));
      assert.deepEqual([outside.output, outside.isWalled], ['\n', false]);
    });

    it('end when their time is over, and when they are stopped, and leave no wall', async () => {
      const wall = new MarkedWall();
      const host = { programs, shell, wallFor: () => Promise.resolve(wall) };
      assert.equal((await runProjectCommand(host, command('sleep 1000', { limitMs: 10 }))).end, 'late');
      const stop = new AbortController();
      const running = runProjectCommand(host, command('sleep 1000', { signal: stop.signal }));
      stop.abort();
      await assert.rejects(running, { name: 'AbortError' });
      const later = new AbortController();
      const startShell: typeof programs.startShell = (start) => {
        const started = programs.startShell(start);
        queueMicrotask(() => later.abort());
        return started;
      };
      const stopped = await runProjectCommand(
        { ...host, programs: { startShell } },
        command('exec sleep 1000', { signal: later.signal }),
      );
      assert.equal(stopped.end, 'stopped');
      assert.equal(wall.closed, 3);
    });
  });
}

const program = usableBubblewrap();
if (program !== undefined) {
  describe('commands of a project in the sandbox', () => {
    it('write their folders and nothing else', async () => {
      await using world = await WalledWorld.create();
      const sandbox = new NodeSandbox({ program, home: world.home, needsProxy: false });
      const wallFor = (chatId: string, writable: readonly string[]) =>
        sandbox.wall({ chatId, shell: '/bin/sh', writable, readable: [], mayReach: () => false });
      const before = await world.state();
      const at = { folder: uriOf(world.work), writable: [uriOf(world.work)], input: 'given' };
      const text = world.command('cat > new.txt; cat new.txt; touch OUT/x .git/x; cat HOME/notes.txt');
      const { output, exitCode } = await runProjectCommand({ programs, shell, wallFor }, command(text, at));
      assert.equal(output, 'given');
      assert.notEqual(exitCode, 0);
      assert.equal(await world.state(), before);
    });
  });
}
