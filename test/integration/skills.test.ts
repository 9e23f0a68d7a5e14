import assert from 'node:assert/strict';
import { promptOf } from '../../src/agent/attachments/addedParts.ts';
import { READ_SKILL } from '../../src/agent/skills/skillTool.ts';
import { modelTextOf } from '../../src/engine/uiMessage.ts';
import { ContextTree } from '../../src/extension/context/contextView.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { answer, toolResultsOf, useTools } from '../fixtures/openaiServer.ts';
import { FolderFiles } from './folderFiles.ts';
import { ask, offshoot, setSetting, useModelServer } from './support.ts';

describe('skills', () => {
  let api: Offshoot;
  let replies: ReturnType<typeof answer>[] = [];
  const server = useModelServer(() => replies.shift() ?? answer('done'));
  const files = new FolderFiles();
  const put = (folder: string, description: string, more = ''): Promise<void> =>
    files.write(
      `${folder}/greet/SKILL.md`,
      `---\nname: greet\ndescription: ${description}\n${more}---\nSay hello with scripts/hello.sh.\n`,
    );

  /** What the model got last: its instructions, and the names of its tools. */
  const sent = () => {
    const { body } = server().requests.at(-1) ?? assert.fail();
    return {
      system: JSON.stringify(body.messages[0]?.content),
      tools: (body.tools ?? []).map((each) => each.function.name),
    };
  };

  /** What the Context view says of skills. */
  const skillRows = async (): Promise<string[]> => {
    const { context, log } = api.parts;
    const tree = new ContextTree(context, log);
    try {
      await context.read();
      const section = (await tree.getChildren()).find(
        (node) => node.kind === 'section' && node.section === 'skills',
      );
      const rows: string[] = [];
      for (const node of section ? await tree.getChildren(section) : []) {
        const { label, description } = await tree.getTreeItem(node);
        assert.ok(typeof label === 'string' && typeof description === 'string');
        rows.push(`${label}: ${description}`);
      }
      return rows;
    } finally {
      tree.dispose();
    }
  };

  before(async () => {
    api = await offshoot();
  });
  beforeEach(() => api.parts.current.startNew());
  afterEach(async () => {
    for (const folder of ['.agents', '.claude']) await files.remove(folder);
  });

  it('are named to the model, which reads one; without any, the prompt and the tools are as before', async () => {
    await ask(api, 'before');
    const before = sent();
    assert.ok(!before.tools.includes(READ_SKILL));
    assert.deepEqual(await skillRows(), []);
    await put('.agents/skills', 'Greets people.');
    await put('.claude/skills', 'Greets others.');
    await files.write('.agents/skills/greet/scripts/hello.sh', 'echo hello\n');
    replies = [
      useTools([READ_SKILL, { name: 'greet' }], [READ_SKILL, { name: 'greet', file: 'scripts/hello.sh' }]),
    ];
    await ask(api, 'greet');
    const { system, tools } = sent();
    assert.match(system, /- greet: Greets people\./u);
    assert.doesNotMatch(system, /Greets others/u);
    assert.ok(tools.includes(READ_SKILL));
    const results = toolResultsOf(server().requests.at(-1) ?? assert.fail()).map(({ result }) => result);
    assert.match(
      results[0] ?? '',
      /Say hello with scripts\/hello\.sh\..*folder is \.agents\/skills\/greet/su,
    );
    assert.match(results[1] ?? '', /echo hello/u);
    assert.deepEqual(await skillRows(), [
      'greet: Of the project',
      'greet: .agents/skills/greet/SKILL.md has the same name and is nearer',
    ]);
    for (const folder of ['.agents', '.claude']) await files.remove(folder);
    await api.parts.current.startNew();
    await ask(api, 'after');
    assert.deepEqual(sent(), before);
  });

  it('are run by their name after a slash, like prompt files, unless they are turned off', async () => {
    const { prompts } = api.parts;
    await put(
      '.agents/skills',
      'Greets people.',
      'argument-hint: "[whom]"\ndisable-model-invocation: true\n',
    );
    assert.deepEqual(await prompts.list(), [
      {
        name: 'greet',
        description: 'Greets people.',
        hint: '[whom]',
        path: '.agents/skills/greet/SKILL.md',
        takesInput: true,
      },
    ]);
    const parts = (await prompts.take('/greet the team')) ?? assert.fail();
    assert.equal(promptOf(parts)?.path, '.agents/skills/greet/SKILL.md');
    assert.match(modelTextOf({ parts }), /Say hello/u);
    await ask(api, 'hello');
    assert.doesNotMatch(sent().system, /Greets people/u);
    assert.deepEqual(await skillRows(), ['greet: Only as /greet']);
    await put('.agents/skills', 'Greets people.', 'user-invocable: false\n');
    assert.deepEqual(await prompts.list(), []);
    assert.deepEqual(await prompts.take('/greet the team'), []);
    await put('.agents/skills', 'Greets people.');
    try {
      await setSetting('instructions.files', false);
      assert.deepEqual(await prompts.list(), []);
      assert.deepEqual(await skillRows(), []);
    } finally {
      await setSetting('instructions.files', undefined);
    }
  });
});
