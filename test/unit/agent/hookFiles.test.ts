import assert from 'node:assert/strict';
import { readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import type { HooksFile } from '../../../src/agent/hooks/hook.ts';
import { isMatched, readHooksFile } from '../../../src/agent/hooks/readHooksFile.ts';
import { toolNamesFor } from '../../../src/agent/hooks/hookTools.ts';
import { HooksWorld, reading } from '../../worlds/hooksWorld.ts';

const fixture = (name: string): Promise<string> =>
  readFile(path.join('test', 'fixtures', 'hooks', name), 'utf8');

/** Each hook as `event/dialect matcher: command (seconds)`. */
const outline = ({ hooks }: Pick<HooksFile, 'hooks'>): string[] =>
  hooks.map(
    ({ command, dialect, event, matcher = '', timeout }) =>
      `${event}/${dialect} ${matcher}: ${command ? `${command.shell} ${command.text}` : 'none'} (${timeout})`,
  );

describe('files of hooks', () => {
  let world: HooksWorld;
  beforeEach(async () => {
    world = await HooksWorld.make();
  });
  afterEach(() => world[Symbol.asyncDispose]());

  const one = async (): Promise<HooksFile> => (await world.find())[0] ?? assert.fail('no file was found');

  it('of VS Code: commands of systems, folders, variables and time-outs', async () => {
    await world.project.put('.github/hooks/a.json', await fixture('vscode.json'));
    const file = await one();
    assert.deepEqual(outline(file), [
      'SessionStart/vscode : sh ./scripts/begin.sh (30)',
      'PreToolUse/vscode : sh ./scripts/check-linux.sh (15)',
    ]);
    assert.deepEqual(
      [file.hooks[1]?.cwd, file.hooks[1]?.environment, file.unknown, file.problem],
      ['tools', { AUDIT: 'audit.log' }, ['SubagentStart'], undefined],
    );
    const given: unknown = JSON.parse(await fixture('vscode.json'));
    const format = { dialect: 'vscode', timeout: 30, isAmongSettings: false } as const;
    assert.equal(
      outline(readHooksFile(given, format, 'windows'))[1],
      String.raw`PreToolUse/vscode : cmd powershell -File scripts\check.ps1 (15)`,
    );
    assert.match(outline(readHooksFile(given, format, 'osx'))[1] ?? '', /sh \.\/scripts\/check\.sh/u);
  });

  it('of Claude Code: groups with a matcher, among other settings', async () => {
    await world.project.put('.claude/settings.json', await fixture('claude.json'));
    const file = await one();
    assert.deepEqual(outline(file), [
      'PreToolUse/claude Bash|Write: sh "$CLAUDE_PROJECT_DIR"/.claude/hooks/check.sh (5)',
      'PreToolUse/claude Bash|Write: sh node .claude/hooks/log.mjs (600)',
      'Stop/claude : sh ./done.sh (600)',
    ]);
    assert.deepEqual(file.unknown, [
      'PreToolUse.prompt',
      'PreToolUse.type: prompt',
      'PreToolUse.async',
      'Notification',
    ]);
  });

  it('of Copilot’s command line: events in camelCase, commands by shell', async () => {
    await world.home.put('.copilot/hooks/a.json', await fixture('copilot.json'));
    const file = await one();
    assert.deepEqual(outline(file), [
      'UserPromptSubmit/copilot : bash ./log.sh (30)',
      'PreToolUse/copilot : bash ./check.sh (60)',
      'Stop/copilot : none (30)',
    ]);
    assert.deepEqual(
      [file.scope, file.folder, file.unknown],
      ['user', undefined, ['sessionStart.prompt', 'sessionStart.type: prompt', 'errorOccurred']],
    );
  });

  it('of Codex, in a file of their own', async () => {
    await world.project.put('.codex/hooks.json', await fixture('codex.json'));
    const file = await one();
    assert.deepEqual(outline(file), ['PreToolUse/claude ^Bash$: sh python3 .codex/hooks/pre.py (600)']);
    assert.deepEqual(file.unknown, ['PermissionRequest']);
  });

  it('may be odd: what can be read counts, the rest is listed', async () => {
    await world.project.put('.offshoot/hooks/a.json', await fixture('odd.txt'));
    const file = await one();
    assert.deepEqual(outline(file), [
      'PreToolUse/vscode : sh no-type (30)',
      'PreToolUse/vscode : sh odd-values (30)',
      'PreToolUse/vscode : sh too-long (600)',
      'BranchKept/vscode : sh kept (30)',
      'BeforeRewind/copilot : sh rewind (30)',
    ]);
    assert.deepEqual(file.hooks[1]?.environment, { OK: 'y' });
    assert.deepEqual(file.unknown, [
      'extra',
      'PreToolUse.command',
      'PreToolUse.matcher: (',
      'PreToolUse.hooks',
      'Stop',
      'constructor',
    ]);
  });

  it('may have a byte order mark, and lines that end as on Windows', async () => {
    const text = (await fixture('vscode.json')).replaceAll('\n', '\r\n');
    await world.project.put('.github/hooks/a.json', `\uFEFF${text}`);
    await world.project.put('.github/hooks/b.json', Buffer.from(`\uFEFF${text}`, 'utf16le'));
    assert.deepEqual(
      (await world.find()).map(({ hooks }) => hooks.length),
      [2, 2],
    );
  });

  it('that are no JSON, too large, empty or turned off run nothing', async () => {
    const big = JSON.stringify({ hooks: {}, description: 'x'.repeat(200_000) });
    const off = JSON.stringify({ disableAllHooks: true, hooks: { Stop: [{ command: 'x' }] } });
    for (const [name, text] of [
      ['a', '{'],
      ['b', big],
      ['c', ''],
      ['d', off],
      ['e', '[]'],
      ['f', '{}'],
    ] as const)
      await world.project.put(`.github/hooks/${name}.json`, text);
    // Settings in which there is nothing of hooks.
    await world.project.put('.claude/settings.json', '{"model":"x"}');
    assert.deepEqual(
      (await world.find()).map(({ shown, problem }) => [shown, problem]),
      [
        ['.github/hooks/a.json', 'not-json'],
        ['.github/hooks/b.json', 'unreadable'],
        ['.github/hooks/c.json', 'not-json'],
        ['.github/hooks/d.json', 'turned-off'],
        ['.github/hooks/e.json', 'not-json'],
        ['.github/hooks/f.json', undefined],
      ],
    );
  });

  it('that lead out of the folder are not read', async () => {
    const { folder, outside } = world.project;
    await world.project.put('.github/hooks/a.txt', '{}');
    await symlink(outside, path.join(folder, '.codex'));
    await symlink('/etc/passwd', path.join(folder, '.github/hooks/passwd.json'));
    assert.deepEqual(await world.find(), []);
  });

  it('are another one when their content changes, or that of a script that they name', async () => {
    await world.project.put('.claude/settings.json', await fixture('claude.json'));
    await world.project.put('.claude/hooks/check.sh', 'exit 0\n');
    await world.project.put('.claude/hooks/log.mjs', '1\n');
    const first = await one();
    assert.deepEqual(first.scripts, ['.claude/hooks/check.sh', '.claude/hooks/log.mjs']);
    assert.equal((await one()).digest, first.digest);
    await world.project.put('.claude/hooks/check.sh', 'exit 2\n');
    const second = await one();
    assert.notEqual(second.digest, first.digest);
    await world.project.put('.claude/settings.json', `${await fixture('claude.json')} `);
    assert.notEqual((await one()).digest, second.digest);
    // The script is there from now on.
    await world.project.put('done.sh', 'true\n');
    assert.deepEqual((await one()).scripts, ['.claude/hooks/check.sh', '.claude/hooks/log.mjs', 'done.sh']);
  });

  it('of the user name scripts in their own folder, and none outside of it count', async () => {
    const command = '~/.claude/hooks/own.sh && $HOME/two.sh "../../etc/passwd" /etc/passwd';
    await world.home.put('.claude/settings.json', JSON.stringify({ hooks: { Stop: [{ command }] } }));
    await world.home.put('.claude/hooks/own.sh', 'true\n');
    await world.home.put('two.sh', 'true\n');
    assert.deepEqual((await one()).scripts, ['.claude/hooks/own.sh', 'two.sh']);
  });

  it('with 10,000 hooks are read to a bound', () => {
    const hooks = { Stop: Array.from({ length: 10_000 }, () => ({ command: 'x' })) };
    const given = { hooks };
    const format = { dialect: 'vscode', timeout: 30, isAmongSettings: false } as const;
    const read = readHooksFile(given, format, reading.system);
    assert.deepEqual([read.hooks.length, read.unknown], [200, ['Stop']]);
  });

  it('match tools by their names in any of the programs', () => {
    const command = toolNamesFor('run_command');
    for (const matcher of ['Bash', 'Write|Bash', 'run_in_terminal', 'bash', '*', '', '^B.sh$', 'run_command'])
      assert.ok(isMatched(matcher, command), matcher);
    for (const matcher of ['Bas', 'Write', 'Edit, Read', '^ash', '('])
      assert.ok(!isMatched(matcher, command), matcher);
    assert.ok(isMatched('Edit', toolNamesFor('delete_file')), 'deleting is a change');
    assert.ok(isMatched('mcp__memory__.*', toolNamesFor('mcp_memory_add')));
    assert.ok(!isMatched('mcp__other__.*', toolNamesFor('mcp_memory_add')));
  });
});
