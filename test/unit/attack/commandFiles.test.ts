import assert from 'node:assert/strict';
import { link, mkdir, rm, symlink } from 'node:fs/promises';
import { approveCommand } from '../../../src/agent/tools/commands/commandApproval.ts';
import type { CommandHost } from '../../../src/agent/tools/commands/commandTools.ts';
import { isAskedEachTime, type ApprovalRequest } from '../../../src/agent/tools/approvals.ts';
import { CommandRuns } from '../../../src/agent/tools/commands/commandRuns.ts';
import { WorkspaceSnapshots } from '../../../src/host/node/workspaceSnapshots.ts';
import { TestWorkspace } from '../../worlds/testWorkspace.ts';

/** Whether anybody is asked about a command, and why, where every beginning of it is allowed. */
async function askedAbout(
  workspace: TestWorkspace,
  command: string,
  {
    folder = '',
    allowed = [command.split(' ')[0] ?? ''],
    onAsked = () => Promise.resolve(),
  }: {
    readonly folder?: string;
    readonly allowed?: readonly string[];
    readonly onAsked?: () => Promise<unknown>;
  } = {},
): Promise<ApprovalRequest[]> {
  const asked: ApprovalRequest[] = [];
  const host: CommandHost = {
    guarded: workspace.guarded,
    runs: new CommandRuns(),
    load: () => assert.fail('nothing is run'),
    terminals: () => assert.fail('nothing is run'),
    shell: () => 'bash',
    allowed: () => allowed,
    watch: () => Promise.resolve(new WorkspaceSnapshots()),
  };
  const [opened = assert.fail('no folder is open')] = workspace.folders();
  await approveCommand(
    host,
    {
      approve: async (request) => {
        asked.push(request);
        await onAsked();
      },
      isAllowed: () => false,
      files: undefined,
    },
    { command, folder: { folder: opened.uri, path: folder }, shownFolder: folder },
  );
  return asked;
}

const reasons = (asked: readonly ApprovalRequest[]) => asked.map(({ command }) => command?.eachTime);

describe('attack: files that an allowed command is led to', () => {
  let workspace: TestWorkspace;
  before(async () => {
    workspace = await TestWorkspace.create({
      'a.txt': 'a',
      '.env': 'KEY=1',
      'package.json': '{}',
      '.vscode/tasks.json': '{}',
      'src/x.ts': '',
    });
    await mkdir(workspace.at('.git/hooks'), { recursive: true });
    await symlink('/tmp', workspace.at('out'));
    await symlink('.git', workspace.at('meta'));
    await symlink('.env', workspace.at('notes.txt'));
    await symlink('package.json', workspace.at('data.txt'));
    await symlink('.vscode', workspace.at('conf'));
    await symlink('../a.txt', workspace.at('src/up.txt'));
    await link(workspace.at('.env'), workspace.at('other.env'));
  });
  after(() => workspace[Symbol.asyncDispose]());

  for (const program of ['touch', 'cp a.txt', 'mv a.txt', 'ln -sf a.txt', 'tee', 'truncate -s 0', 'rm -f']) {
    for (const place of [
      'out/x',
      'out/x/y',
      'meta/config',
      'meta/hooks/pre-commit',
      'data.txt',
      'conf/tasks.json',
    ]) {
      it(`are asked about though the link hides it: ${program} ${place}`, async () => {
        const command = `${program} ${place}`;
        assert.deepEqual(reasons(await askedAbout(workspace, command)), ['writes-protected']);
      });
    }
    it(`are not asked about where a link stays among ordinary files: ${program} src/up.txt`, async () => {
      assert.deepEqual(await askedAbout(workspace, `${program} src/up.txt`), []);
    });
  }

  for (const place of ['out/x', 'meta/config', 'data.txt', 'conf/tasks.json']) {
    it(`are asked about in redirections: ${place}`, async () => {
      assert.deepEqual(reasons(await askedAbout(workspace, `ls > ${place}`)), ['writes-protected']);
    });
  }

  for (const program of [
    'cat',
    'head -5',
    'grep -n KEY',
    'wc -l',
    'diff a.txt',
    'git show',
    'git add',
    'cp -f a.txt',
  ]) {
    for (const name of ['.env', './.env', 'notes.txt', 'other.env', 'src/../.env']) {
      it(`are asked about where they hold secrets: ${program} ${name}`, async () => {
        const [reason, ...more] = reasons(await askedAbout(workspace, `${program} ${name}`));
        assert.ok(reason === 'reads-secret' || reason === 'writes-protected', reason);
        assert.deepEqual(more, []);
      });
    }
  }

  for (const command of [
    'cat ~/.ssh/id_rsa',
    'cat /root/.aws/credentials',
    'head ../.npmrc',
    'grep url .git/config',
    'cat sub/../.git/config',
    'cat meta/config',
    'git show HEAD:.env',
    'jq . --arg=a:.env',
  ]) {
    it(`are asked about where they hold secrets elsewhere: ${command}`, async () => {
      assert.deepEqual(reasons(await askedAbout(workspace, command)), ['reads-secret']);
    });
  }

  it('are asked about where they come in by a redirection', async () => {
    assert.deepEqual(reasons(await askedAbout(workspace, 'cat < .env')), ['reads-secret']);
  });

  for (const command of [
    'cat a.txt',
    'cat package.json',
    'cat .vscode/tasks.json',
    'grep -rn secret src',
    'ls -a',
  ]) {
    it(`are ordinary ones in ${command}`, async () => {
      assert.deepEqual(await askedAbout(workspace, command), []);
    });
  }

  for (const folder of ['.vscode', 'conf', 'meta', 'out']) {
    it(`are those of the folder that it runs in: ${folder}`, async () => {
      const asked = await askedAbout(workspace, 'touch tasks.json', { folder });
      assert.deepEqual(reasons(asked), ['writes-protected']);
    });
  }
});

describe('attack: files that are swapped while a command is asked about', () => {
  const manifest = (script: string): string => JSON.stringify({ scripts: { test: script } });

  for (const [what, file, command] of [
    ['its script', 'test.js', 'npm test'],
    ['package.json', 'package.json', 'npm test'],
    ['a file that it names', 'x.sql', 'psql -f x.sql'],
    ['a file that an option names', 'x.sql', 'psql --file=x.sql'],
    ['a file that letters name', 'x.sql', 'psql -fx.sql'],
  ] as const) {
    it(`are asked about again: ${what} of ${command}`, async () => {
      await using workspace = await TestWorkspace.create({
        'package.json': manifest('node test.js'),
        'test.js': '1',
        'x.sql': '1',
      });
      let isSwapped = false;
      const asked = await askedAbout(workspace, command, {
        allowed: [],
        onAsked: async () => {
          if (!isSwapped) await workspace.put(file, manifest('node other.js'));
          isSwapped = true;
        },
      });
      assert.equal(asked.length, 2);
      assert.notEqual(asked[0]?.kind, asked[1]?.kind);
      assert.equal(asked[0]?.family, asked[1]?.family);
    });
  }

  it('are asked about again where a link leads elsewhere by then', async () => {
    await using workspace = await TestWorkspace.create({ 'a.txt': 'a', 'b.txt': 'b', 'sub/x.txt': '' });
    const asked = await askedAbout(workspace, 'cp a.txt sub/b.txt', {
      allowed: [],
      onAsked: async () => {
        await rm(workspace.at('sub'), { recursive: true });
        await symlink('/tmp', workspace.at('sub'));
      },
    });
    assert.deepEqual(asked.map(isAskedEachTime), [false, true]);
  });

  it('are asked about once where nothing is swapped', async () => {
    await using workspace = await TestWorkspace.create({ 'x.sql': '1' });
    assert.equal((await askedAbout(workspace, 'psql -f x.sql', { allowed: ['psql'] })).length, 1);
    assert.equal((await askedAbout(workspace, 'sh x.sql')).length, 1);
  });
});
