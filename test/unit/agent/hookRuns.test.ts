import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { instructionsIn } from '../../../src/agent/attachments/addedParts.ts';
import { HookBlockedError } from '../../../src/agent/hooks/hooksInRun.ts';
import type { HookOccasion } from '../../../src/agent/hooks/hookCall.ts';
import type { HookOutcome } from '../../../src/agent/hooks/runHooks.ts';
import { Approvals, noAllowances } from '../../../src/agent/tools/approvals.ts';
import { defineTool, type AgentTool } from '../../../src/agent/tools/tool.ts';
import { formatInEnglish } from '../../../src/engine/messageDescriptor.ts';
import { hookNotesOf, type AnyToolPart } from '../../../src/models/messages/toolParts.ts';
import { answer, conversationOf, toolResultsOf, useTools } from '../../fixtures/openaiServer.ts';
import { until } from '../../fixtures/until.ts';
import { CHAT, newWorld, type World, type WorldOptions } from '../../worlds/agentWorld.ts';
import { CompactionWorld } from '../../worlds/compactionWorld.ts';
import { explore, playing, task, tools as exploringTools } from '../../worlds/exploreWorld.ts';
import { HooksWorld } from '../../worlds/hooksWorld.ts';
import { callsIn, echoTool, request } from '../../worlds/toolCalls.ts';

const signal = new AbortController().signal;

/** Keeps what it is given. */
const HEARS = 'cat >> heard';

const says = (value: unknown): string => `cat >/dev/null; echo '${JSON.stringify(value)}'`;

const notesOf = (call: AnyToolPart | undefined): string[] =>
  call ? hookNotesOf(call).map((note) => formatInEnglish(note)) : [];

const usesTool = (input: unknown = { command: 'rm -rf x' }): HookOccasion => ({
  event: 'PreToolUse',
  tool: 'run_command',
  callId: 'call-1',
  input,
});

if (process.platform !== 'win32') {
  describe('hooks that are run', () => {
    let hooks: HooksWorld;
    beforeEach(async () => {
      hooks = await HooksWorld.make();
    });
    afterEach(() => hooks[Symbol.asyncDispose]());

    const fire = (occasion: HookOccasion = usesTool()): Promise<HookOutcome> =>
      hooks.hooks().fire(occasion, signal);

    it('block by exit code 2, with what they wrote to the error output', async () => {
      await hooks.put('PreToolUse', 'echo "not here" >&2; exit 2');
      assert.equal((await fire()).denied?.text, 'not here');
      assert.deepEqual(hooks.problems, []);
    });

    it('have no say with another exit code, or with what is no JSON; that is told', async () => {
      await hooks.put('PreToolUse', 'echo broken >&2; exit 1');
      assert.deepEqual(await fire(), { contexts: [] });
      await hooks.put('PreToolUse', 'echo "{ no json"');
      assert.deepEqual(await fire(), { contexts: [] });
      await hooks.put('PreToolUse', 'exec ./missing');
      assert.deepEqual(await fire(), { contexts: [] });
      assert.deepEqual(
        hooks.problems.map((each) => each.replace('.github/hooks/x.json ', '')),
        ['PreToolUse failed', 'PreToolUse not-json', 'PreToolUse failed'],
      );
    });

    it('answer with JSON of any of the formats; that something is allowed says nothing', async () => {
      const specific = (more: object): string =>
        says({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...more } });
      const cases: readonly (readonly [string, Partial<HookOutcome>])[] = [
        [specific({ permissionDecision: 'allow', permissionDecisionReason: 'fine' }), {}],
        [says({ decision: 'approve' }), {}],
        [says({ permissionDecision: 'allow' }), {}],
      ];
      for (const [script, outcome] of cases) {
        await hooks.put('PreToolUse', script);
        assert.deepEqual(await fire(), { contexts: [], ...outcome }, script);
      }
      await hooks.put('PreToolUse', specific({ permissionDecision: 'deny', permissionDecisionReason: 'no' }));
      assert.equal((await fire()).denied?.text, 'no');
      await hooks.put('PreToolUse', says({ permissionDecision: 'deny', permissionDecisionReason: 'no' }));
      assert.equal((await fire()).denied?.text, 'no');
      await hooks.put('PreToolUse', says({ decision: 'block', reason: 'old' }));
      assert.equal((await fire()).denied?.text, 'old');
      await hooks.put(
        'PreToolUse',
        specific({ permissionDecision: 'ask', permissionDecisionReason: 'sure?' }),
      );
      assert.equal((await fire()).asks?.text, 'sure?');
      await hooks.put('PreToolUse', says({ continue: false, stopReason: 'enough' }));
      assert.equal((await fire()).stops?.text, 'enough');
      await hooks.put('PreToolUse', specific({ additionalContext: 'know this' }));
      assert.deepEqual(
        (await fire()).contexts.map(({ text }) => text),
        ['know this'],
      );
      await hooks.put('PreToolUse', specific({ updatedInput: { command: 'ls' } }));
      assert.deepEqual((await fire()).input?.value, { command: 'ls' });
      // What is said of another event is not meant.
      await hooks.put(
        'PreToolUse',
        says({ hookSpecificOutput: { hookEventName: 'Stop', permissionDecision: 'deny' } }),
      );
      assert.deepEqual(await fire(), { contexts: [] });
    });

    it('that hang are stopped, with all that they started', async () => {
      hooks.limitMs = 300;
      await hooks.put('PreToolUse', 'sleep 600 & echo $! > child; sleep 600');
      assert.deepEqual(await fire(), { contexts: [] });
      assert.deepEqual(hooks.problems, ['.github/hooks/x.json PreToolUse late']);
      await untilGone(await hooks.project.text('child'));
    });

    it('that leave processes running have these ended with them', async () => {
      await hooks.put('PreToolUse', 'sleep 600 >/dev/null 2>&1 & echo $! > child; exit 0');
      assert.deepEqual(await fire(), { contexts: [] });
      await untilGone(await hooks.project.text('child'));
    });

    it('that write without end are stopped, and a bounded part is kept', async () => {
      hooks.limitMs = 500;
      await hooks.put('PreToolUse', 'yes xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx');
      assert.deepEqual(await fire(), { contexts: [] });
      assert.deepEqual(hooks.problems, ['.github/hooks/x.json PreToolUse late']);
      await hooks.put('SessionStart', 'head -c 3000000 /dev/zero | tr "\\0" x');
      hooks.limitMs = undefined;
      const { contexts } = await fire({ event: 'SessionStart', source: 'startup', prompt: 'hi' });
      assert.ok((contexts[0]?.text.length ?? 0) <= 10_002, 'what is added is bounded');
    });

    it('get no secrets from the environment, but what they say themselves', async () => {
      process.env['OFFSHOOT_TEST_TOKEN'] = 'secret';
      try {
        await hooks.put('PreToolUse', 'env > environment', { env: { AUDIT: 'log' } });
        await fire();
        const environment = await hooks.project.text('environment');
        assert.doesNotMatch(environment, /OFFSHOOT_TEST_TOKEN/u);
        assert.match(environment, /^AUDIT=log$/mu);
        assert.match(environment, /^PATH=/mu);
      } finally {
        delete process.env['OFFSHOOT_TEST_TOKEN'];
      }
    });

    it('run in order, each with the input of those before it, the same command once, none after a refusal', async () => {
      const entry = (command: string) => ({ type: 'command', command });
      const changes = says({ hookSpecificOutput: { updatedInput: { command: 'ls' } } });
      const list = [entry(changes), entry(HEARS), entry(HEARS), entry('exit 2'), entry('touch after')];
      await hooks.project.put('.github/hooks/a.json', JSON.stringify({ hooks: { PreToolUse: list } }));
      await hooks.project.put(
        '.github/hooks/b.json',
        JSON.stringify({ hooks: { PreToolUse: [entry('touch later')] } }),
      );
      const outcome = await fire();
      assert.equal(outcome.denied?.by, '.github/hooks/a.json');
      const heard = await hooks.written();
      assert.deepEqual(
        heard.map(({ tool_input: input }) => input),
        [{ command: 'ls' }],
      );
      for (const name of ['after', 'later']) await assert.rejects(hooks.project.text(name));
    });

    it('of a file that changed since it was allowed are not run, and what they guard waits for the user', async () => {
      await hooks.put('PreToolUse', './check.sh');
      await hooks.project.put('check.sh', '#!/bin/sh\nexit 2\n', 0o755);
      const digest = (await hooks.find())[0]?.digest;
      hooks.isAllowed = (file) => file.digest === digest;
      const running = hooks.hooks();
      assert.ok((await running.fire(usesTool(), signal)).denied);
      await hooks.project.put('check.sh', '#!/bin/sh\ntouch bad\n', 0o755);
      const { denied } = await running.fire(usesTool(), signal);
      assert.deepEqual([denied?.by, denied?.text], ['.github/hooks/x.json', 'It has changed.']);
      assert.deepEqual(await hooks.hooks().fire(usesTool(), signal), { contexts: [] });
      hooks.changed = undefined;
      assert.deepEqual(await running.fire(usesTool(), signal), { contexts: [] }, 'it was turned off');
      await assert.rejects(hooks.project.text('bad'));
    });

    it('are given the members that each program has for an event', async () => {
      const edit: HookOccasion = {
        event: 'PreToolUse',
        tool: 'edit_file',
        callId: 'call-1',
        input: { path: 'a.ts', edits: [{ oldText: 'x', newText: 'y' }] },
      };
      await hooks.put('PreToolUse', HEARS);
      await fire(edit);
      await hooks.put('preToolUse', HEARS);
      await fire(edit);
      await hooks.project.put(
        '.claude/settings.json',
        JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Edit', hooks: [{ command: HEARS }] }] } }),
      );
      await hooks.put('Stop', 'true');
      await fire(edit);
      const { folder } = hooks.project;
      const own = { path: 'a.ts', edits: [{ oldText: 'x', newText: 'y' }] };
      const common = {
        ...{ session_id: 'chat-1', sessionId: 'chat-1', branch: 'main', cwd: folder },
        ...{ hook_event_name: 'PreToolUse', hookEventName: 'PreToolUse' },
        ...{ timestamp: '1970-01-01T00:00:00.000Z', permission_mode: 'default', tool_use_id: 'call-1' },
      };
      const [vscode, copilot, claude] = await hooks.written();
      assert.deepEqual(vscode, {
        ...common,
        tool_name: 'replace_string_in_file',
        tool_input: { ...own, filePath: `${folder}/a.ts`, oldString: 'x', newString: 'y' },
      });
      assert.deepEqual(copilot, {
        ...{ sessionId: 'chat-1', timestamp: 0, cwd: folder, branch: 'main', toolName: 'edit' },
        toolArgs: JSON.stringify({ ...own, old_str: 'x', new_str: 'y' }),
      });
      assert.deepEqual(claude, {
        ...common,
        tool_name: 'Edit',
        tool_input: { ...own, file_path: `${folder}/a.ts`, old_string: 'x', new_string: 'y' },
      });
    });

    it('change an input in the members of their program', async () => {
      const change = says({
        hookSpecificOutput: { updatedInput: { file_path: '/w/b.ts', new_string: 'z' } },
      });
      const group = { matcher: 'Edit', hooks: [{ command: change }] };
      await hooks.project.put('.claude/settings.json', JSON.stringify({ hooks: { PreToolUse: [group] } }));
      const input = { path: 'a.ts', edits: [{ oldText: 'x', newText: 'y' }] };
      const { input: changed } = await fire({ event: 'PreToolUse', tool: 'edit_file', callId: 'c', input });
      assert.deepEqual(changed?.value, { path: '/w/b.ts', edits: [{ oldText: 'x', newText: 'z' }] });
    });
  });

  describe('an answer with hooks', () => {
    let hooks: HooksWorld;
    beforeEach(async () => {
      hooks = await HooksWorld.make();
    });
    afterEach(() => hooks[Symbol.asyncDispose]());

    const called: unknown[] = [];
    const runTool: AgentTool = defineTool({
      name: 'run_command',
      description: 'Runs.',
      input: z.object({ command: z.string() }),
      run: async ({ command }, { approve }) => {
        await approve({ kind: `command:${command}`, command: { text: command, folder: '' } });
        called.push(command);
        return { text: `ran ${command}` };
      },
    });
    const withHooks = (options: WorldOptions): Promise<World> =>
      newWorld({
        tools: () => [runTool, echoTool],
        hooks: () => Promise.resolve(hooks.hooks()),
        ...options,
      });
    const callsCommand = useTools(['run_command', { command: 'rm x' }]);
    beforeEach(() => {
      called.length = 0;
    });

    it('has a call refused: the model is told why, and the call says so', async () => {
      await hooks.put('PreToolUse', 'grep -q "rm x" && echo "keep x" >&2 && exit 2; exit 0');
      await using world = await withHooks({ script: [callsCommand, answer('Well.')] });
      const run = await world.answered('Remove x');
      assert.equal(run.status, 'complete');
      const [result] = toolResultsOf(request(world.server, 2));
      assert.match(String(result?.result), /\.github\/hooks\/x\.json, blocked this call: keep x/u);
      const [call] = callsIn(await world.path());
      assert.equal(call?.state, 'output-error');
      assert.deepEqual(notesOf(call), ['Blocked by a hook of .github/hooks/x.json: keep x']);
      assert.deepEqual(called, []);
    });

    it('asks the user for what a hook changed, and carries that out', async () => {
      const approvals = new Approvals(noAllowances);
      await hooks.put('PreToolUse', says({ hookSpecificOutput: { updatedInput: { command: 'ls' } } }));
      await using world = await withHooks({ approvals, script: [callsCommand, answer('Well.')] });
      const answered = world.answered('Remove x');
      await until(() => approvals.list().length > 0, 'the question');
      assert.equal(approvals.list()[0]?.command?.text, 'ls');
      approvals.answer(approvals.list()[0]?.id ?? '', 'once');
      await answered;
      const [call] = callsIn(await world.path());
      assert.deepEqual([called, call?.input], [['ls'], { command: 'ls' }]);
      assert.deepEqual(notesOf(call), ['A hook of .github/hooks/x.json changed what it was called with']);
    });

    it('refuses an input that a hook made unusable', async () => {
      await hooks.put('PreToolUse', says({ hookSpecificOutput: { updatedInput: { command: 5 } } }));
      await using world = await withHooks({ script: [callsCommand, answer('Well.')] });
      await world.answered('Remove x');
      assert.deepEqual(called, []);
      const [call] = callsIn(await world.path());
      assert.deepEqual(notesOf(call), ['Blocked by a hook of .github/hooks/x.json']);
    });

    it('asks when a hook wants it, though all is allowed; “allow” skips no question', async () => {
      const allowed = { ...noAllowances, has: () => true };
      const approvals = new Approvals(allowed);
      const ask = { permissionDecision: 'ask', permissionDecisionReason: 'look' };
      await hooks.put('PreToolUse', says({ hookSpecificOutput: ask }));
      await using world = await withHooks({ approvals, script: [callsCommand, answer('Well.')] });
      const answered = world.answered('Remove x');
      await until(() => approvals.list().length > 0, 'the question');
      const [asked = assert.fail('nothing was asked')] = approvals.list();
      assert.equal(
        asked.hook && formatInEnglish(asked.hook),
        'A hook of .github/hooks/x.json wants you to be asked: look',
      );
      assert.equal(asked.command?.text, 'rm x', 'what is asked for is shown');
      approvals.answer(approvals.list()[0]?.id ?? '', 'deny');
      await answered;
      assert.deepEqual(called, []);

      const asking = new Approvals(noAllowances);
      await hooks.put('PreToolUse', says({ hookSpecificOutput: { permissionDecision: 'allow' } }));
      await using other = await withHooks({ approvals: asking, script: [callsCommand, answer('Well.')] });
      const second = other.answered('Remove x');
      await until(() => asking.list().length > 0, 'the question');
      asking.answer(asking.list()[0]?.id ?? '', 'deny');
      await second;
      assert.deepEqual(called, []);
    });

    it('tells the model what a hook says after a call', async () => {
      await hooks.put('PostToolUse', 'echo "run the formatter" >&2; exit 2');
      const calls = useTools(['echo', { text: 'a' }]);
      await using world = await withHooks({ script: [calls, answer('Well.')] });
      await world.answered('Say a');
      const [result] = toolResultsOf(request(world.server, 2));
      assert.match(String(result?.result), /^echo: a\n\n\[A hook of the project.*\n\nrun the formatter$/su);
    });

    it('ends when a hook wants it to', async () => {
      await hooks.put('PostToolUse', says({ continue: false, stopReason: 'enough for now' }));
      const calls = useTools(['echo', { text: 'a' }]);
      await using world = await withHooks({ script: [calls, answer('Never asked.')] });
      const run = await world.answered('Say a');
      assert.equal(world.server.requests.length, 1);
      assert.equal(run.notice?.message, 'Stopped by a hook of .github/hooks/x.json: enough for now');
    });

    it('goes on when a hook keeps it from ending, which is told that it does', async () => {
      const script = `cat > last; grep -q '"stop_hook_active":true' last && exit 0; echo "run the tests" >&2; exit 2`;
      await hooks.put('Stop', script);
      await using world = await withHooks({ script: [answer('Done.'), answer('Tested.')] });
      const run = await world.answered('Do it');
      assert.equal(world.server.requests.length, 2);
      assert.match(conversationOf(request(world.server, 2)).at(-1)?.text ?? '', /run the tests/u);
      assert.equal(run.notice?.message, 'A hook of .github/hooks/x.json had the model go on: run the tests');
    });

    it('ends at last, though a hook never lets it', async () => {
      await hooks.put('Stop', 'exit 2');
      await using world = await withHooks({ script: () => answer('Done.') });
      const run = await world.answered('Do it');
      assert.deepEqual([run.status, world.server.requests.length], ['complete', 9]);
    });

    it('is not begun when a hook refuses the question, which is not kept', async () => {
      await hooks.put('UserPromptSubmit', 'grep -q secret && echo "no secrets" >&2 && exit 2; exit 0');
      await using world = await withHooks({ script: () => answer('Well.') });
      await assert.rejects(world.answered('My secret is x'), (error: unknown) => {
        assert.ok(error instanceof HookBlockedError);
        const text = 'Blocked by a hook of .github/hooks/x.json: no secrets';
        assert.equal(formatInEnglish(error.descriptor), text);
        return true;
      });
      assert.deepEqual([world.server.requests.length, await world.path()], [0, []]);
      assert.equal((await world.answered('Hello')).status, 'complete');
    });

    it('is sent what hooks add to its question, which shows where that is from', async () => {
      await hooks.put('UserPromptSubmit', 'echo "The build is red."');
      await using world = await withHooks({ script: () => answer('Well.') });
      await world.answered('Hello');
      assert.match(conversationOf(request(world.server, 1)).at(-1)?.text ?? '', /The build is red\./u);
      const [question] = await world.path();
      assert.deepEqual(question && instructionsIn(question).map(({ path, because }) => [path, because]), [
        ['.github/hooks/x.json', { kind: 'hook' }],
      ]);
    });

    it('has each event fire once, with what is documented', async () => {
      const names = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'];
      await hooks.project.put(
        '.github/hooks/x.json',
        JSON.stringify({ hooks: Object.fromEntries(names.map((name) => [name, [{ command: HEARS }]])) }),
      );
      const calls = useTools(['echo', { text: 'a' }]);
      await using world = await withHooks({ script: [calls, answer('Done.'), answer('Again.')] });
      await world.answered('One');
      await world.answered('Two');
      const heard = await hooks.written();
      assert.deepEqual(
        heard.map((each) => [each['hook_event_name'], each['prompt'] ?? each['source'] ?? each['tool_name']]),
        [
          ['SessionStart', 'startup'],
          ['UserPromptSubmit', 'One'],
          ['PreToolUse', 'echo'],
          ['PostToolUse', 'echo'],
          ['Stop', undefined],
          ['UserPromptSubmit', 'Two'],
          ['Stop', undefined],
        ],
      );
      assert.deepEqual(
        [heard[3]?.['tool_response'], heard[4]?.['stop_hook_active'], heard[4]?.['last_assistant_message']],
        ['echo: a', false, 'Done.'],
      );
    });

    it('has hooks hear of a compaction, which they can refuse', async () => {
      await hooks.put('PreCompact', `${HEARS}; echo "not now" >&2; exit 2`);
      await using world = await CompactionWorld.make({
        ...{ window: 4_000, steps: 20, resultTokens: 220 },
        hooks: () => Promise.resolve(hooks.hooks()),
      });
      const run = await world.answered('Look through all of it.');
      const heard = await hooks.written();
      assert.ok(heard.length > 0);
      assert.deepEqual([heard[0]?.['trigger'], heard[0]?.['custom_instructions']], ['auto', '']);
      assert.match(run.notice?.message ?? '', /not now/u);
    });

    it('has hooks hear of the end of an exploration, not as of the end of the answer', async () => {
      const list = [{ command: HEARS }];
      await hooks.project.put(
        '.github/hooks/x.json',
        JSON.stringify({ hooks: { Stop: list, SubagentStop: list, UserPromptSubmit: list } }),
      );
      await using world = await withHooks({
        tools: exploringTools,
        script: playing([explore(task('a')), answer('Done.')], { a: [answer('Found a.')] }),
      });
      await world.answered('Look');
      assert.deepEqual(
        (await hooks.written()).map((each) => [
          each['hook_event_name'],
          each['prompt'] ?? each['last_assistant_message'],
          each['agent_type'],
        ]),
        [
          ['UserPromptSubmit', 'Look', undefined],
          ['SubagentStop', 'Found a.', 'explore'],
          ['Stop', 'Done.', undefined],
        ],
      );
    });

    it('without hooks is asked for as before', async () => {
      await using without = await newWorld({ tools: () => [echoTool], script: () => answer('Well.') });
      await without.answered('Hello');
      await hooks.put('Notification', 'true');
      await using world = await withHooks({ tools: () => [echoTool], script: () => answer('Well.') });
      await world.answered('Hello');
      assert.deepEqual(request(world.server, 1).body, request(without.server, 1).body);
      assert.equal(CHAT, 'chat-1');
    });
  });
}

/** Resolves once a process is gone. @param id its number, as text */
async function untilGone(id: string): Promise<void> {
  const pid = Number(id.trim());
  assert.ok(pid > 1, 'the process was started');
  await until(async () => {
    try {
      process.kill(pid, 0);
    } catch {
      return true;
    }
    // One that has ended may wait for its parent to hear of it.
    const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    return / Z /u.test(state);
  }, 'the end of the process');
}
