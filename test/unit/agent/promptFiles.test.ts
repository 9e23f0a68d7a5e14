import assert from 'node:assert/strict';
import { symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promptOf } from '../../../src/agent/attachments/addedParts.ts';
import { findPrompts, MAX_PROMPT_NAMES, nameFor } from '../../../src/agent/prompts/findPrompts.ts';
import {
  fillBody,
  givenInputs,
  inputsOf,
  linkedPath,
  linksOf,
} from '../../../src/agent/prompts/promptBody.ts';

import { toolsOfPrompt } from '../../../src/agent/prompts/promptFile.ts';
import { runPrompt } from '../../../src/agent/prompts/runPrompt.ts';
import { defineTool } from '../../../src/agent/tools/tool.ts';
import { modelTextOf } from '../../../src/engine/uiMessage.ts';
import { NodeGuardedFiles } from '../../../src/host/node/nodeGuardedFiles.ts';
import { z } from 'zod';
import { RealWorkspace } from '../../fixtures/realWorkspace.ts';
import { savedTexts, unicodeTexts } from '../../fixtures/savedTexts.ts';

const tool = (name: string) =>
  defineTool({ name, description: name, input: z.object({}), run: () => ({ text: '' }) });

describe('the variables of a prompt', () => {
  const body =
    'Review ${file} for ${input:focus:what to look for} and ${input:depth}. ${input:focus} ${unknown}';

  it('are filled all at once, and a value is not looked into', () => {
    assert.deepEqual(inputsOf(body), [
      { name: 'focus', placeholder: 'what to look for' },
      { name: 'depth', placeholder: undefined },
    ]);
    const filled = fillBody(
      body,
      new Map([
        ['focus', '${file} $& $1'],
        ['depth', '3'],
      ]),
      new Map([['file', '${input:depth}']]),
    );
    assert.equal(filled, 'Review ${input:depth} for ${file} $& $1 and 3. ${file} $& $1 ${unknown}');
  });

  it('take what is typed behind the name: all of it, or by name', () => {
    const inputs = inputsOf(body);
    assert.deepEqual([...givenInputs(inputs, ' the  API\nand more ')], [['focus', 'the  API\nand more']]);
    assert.deepEqual(
      [...givenInputs(inputs, 'depth=3 focus="a = b" ')],
      [
        ['depth', '3'],
        ['focus', 'a = b'],
      ],
    );
    assert.deepEqual([...givenInputs(inputs, 'other=3 depth=2')], [['focus', 'other=3 depth=2']]);
    assert.equal(givenInputs(inputs, ' ').size, 0);
    assert.equal(givenInputs([], 'rest').size, 0);
  });
});

describe('the files a prompt names', () => {
  it('are links to files, not addresses, and not what stands in code', () => {
    const text = [
      '[a](../a.ts) [b](b%20c.md "title") ![d](/d.png) #file:e.ts [again](../a.ts#L3)',
      '[no](https://x.y/z) [no](mailto:x) [no](#here) [no](//host/x) [no](%E0%A4%A)',
      '```md\n[no](code.ts)\n```',
    ].join('\n');
    assert.deepEqual(linksOf(text), ['../a.ts', 'b c.md', '/d.png', 'e.ts']);
  });

  it('lie below the folder, or are none', () => {
    assert.equal(linkedPath('.github/prompts', '../../src/a.ts'), 'src/a.ts');
    assert.equal(linkedPath('.github/prompts', '/src/a.ts'), 'src/a.ts');
    assert.equal(linkedPath('.github/prompts', 'a.ts'), '.github/prompts/a.ts');
    assert.equal(linkedPath('.github/prompts', '../../../a.ts'), undefined);
    assert.equal(linkedPath('a', '..\\..\\..\\a.ts'), undefined);
  });
});

describe('prompt files', () => {
  let workspace: RealWorkspace;
  const files = new NodeGuardedFiles(() => [{ name: 'workspace', uri: workspace.uri }]);
  const find = async () => (await findPrompts(files, new Set(['new']), unicodeTexts)).prompts;

  beforeEach(async () => {
    workspace = await RealWorkspace.make();
  });
  afterEach(() => workspace[Symbol.asyncDispose]());

  it('are found by their places and names; of two with one name, and of a command’s, one counts', async () => {
    await workspace.put('.github/prompts/review.prompt.md', '---\ndescription: theirs\n---\n');
    await workspace.put('.github/prompts/plain.md', 'no prompt');
    await workspace.put('.github/prompts/new.prompt.md', 'a command');
    await workspace.put('.offshoot/prompts/review.md', '---\ndescription: ours\n---\n${input:x}');
    await workspace.put('.offshoot/prompts/a b.prompt.md', '---\nname: "../c d"\n---\n');
    await workspace.put('.offshoot/prompts/below/deep.md', 'x');
    const { prompts, hidden } = await findPrompts(files, new Set(['new']), unicodeTexts);
    assert.deepEqual(
      prompts.map(({ name, takesInput, prompt }) => [name, takesInput, prompt?.description]),
      [
        ['c-d', false, undefined],
        ['review', true, 'ours'],
      ],
    );
    assert.deepEqual(hidden, ['.github/prompts/new.prompt.md', '.github/prompts/review.prompt.md']);
    assert.equal(nameFor('///'), undefined);
    assert.equal(MAX_PROMPT_NAMES, 200);
  });

  it('that are too large, no text, damaged or called like secrets are listed with the reason', async () => {
    await workspace.put('.offshoot/prompts/large.md', 'x'.repeat(10_000_000));
    await workspace.put('.offshoot/prompts/bytes.md', Uint8Array.of(0xc3, 0x28, 0xff));
    await workspace.put('.offshoot/prompts/zero.md', Uint8Array.of(97, 0, 98));
    await workspace.put('.offshoot/prompts/front.md', '---\ntools: [\n---\n');
    await workspace.put('.env', 'KEY=1');
    await symlink(workspace.onDisk('.env'), workspace.onDisk('.offshoot/prompts/linked.md'));
    const problems = (await find()).map(({ name, problem, prompt }) => [name, problem?.kind, prompt]);
    assert.deepEqual(problems, [
      ['bytes', 'no-text', undefined],
      ['front', 'front-matter', undefined],
      ['large', 'too-large', undefined],
      ['linked', 'secret', undefined],
      ['zero', 'no-text', undefined],
    ]);
  });

  it('are not read through links that leave the workspace', async () => {
    await writeFile(path.join(workspace.outside, 'x.md'), 'outside');
    await workspace.put('.offshoot/prompts/kept.md', 'kept');
    await symlink(path.join(workspace.outside, 'x.md'), workspace.onDisk('.offshoot/prompts/out.md'));
    await workspace.put('.github/x', '');
    await symlink(workspace.outside, workspace.onDisk('.github/prompts'));
    assert.deepEqual(
      (await find()).map(({ name }) => name),
      ['kept'],
    );
  });

  it('take along the files they name, and say which they could not', async () => {
    await workspace.put('src/a.ts', 'const a = 1;\n```');
    await workspace.put('.env', 'KEY=1');
    await writeFile(path.join(workspace.outside, 'x.md'), 'outside');
    await symlink(path.join(workspace.outside, 'x.md'), workspace.onDisk('src/out.md'));
    const body =
      '[a](../../src/a.ts) [e](../../.env) [o](../../src/out.md) [u](../../../outside/x.md) [n](none.md)\n${input:x}';
    await workspace.put('.github/prompts/p.prompt.md', body);
    const [found] = await find();
    assert.ok(found?.prompt);
    const { at, name, prompt } = found;
    const parts = await runPrompt(files, {
      at,
      name,
      prompt,
      inputs: new Map([['x', 'typed [z](../../src/z.ts)']]),
      variables: new Map(),
      settings: { mode: 'ask', missing: ['codebase'] },
      texts: savedTexts,
    });
    assert.deepEqual(promptOf(parts), {
      name: 'p',
      path: '.github/prompts/p.prompt.md',
      mode: 'ask',
      files: ['src/a.ts'],
      missing: ['codebase', '../../.env', '../../src/out.md', '../../../outside/x.md', 'none.md'],
    });
    const sent = modelTextOf({ parts });
    assert.match(sent, /The user runs the prompt file \.github\/prompts\/p\.prompt\.md.*typed \[z\]/s);
    assert.match(sent, /attached src\/a\.ts, which the prompt names:\]\n````\nconst a = 1;\n```\n````/);
    assert.doesNotMatch(sent, /KEY=1|outside\n/);
  });
});

describe('the tools a prompt names', () => {
  const [read, edit, run, mcp] = [
    tool('read_file'),
    tool('edit_file'),
    tool('run_command'),
    tool('mcp_github_list'),
  ];
  const known = {
    offered: [read, edit, mcp],
    reading: [read],
    writing: [edit],
    commands: [run],
    sets: { mine: ['edit_file', 'gone'], constructor: ['read_file'] },
  };

  it('are found by name, by set, by VS Code’s names and by server; the others are told', () => {
    const cases: [wanted: string[], tools: string[], missing: string[]][] = [
      [['read_file', '#edit_file'], ['read_file', 'edit_file'], []],
      [['search/codebase', 'edit'], ['read_file', 'edit_file'], []],
      [['mine'], ['edit_file'], []],
      [['github/*', 'github/list'], ['mcp_github_list'], []],
      // Turned off, or not there.
      [
        ['runCommands', 'fetch', 'github/none', 'toString'],
        [],
        ['runCommands', 'fetch', 'github/none', 'toString'],
      ],
      [[], [], []],
    ];
    for (const [wanted, tools, missing] of cases) {
      assert.deepEqual(toolsOfPrompt(wanted, known), { tools, missing }, wanted.join());
    }
  });
});
