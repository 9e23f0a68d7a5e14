import assert from 'node:assert/strict';
import type { ApprovalChoice } from '../../../src/agent/tools/approvals.ts';
import { commandDetailsIn } from '../../../src/agent/tools/commands/commandDetails.ts';
import type { CommandWalls } from '../../../src/agent/tools/commands/commandTools.ts';
import { writesRepository } from '../../../src/agent/tools/commands/walledCommand.ts';
import { refusalsIn } from '../../../src/agent/tools/commands/wallRefusals.ts';
import { WallError, type SetAside, type WallRequest } from '../../../src/host/sandbox.ts';
import { answer, toolResultsOf, useTools } from '../../fixtures/openaiServer.ts';
import { commandWorld } from '../../worlds/commandWorld.ts';
import { TestWorkspace } from '../../worlds/testWorkspace.ts';
import { callsIn, request } from '../../worlds/toolCalls.ts';
import { Person } from '../../worlds/writingWorld.ts';

/** Walls that only leave a mark in the environment. */
class MarkedWalls implements CommandWalls {
  readonly asked: WallRequest[] = [];
  closed = 0;
  unasked = false;
  /** What there is in place of a wall. */
  problem: WallError | undefined;
  hasSandbox = true;
  hasHosts = true;
  aside: SetAside = { made: [], isCut: false };
  refused: readonly string[] = [];
  /** Those that may be reached in any chat. */
  reachable: readonly string[] = [];

  isUnasked(): boolean {
    return this.unasked;
  }
  shell(): string {
    return '/bin/sh';
  }
  readable(): readonly string[] {
    return ['file:///also'];
  }
  mayReach(_chatId: string, { origin }: URL): boolean {
    return this.reachable.includes(origin);
  }
  sandbox() {
    const wall = (asked: WallRequest) => {
      if (this.problem) return Promise.reject(this.problem);
      this.asked.push(asked);
      let isOpen = true;
      const close = () => {
        if (isOpen) this.closed += 1;
        isOpen = false;
        return Promise.resolve(this.aside);
      };
      const refusedHosts = () => this.refused;
      const sweep = () => Promise.resolve(this.aside);
      return Promise.resolve({ start: ['/usr/bin/env', 'WALLED=yes'] as const, refusedHosts, sweep, close });
    };
    const whyNone = () => Promise.resolve(undefined);
    const canReachHosts = () => Promise.resolve(this.hasHosts);
    const holds = (uri: string) => uri.endsWith('/.vscode');
    return Promise.resolve(this.hasSandbox ? { whyNone, canReachHosts, holds, wall } : undefined);
  }
}

interface Ran {
  readonly results: readonly string[];
  /** What the user was asked for, and whether it leaves the sandbox. */
  readonly asked: readonly (readonly [text: string | undefined, leaves: boolean])[];
  readonly details: readonly unknown[];
  /** The hosts that the user was asked for. */
  readonly hosts: readonly string[];
}

async function ran(
  walls: CommandWalls,
  commands: readonly {
    readonly command: string;
    readonly outside?: boolean;
    readonly hosts?: readonly string[];
    readonly waitSeconds?: number;
  }[],
  { allowed = [], choice = 'once' }: { allowed?: readonly string[]; choice?: ApprovalChoice } = {},
): Promise<Ran> {
  await using workspace = await TestWorkspace.create({});
  const person = new Person(() => choice);
  const calls = commands.map((each) => ['run_command', each] as const);
  const { world, runs } = await commandWorld(workspace, person, [useTools(...calls), answer('ok')], {
    allowed,
    walls,
  });
  await using _world = world;
  await world.answered('?');
  runs.dispose();
  return {
    results: toolResultsOf(request(world.server, world.server.requests.length)).map(({ result }) => result),
    asked: person.asked.flatMap(({ command }) =>
      command ? [[command.text, command.leavesSandbox === true] as const] : [],
    ),
    hosts: person.asked.flatMap(({ page }) => (page?.isForCommand === true ? [page.url] : [])),
    details: callsIn(await world.path()).map((call) =>
      call.state === 'output-available' ? commandDetailsIn(call.output)?.sandbox : undefined,
    ),
  };
}

const mark = 'printenv WALLED';

if (process.platform !== 'win32') {
  describe('commands where there is a sandbox', () => {
    it('run in it without a question when what they begin with is allowed, and outside once they are approved', async () => {
      const walls = new MarkedWalls();
      const { results, asked, details } = await ran(
        walls,
        [{ command: mark }, { command: `true; ${mark}` }],
        {
          allowed: ['printenv'],
        },
      );
      assert.match(results[0] ?? '', /^Exit code 0[^]*yes/u);
      assert.match(results[1] ?? '', /^Exit code 1/u);
      assert.deepEqual(asked, [[`true; ${mark}`, false]]);
      assert.deepEqual(details, [{ refused: [] }, undefined]);
      const [wall] = walls.asked;
      assert.deepEqual(
        [wall?.shell, wall?.readable, wall?.writable.length],
        ['/bin/sh', ['file:///also'], 1],
      );
      assert.equal(walls.closed, 1, 'its files go');
    });

    it('run in it whatever they are, in the mode for that; what writes a repository is asked for and runs outside', async () => {
      const walls = new MarkedWalls();
      walls.unasked = true;
      const { results, asked } = await ran(walls, [
        { command: 'for x in a; do echo "$WALLED"; done > "$(echo out)"; cat out' },
        { command: 'git commit -m x; echo "mark:$WALLED"' },
      ]);
      assert.match(results[0] ?? '', /yes/u);
      assert.match(results[1] ?? '', /mark:(?:\n|$)/u);
      assert.deepEqual(asked, [['git commit -m x; echo "mark:$WALLED"', false]]);
    });

    it('leave it only after a question, each time, even where they are allowed', async () => {
      const walls = new MarkedWalls();
      walls.unasked = true;
      const outside = { command: mark, outside: true };
      const { results, asked } = await ran(walls, [outside, outside], {
        allowed: ['printenv'],
        choice: 'chat',
      });
      assert.deepEqual(asked, [
        [mark, true],
        [mark, true],
      ]);
      assert.match(results[1] ?? '', /^Exit code 1/u);
      const denied = await ran(walls, [outside], { choice: 'deny' });
      assert.match(denied.results[0] ?? '', /did not allow/u);
    });

    it('tell what it may have refused, to the model and in their details', async () => {
      const walls = new MarkedWalls();
      walls.unasked = true;
      const { results, details } = await ran(walls, [
        { command: 'echo "touch: x: Read-only file system"; exit 1' },
        { command: 'exit 3' },
        { command: 'echo fine' },
      ]);
      assert.match(results[0] ?? '', /seems to have refused it writing a file\.[^]*outside: true/u);
      assert.match(results[1] ?? '', /It ran in a sandbox\.[^]*outside: true/u);
      assert.doesNotMatch(results[2] ?? '', /sandbox/u);
      assert.deepEqual(details, [{ refused: ['writing'] }, { refused: [] }, { refused: [] }]);
    });

    it('tell of protected files that they made, to the model and in their details', async () => {
      const walls = new MarkedWalls();
      walls.unasked = true;
      walls.aside = { made: ['.vscode/tasks.json'], isCut: true };
      const { results, details } = await ran(walls, [{ command: 'true' }]);
      assert.match(results[0] ?? '', /It made what decides[^]*\.vscode\/tasks\.json, and there may be more/u);
      assert.deepEqual(details, [{ refused: [], made: ['.vscode/tasks.json'], isCut: true }]);
    });

    it('tell of them while they go on, too', async () => {
      const walls = new MarkedWalls();
      walls.unasked = true;
      walls.aside = { made: ['AGENTS.md'], isCut: false };
      const { results } = await ran(walls, [{ command: 'sleep 1000', waitSeconds: 0 }]);
      assert.match(results[0] ?? '', /^Still running[^]*It made what decides[^]*AGENTS\.md/u);
    });

    it('leave out of what they changed the empty folders that hold a name', async () => {
      const walls = new MarkedWalls();
      walls.unasked = true;
      const { results } = await ran(walls, [
        { command: 'mkdir .vscode made' },
        { command: 'rmdir .vscode made' },
      ]);
      for (const each of results) {
        assert.match(each, /made\//u);
        assert.doesNotMatch(each, /\.vscode/u);
      }
    });

    it('reach hosts that the user is asked for, for the one run, the chat or from before, and no private ones', async () => {
      const walls = new MarkedWalls();
      walls.unasked = true;
      walls.reachable = ['https://known.example.com'];
      const { results, hosts } = await ran(walls, [
        { command: mark, hosts: ['a.example.com', 'http://b.example.com', 'known.example.com'] },
        { command: mark, hosts: ['127.0.0.1'] },
        { command: mark, hosts: ['printer.local'] },
        { command: mark, hosts: ['https://a.example.com/path'] },
        { command: mark },
      ]);
      assert.deepEqual(hosts, ['https://a.example.com/', 'http://b.example.com/']);
      const reaches = (index: number, origin: string) => walls.asked[index]?.mayReach(new URL(origin));
      assert.deepEqual(
        ['https://a.example.com', 'http://b.example.com', 'https://known.example.com'].map((each) => [
          reaches(0, each),
          reaches(1, each),
        ]),
        [
          [true, false],
          [true, false],
          [true, true],
        ],
      );
      assert.equal(reaches(0, 'http://a.example.com'), false);
      for (const index of [1, 2]) assert.match(results[index] ?? '', /private network/u);
      assert.match(results[3] ?? '', /is no host/u);
      const denied = await ran(walls, [{ command: mark, hosts: ['c.example.com'] }], { choice: 'deny' });
      assert.match(denied.results[0] ?? '', /did not allow/u);
    });

    it('tell which hosts they may not reach, and how to ask for them', async () => {
      const walls = new MarkedWalls();
      walls.unasked = true;
      walls.refused = ['https://registry.example.com', 'http://plain.example.com'];
      const { results, details } = await ran(walls, [{ command: 'echo EAI_AGAIN; exit 1' }]);
      assert.match(
        results[0] ?? '',
        /may not reach registry\.example\.com, http:\/\/plain\.example\.com:[^]*hosts: \["registry\.example\.com","http:/u,
      );
      const hosts = ['registry.example.com', 'http://plain.example.com'];
      assert.deepEqual(details, [{ refused: [], hosts }]);
    });

    it('cover any program that the user listed, which without it they would not', async () => {
      const walls = new MarkedWalls();
      const commands = [{ command: 'getconf PATH' }];
      const { details, asked } = await ran(walls, commands, { allowed: ['getconf'] });
      assert.deepEqual([details, asked], [[{ refused: [] }], []]);
      walls.hasSandbox = false;
      const without = await ran(walls, commands, { allowed: ['getconf'] });
      assert.deepEqual(without.asked, [['getconf PATH', false]]);
    });

    it('are asked for as elsewhere where no host can be allowed, but for the mode', async () => {
      const walls = new MarkedWalls();
      walls.hasHosts = false;
      const { results, asked } = await ran(walls, [{ command: mark }, { command: `true; ${mark}` }], {
        allowed: [mark],
      });
      assert.match(results[0] ?? '', /^Exit code 1/u);
      assert.deepEqual(asked, [[`true; ${mark}`, false]]);
      walls.unasked = true;
      const inMode = await ran(walls, [{ command: mark }, { command: mark, hosts: ['a.example.com'] }]);
      assert.match(inMode.results[0] ?? '', /yes/u);
      assert.match(inMode.results[1] ?? '', /No host can be reached from the sandbox here/u);
      assert.deepEqual(inMode.hosts, []);
    });

    it('are asked for as elsewhere where the folders cannot be walled in, or there is no sandbox', async () => {
      const walls = new MarkedWalls();
      walls.unasked = true;
      walls.problem = new WallError('too-many-files');
      const { asked } = await ran(walls, [{ command: `true; ${mark}` }]);
      assert.deepEqual(asked, [[`true; ${mark}`, false]]);
      walls.hasSandbox = false;
      const without = await ran(walls, [{ command: mark, outside: true }], { allowed: [mark] });
      assert.deepEqual(without.asked, []);
    });
  });
}

describe('what a sandbox is not for', () => {
  it('is git that writes its repository', () => {
    const writing = [
      'git commit -m x',
      'git add -A && git commit',
      'cd sub; git -C . stash',
      'git -c user.name=a commit',
      '(git checkout main)',
      'git --no-pager merge x',
      'npm test && git push',
      'x=$(git stash)',
    ];
    for (const each of writing) assert.ok(writesRepository(each), each);
    const others = [
      'git status',
      'git diff',
      'git log --oneline',
      'git show HEAD',
      'git ls-files',
      'git-commit',
      'npm test',
    ];
    for (const each of [...others, 'git log commit']) assert.ok(!writesRepository(each), each);
  });

  it('is recognized by what programs write of it', () => {
    assert.deepEqual(refusalsIn('npm error code EAI_AGAIN'), ['network']);
    assert.deepEqual(refusalsIn('curl: (6) Could not resolve host: example.com'), ['network']);
    assert.deepEqual(refusalsIn("touch: cannot touch 'x': Read-only file system"), ['writing']);
    assert.deepEqual(refusalsIn('Error: EROFS: read-only file system, open'), ['writing']);
    assert.deepEqual(refusalsIn('cat: .env: Permission denied'), ['access']);
    assert.deepEqual(refusalsIn('1 passing'), []);
  });
});
