import assert from 'node:assert/strict';
import { symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { readAgentFile } from '../../../src/agent/prompts/agentFile.ts';
import { findAgents } from '../../../src/agent/prompts/findAgents.ts';
import { explorersFor } from '../../../src/agent/prompts/agentNames.ts';
import type { AgentProfile } from '../../../src/agent/prompts/agentProfile.ts';
import { toolsOfAgent } from '../../../src/agent/prompts/toolsOfAgent.ts';
import { MAX_PROMPT_NAMES } from '../../../src/agent/prompts/findPrompts.ts';
import { defineTool } from '../../../src/agent/tools/tool.ts';
import { uriOf } from '../../../src/host/node/fileUris.ts';
import { NodeGuardedFiles } from '../../../src/host/node/nodeGuardedFiles.ts';
import { RealWorkspace } from '../../fixtures/realWorkspace.ts';
import { unicodeTexts } from '../../fixtures/savedTexts.ts';

function agentIn(source: string) {
  const read = readAgentFile(source);
  assert.ok(read.ok, read.ok ? '' : read.problem);
  return read.agent;
}

describe('the file of an agent', () => {
  it('names what it is, may use and hands over to, as VS Code documents it', () => {
    const agent = agentIn(`---
name: Planner
description: Generates a plan
tools: ['web/fetch', 'search/codebase', 'search/usages']
model: ['Claude Opus 4.5', 'GPT-5.2']  # Tries models in order
agents: ['Researcher']
handoffs:
  - label: Implement Plan
    agent: agent
    prompt: Implement the plan outlined above.
    send: false
    extra: nothing
mcp-servers:
  none: {}
---
# Planning

Plan.`);
    assert.deepEqual(
      { ...agent, body: agent.body.split('\n')[0] },
      {
        name: 'Planner',
        description: 'Generates a plan',
        tools: ['web/fetch', 'search/codebase', 'search/usages'],
        disallowedTools: [],
        models: ['Claude Opus 4.5', 'GPT-5.2'],
        agents: ['Researcher'],
        isForUser: true,
        isForAgents: true,
        handoffs: [
          {
            label: 'Implement Plan',
            agent: 'agent',
            prompt: 'Implement the plan outlined above.',
            send: false,
          },
        ],
        unknown: ['mcp-servers'],
        body: '# Planning',
      },
    );
  });

  it('may be in the form of Claude Code, with a byte order mark and line ends of Windows', () => {
    const agent = agentIn(
      '\uFEFF---\r\nname: reviewer\r\ndescription: Reviews\r\ntools: Read, Grep, Bash\r\nmodel: inherit\r\n' +
        'disallowedTools: Write\r\npermissionMode: bypassPermissions\r\ncolor: red\r\n---\r\nReview.\r\n',
    );
    assert.deepEqual(agent.tools, ['Read', 'Grep', 'Bash']);
    assert.deepEqual(agent.disallowedTools, ['Write']);
    assert.deepEqual(agent.models, []);
    assert.deepEqual(agent.unknown, ['permissionMode', 'color']);
    assert.equal(agent.body, 'Review.');
  });

  it('says who may use it', () => {
    const who = (fields: string) => {
      const { isForUser, isForAgents } = agentIn(`---\n${fields}\n---\n`);
      return [isForUser, isForAgents];
    };
    assert.deepEqual(who('name: a'), [true, true]);
    assert.deepEqual(who('user-invocable: false'), [false, true]);
    assert.deepEqual(who('disable-model-invocation: True'), [true, false]);
    assert.deepEqual(who('infer: false'), [true, false]);
    assert.deepEqual(who('infer: false\nuser-invocable: true'), [true, false]);
    assert.deepEqual(who('target: github-copilot'), [false, false]);
    assert.deepEqual(who('target: vscode'), [true, true]);
    assert.deepEqual(agentIn('No front matter.').isForUser, true);
    assert.deepEqual(agentIn("---\nagents: ['*']\n---\n").agents, undefined);
    assert.deepEqual(agentIn('---\nagents: []\n---\n').agents, []);
  });

  it('that is odd is not used, because it may restrict what is allowed', () => {
    for (const fields of [
      'tools: {read: true}',
      'tools: [[read]]',
      'model: {a: b}',
      'user-invocable: perhaps',
      'handoffs: later',
      'handoffs: [{label: a}]',
      'tools: [',
      'a: &x [b]\ntools: *x',
      'just a text',
      `description: ${'x'.repeat(20_000)}`,
    ]) {
      assert.equal(readAgentFile(`---\n${fields}\n---\nBody`).ok, false, fields);
    }
    assert.equal(readAgentFile('---\ntools: [read]\nnever closed').ok, false);
  });
});

describe('agent files', () => {
  let workspace: RealWorkspace;
  const files = new NodeGuardedFiles(() => [{ name: 'workspace', uri: workspace.uri }]);

  beforeEach(async () => {
    workspace = await RealWorkspace.make();
  });
  afterEach(() => workspace[Symbol.asyncDispose]());

  it('are found by their places; the first of equal names counts, and none passes for a mode', async () => {
    await workspace.put('.offshoot/agents/reviewer.agent.md', '---\ndescription: ours\n---\n');
    await workspace.put('.github/agents/reviewer.agent.md', '---\ndescription: theirs\n---\n');
    await workspace.put('.github/agents/plain.md', 'Plain.');
    await workspace.put('.github/agents/other.agent.md', '---\nname: REVIEWER\n---\n');
    await workspace.put('.github/agents/plan.agent.md', 'No plan.');
    await workspace.put('.github/agents/notes.txt', 'No agent.');
    await workspace.put('.github/agents/below/deep.agent.md', 'Too deep.');
    await workspace.put('.claude/agents/feature-builder.md', '---\nname: Feature Builder\n---\n');
    await workspace.put('.claude/agents/hostile.md', '---\nname: "../../<b>\\u202Ex\\n"\n---\n');
    const { agents, hidden } = await findAgents(files, unicodeTexts);
    assert.deepEqual(
      agents.map(({ name, agent }) => [name, agent?.description]),
      [
        ['../../ b x', undefined],
        ['Feature Builder', undefined],
        ['plain', undefined],
        ['reviewer', 'ours'],
      ],
    );
    assert.deepEqual(hidden, [
      '.github/agents/other.agent.md',
      '.github/agents/plan.agent.md',
      '.github/agents/reviewer.agent.md',
    ]);
  });

  it('that lead out, are damaged or too many are not used', async () => {
    await writeFile(path.join(workspace.outside, 'out.md'), 'outside');
    await workspace.put('.github/agents/front.agent.md', '---\ntools: [\n---\n');
    await workspace.put('.github/agents/bytes.md', Uint8Array.of(97, 0, 98));
    await workspace.put('.github/agents/large.md', 'x'.repeat(200_000));
    await workspace.put('.env', 'KEY=1');
    await symlink(workspace.onDisk('.env'), workspace.onDisk('.github/agents/linked.md'));
    await symlink(path.join(workspace.outside, 'out.md'), workspace.onDisk('.github/agents/out.md'));
    await symlink(workspace.outside, workspace.onDisk('.claude'));
    assert.deepEqual(
      (await findAgents(files, unicodeTexts)).agents.map(({ name, agent, problem }) => [
        name,
        agent,
        problem?.kind,
      ]),
      [
        ['bytes', undefined, 'no-text'],
        ['front', undefined, 'front-matter'],
        ['large', undefined, 'too-large'],
        ['linked', undefined, 'secret'],
      ],
    );
    for (let at = 0; at < MAX_PROMPT_NAMES + 5; at += 1)
      await workspace.put(`.offshoot/agents/${at}.md`, 'x');
    const { agents } = await findAgents(files, unicodeTexts);
    assert.equal(agents.filter(({ at }) => at.path.startsWith('.offshoot')).length, MAX_PROMPT_NAMES);
  });

  it('of extensions come last, from the folder of the extension only', async () => {
    await writeFile(path.join(workspace.outside, 'theirs.agent.md'), '---\ndescription: theirs\n---\n');
    await workspace.put('.github/agents/theirs.agent.md', '---\ndescription: ours\n---\n');
    const extension = new NodeGuardedFiles(() => [{ name: 'x', uri: uriOf(workspace.outside) }]);
    const at = (name: string) => ({ files: extension, uri: uriOf(path.join(workspace.outside, name)) });
    const found = async () =>
      (await findAgents(files, unicodeTexts, [at('theirs.agent.md'), at('../workspace/x.md'), at('gone.md')]))
        .agents;
    await workspace.put('x.md', 'x');
    assert.deepEqual(
      (await found()).map(({ agent }) => agent?.description),
      ['ours'],
    );
    await workspace.put('.github/agents/theirs.agent.md', '---\nname: mine\n---\n');
    assert.deepEqual(
      (await found()).map(({ name }) => name),
      ['mine', 'theirs'],
    );
  });
});

describe('the tools of an agent', () => {
  const tool = (name: string) =>
    defineTool({ name, description: name, input: z.object({}), run: () => ({ text: '' }) });
  const [read, edit, run, fetch, mcp] = [
    'read_file',
    'edit_file',
    'run_command',
    'fetch_page',
    'mcp_github_list',
  ].map(tool);
  assert.ok(read && edit && run && fetch && mcp);
  const named = {
    offered: [read, edit, mcp, fetch],
    reading: [read],
    writing: [edit],
    commands: [run],
    web: [fetch],
    sets: {},
  };
  const allowed = (tools: string[] | undefined, disallowedTools: string[] = []) => {
    const { allows, missing } = toolsOfAgent({ tools, disallowedTools }, named);
    return [
      [read, edit, run, fetch, mcp].map(({ name }) => name).filter((name) => allows(name)),
      missing,
    ] as const;
  };

  it('are those it names of those that are on', () => {
    assert.deepEqual(allowed(['Read', 'Grep', 'Bash']), [['read_file'], ['Bash']]);
    assert.deepEqual(allowed(['web/fetch', 'edit']), [['edit_file', 'fetch_page'], []]);
    assert.deepEqual(allowed(['github/*']), [['mcp_github_list'], []]);
    assert.deepEqual(allowed(['mcp__github__list']), [['mcp_github_list'], []]);
    assert.deepEqual(allowed([]), [[], []]);
    assert.deepEqual(allowed(['toString', '../x', 'Bash(git *)']), [[], ['toString', '../x', 'Bash(git *)']]);
  });

  it('are all without those it refuses, also where it refuses a part of one, or one that is off', () => {
    assert.deepEqual(allowed(undefined)[0].length, 5);
    assert.deepEqual(allowed(['*'], ['Edit', 'mcp__github__list'])[0], [
      'read_file',
      'run_command',
      'fetch_page',
    ]);
    assert.deepEqual(allowed(undefined, ['Bash(rm *)'])[0], [
      'read_file',
      'edit_file',
      'fetch_page',
      'mcp_github_list',
    ]);
  });

  it('may have some agents explore', () => {
    const profile = (name: string, agents?: string[]): AgentProfile => ({
      name,
      description: undefined,
      fragments: [],
      allows: () => true,
      models: [],
      findModel: () => Promise.resolve(undefined),
      agents,
    });
    const known = [profile('Researcher'), profile('Tester')];
    const names = (selected: AgentProfile | undefined) =>
      explorersFor({ selected, named: known }).map(({ name }) => name);
    assert.deepEqual(names(undefined), ['Researcher', 'Tester']);
    assert.deepEqual(names(profile('a')), ['Researcher', 'Tester']);
    assert.deepEqual(names(profile('a', ['researcher', 'gone'])), ['Researcher']);
    assert.deepEqual(names(profile('a', [])), []);
  });
});
