import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { uriOf } from '../../../src/host/node/fileUris.ts';
import { NodeSandbox } from '../../../src/host/node/walls/nodeSandbox.ts';
import { shellWord } from '../../../src/host/walls/startScript.ts';
import { hostileFamilies } from '../../fixtures/hostileCommands.ts';
import { isOnPath, usableBubblewrap } from '../../fixtures/shells.ts';
import { until } from '../../fixtures/until.ts';
import { SECRET, WalledWorld } from '../../worlds/walledWorld.ts';

/** `npm run attack` tries what takes too long for each test run. */
const isAttack = process.env['OFFSHOOT_ATTACK'] !== undefined;

const program = usableBubblewrap();
const all = hostileFamilies.flatMap(({ commands }) => commands);

/** How long one command may take, in seconds: those that wait for what never comes are ended. */
const SECONDS = 5;

/** Python itself: what stands for it on the path may be a script that takes half a second to find it. */
const pythons = isOnPath('python3')
  ? [path.dirname(execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }))]
  : [];

/** A script that runs commands one after the other, each with the same files, and says of each that it is done. */
function scriptOf(commands: readonly string[]): string {
  return [
    `PATH=${[...pythons, '$PATH'].join(':')}`,
    'mkdir -p /tmp/kept; cp a.txt prog.sh x.js p.diff rules a.tar /tmp/kept/',
    ...commands.flatMap((each, index) => [
      `timeout -k 1 ${SECONDS} bash -c ${shellWord(each)} < /dev/null`,
      `echo; echo "done-${index}"; { rm -rf ?; cp -f /tmp/kept/* .; } 2> /dev/null`,
    ]),
  ].join('\n');
}

/** The programs that commands begin with. */
function programsOf(commands: readonly string[]): readonly string[] {
  const first = commands.map((each) => /^(?:[A-Z_0-9]+=\S+ )*([a-z][\w.+-]*)(?=\s|$)/u.exec(each)?.[1]);
  return [...new Set(first.filter((each) => each !== undefined))];
}

const programs = programsOf(all);
const there = programs.filter(isOnPath);

if (program !== undefined) {
  describe(`the sandbox, attacked by ${all.length} commands (${there.length} of ${programs.length} programs are here)`, () => {
    let world: WalledWorld;
    let sandbox: NodeSandbox;
    before(async () => {
      process.env['OFFSHOOT_TEST_TOKEN'] = SECRET;
      world = await WalledWorld.create();
      sandbox = new NodeSandbox({ program, home: world.home, needsProxy: false });
    });
    after(async () => {
      delete process.env['OFFSHOOT_TEST_TOKEN'];
      await world[Symbol.asyncDispose]();
    });

    async function walled(script: string, where: WalledWorld): Promise<string> {
      const wall = await sandbox.wall({
        chatId: where.folder,
        shell: '/bin/bash',
        writable: [uriOf(where.work)],
        readable: [],
        mayReach: () => false,
      });
      const { output } = await where.run(script, wall);
      await wall.close();
      return output;
    }

    /** Those that did what they must not, each tried in a world of its own. */
    async function blamed(commands: readonly string[]): Promise<readonly string[]> {
      const found: string[] = [];
      for (const each of commands) {
        await using open = await WalledWorld.create();
        const before = await open.state();
        const output = await walled(scriptOf([each]), open);
        if (output.includes(SECRET) || (await open.state()) !== before) found.push(each);
      }
      return found;
    }

    it('is tried with at least 261, many of them with programs that are here', () => {
      assert.ok(all.length >= 261, String(all.length));
      assert.equal(new Set(all).size, all.length);
      assert.ok(there.length >= 60, `${there.length} of ${programs.length}: ${there.join(' ')}`);
    });

    for (const { family, commands: its, isAlone, isSlow } of hostileFamilies) {
      // All of them take longer than each test run has.
      const commands = isAttack ? its : its.filter((_each, index) => !isSlow && index % 2 === 0);
      if (commands.length === 0) continue;
      it(`holds against ${family}`, async function () {
        this.timeout(120_000);
        if (isAlone) {
          assert.deepEqual(await blamed(commands), []);
          return;
        }
        const before = await world.state();
        const output = await walled(scriptOf(commands), world);
        const isLeftOut = (_each: string, index: number): boolean => !output.includes(`\ndone-${index}\n`);
        assert.deepEqual(commands.filter(isLeftOut), [], output);
        const isHeld = (await world.state()) === before && !output.includes(SECRET);
        if (!isHeld) assert.deepEqual(await blamed(commands), [], output);
        assert.ok(isHeld, 'all of them together did what none does alone');
      });
    }

    if (isAttack) {
      it('is what holds: without it, at least 261 of these commands leak', async function () {
        this.timeout(1_200_000);
        const harmless: string[] = [];
        const tried = hostileFamilies.flatMap(({ commands, isRare }) => (isRare ? [] : commands));
        for (const command of tried) {
          await using open = await WalledWorld.create();
          const before = await open.state();
          const { output } = await open.run(scriptOf([command]).replaceAll('/tmp/kept', 'TEMPORARY/../kept'));
          const hasLeaked = async (): Promise<boolean> =>
            output.includes(SECRET) || (await open.state()) !== before;
          await until(hasLeaked, command, 1_500).catch(() => harmless.push(command));
        }
        const leaking = tried.length - harmless.length;
        assert.ok(leaking >= 261, `${leaking} leak, these don’t:\n${harmless.join('\n')}`);
      });
    }
  });
}
