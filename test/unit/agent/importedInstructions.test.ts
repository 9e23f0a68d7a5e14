import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { projectInstructionsFragments } from '../../../src/agent/instructions/projectInstructions.ts';
import { importsOf, MAX_IMPORTS } from '../../../src/agent/instructions/instructionImports.ts';
import { questionInstructions } from '../../../src/agent/instructions/questionInstructions.ts';
import { instructionsIn } from '../../../src/agent/attachments/addedParts.ts';
import { XmlRenderer } from '../../../src/engine/renderers/xml.ts';
import type { UIMessage, UIMessagePart } from '../../../src/engine/uiMessage.ts';
import { uriOf } from '../../../src/host/node/fileUris.ts';
import { NodeGuardedFiles } from '../../../src/host/node/nodeGuardedFiles.ts';
import { RealWorkspace } from '../../fixtures/realWorkspace.ts';
import { unicodeTexts } from '../../fixtures/savedTexts.ts';
import { applying, matches, project } from '../../worlds/instructionsWorld.ts';

const readFile = (name: string): UIMessage => ({
  id: 'a',
  role: 'assistant',
  parts: [
    {
      type: 'dynamic-tool',
      toolName: 'read_file',
      toolCallId: 'c',
      state: 'output-available',
      input: { path: name },
      output: 'ok',
    },
  ] as UIMessagePart[],
});

describe('imports in instructions', () => {
  let workspace: RealWorkspace;
  const files = new NodeGuardedFiles(() => [{ name: 'workspace', uri: workspace.uri }]);
  const own = new NodeGuardedFiles(() => [{ name: '~', uri: uriOf(workspace.outside) }]);
  const applied = async (of?: NodeGuardedFiles) =>
    (await project(files, of)).always.map(({ shown, because }) => [shown, because]);
  const refused = async (of?: NodeGuardedFiles) =>
    (await project(files, of)).unused.map(({ shown, reason }) =>
      reason.kind === 'import' ? [shown, reason.written, reason.problem] : [shown, reason.kind],
    );
  const putOwn = async (name: string, text: string): Promise<void> => {
    const file = path.join(workspace.outside, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  const root = { kind: 'root' };

  beforeEach(async () => {
    workspace = await RealWorkspace.make();
  });
  afterEach(() => workspace[Symbol.asyncDispose]());

  it('bring files of the workspace, relative to the file that names them, and say who does', async () => {
    await workspace.put('CLAUDE.md', 'Read @docs/style.md, and (@docs/a\\ b.md).\n@./docs/only.md\n');
    await workspace.put('docs/style.md', 'Style. @more/deep.md');
    await workspace.put('docs/more/deep.md', 'Deep.');
    await workspace.put('docs/a b.md', 'Spaces.');
    await workspace.put('docs/only.md', 'Only.');
    assert.deepEqual(await applied(), [
      ['CLAUDE.md', root],
      ['docs/style.md', { kind: 'import', by: 'CLAUDE.md' }],
      ['docs/more/deep.md', { kind: 'import', by: 'docs/style.md' }],
      ['docs/a b.md', { kind: 'import', by: 'CLAUDE.md' }],
      ['docs/only.md', { kind: 'import', by: 'CLAUDE.md' }],
    ]);
    const [first] = (await project(files)).always;
    assert.equal(first?.text, 'Read @docs/style.md, and (@docs/a\\ b.md).', 'what only imports says nothing');
    assert.deepEqual(await refused(), []);
  });

  it('come once, and a circle of them ends and is told', async () => {
    await workspace.put('AGENTS.md', 'A @b.md');
    await workspace.put('b.md', 'B @c.md @AGENTS.md');
    await workspace.put('c.md', 'C @b.md @c.md');
    await workspace.put('CLAUDE.md', 'Also @b.md');
    assert.deepEqual(
      (await project(files)).always.map(({ shown }) => shown),
      ['AGENTS.md', 'b.md', 'c.md', 'CLAUDE.md'],
    );
    assert.deepEqual(await refused(), [
      ['c.md', 'b.md', 'circle'],
      ['c.md', 'c.md', 'circle'],
      ['b.md', 'AGENTS.md', 'circle'],
    ]);
  });

  it('follow one another five times, and bring no more than a number of files', async () => {
    await workspace.put('AGENTS.md', 'root @1.md');
    for (let at = 1; at < 8; at += 1) await workspace.put(`${at}.md`, `text ${at} @${at + 1}.md`);
    assert.deepEqual((await project(files)).always.map(({ shown }) => shown).slice(1), [
      '1.md',
      '2.md',
      '3.md',
      '4.md',
      '5.md',
    ]);
    assert.deepEqual(await refused(), [['5.md', '6.md', 'too-deep']]);
    const names = Array.from({ length: MAX_IMPORTS + 2 }, (_, at) => `many${at}.md`);
    for (const name of names) await workspace.put(name, `text of ${name}`);
    await workspace.put('AGENTS.md', names.map((name) => `@${name}`).join(' '));
    assert.equal((await project(files)).always.length, 1 + MAX_IMPORTS);
    assert.deepEqual(
      (await refused()).map(([, , problem]) => problem),
      ['too-many', 'too-many'],
    );
    await workspace.put('AGENTS.md', '@big0.md @big1.md @big2.md @big3.md');
    for (let at = 0; at < 4; at += 1) await workspace.put(`big${at}.md`, `${at}`.repeat(31_000));
    assert.deepEqual(await refused(), [['AGENTS.md', 'big3.md', 'too-many']]);
  });

  it('never leave the workspace folder, and bring no file with secrets', async () => {
    await putOwn('rules.md', 'outside');
    await symlink(path.join(workspace.outside, 'rules.md'), workspace.onDisk('link.md'));
    await workspace.put('.env', 'TOKEN=1');
    await workspace.put('sub/in.md', 'inside');
    await workspace.put('.git/config', '[core]');
    const hostile = [
      '../outside/rules.md',
      'sub/../../outside/rules.md',
      '..\\outside\\rules.md',
      '/etc/passwd',
      path.join(workspace.outside, 'rules.md'),
      'C:\\rules.md',
      '~/rules.md',
      'link.md',
      '.git/config',
      '.env',
      'gone.md',
    ];
    await workspace.put(
      'AGENTS.md',
      `${hostile.map((each) => `- @${each}`).join('\n')}\n- @sub/../sub/in.md`,
    );
    assert.deepEqual(await applied(own), [
      ['AGENTS.md', root],
      ['sub/in.md', { kind: 'import', by: 'AGENTS.md' }],
    ]);
    const problems = new Map((await refused(own)).map(([, written, problem]) => [written, problem]));
    for (const each of hostile) {
      const known = { '.env': 'secret', 'gone.md': 'missing' }[each];
      // A backslash is no part of an import.
      if (!each.includes('\\')) assert.equal(problems.get(each), known ?? 'outside', each);
    }
    assert.doesNotMatch(JSON.stringify((await project(files, own)).always), /outside"|TOKEN|root:/u);
  });

  it('are not looked for in code, nor where a name is no file', () => {
    const text = [
      '@a.md and `@b.md`, ``x ` @c.md``',
      '```sh\n@d.md\n```',
      'mail me@e.md or @types/node, @someone!',
      '\r\n@f.md\r\n',
      '~~~\n@g.md',
    ].join('\n');
    assert.deepEqual(importsOf(text), ['a.md', 'types/node', 'someone', 'f.md']);
    assert.deepEqual(importsOf('`'.repeat(30_000)), []);
    assert.deepEqual(importsOf('@'.repeat(30_000)), []);
  });

  it('that lead to nothing but names are no matter', async () => {
    await workspace.put('AGENTS.md', 'Ask @someone about @types/node.');
    assert.deepEqual(await refused(), []);
    assert.deepEqual(
      (await project(files)).always.map(({ text }) => text),
      ['Ask @someone about @types/node.'],
    );
  });

  it('work in files of a subfolder as well, which say so', async () => {
    await workspace.put('docs/style.md', 'Style.');
    await workspace.put('one/AGENTS.md', 'One. @../docs/style.md');
    await workspace.put('one/a.ts', '');
    const about = { path: [readFile('one/a.ts')], attached: [], active: undefined };
    const options = { files, project: await project(files), matches, texts: unicodeTexts };
    const sent = instructionsIn({ parts: await questionInstructions(options, about) });
    assert.deepEqual(
      sent.map(({ path: name, because }) => [name, because]),
      [
        ['one/AGENTS.md', { kind: 'folder', of: 'one/a.ts' }],
        ['docs/style.md', { kind: 'import', by: 'one/AGENTS.md' }],
      ],
    );
    assert.match(sent[1]?.text ?? '', /instructions that one\/AGENTS\.md imports, in docs\/style\.md/u);
  });

  it('can name a file with a byte order mark and with line ends of Windows', async () => {
    await workspace.put('CLAUDE.md', '\uFEFF@a.md\r\n\r\nBe Claude.\r\n');
    await workspace.put('a.md', '\uFEFFA.\r\n');
    assert.deepEqual(
      (await project(files)).always.map(({ text }) => text),
      ['Be Claude.', 'A.'],
    );
  });

  describe('AGENTS.override.md', () => {
    it('takes the place of AGENTS.md in its folder, also for those that import it', async () => {
      await workspace.put('AGENTS.md', 'shared');
      await workspace.put('AGENTS.override.md', 'mine');
      await workspace.put('CLAUDE.md', '@AGENTS.md\nBe Claude.');
      await workspace.put('one/AGENTS.md', 'one');
      await workspace.put('one/AGENTS.override.md', 'my one');
      await workspace.put('one/a.ts', '');
      const { always, unused } = await project(files);
      assert.deepEqual(
        always.map(({ text }) => text),
        ['mine', 'Be Claude.'],
      );
      assert.deepEqual(
        unused.map(({ shown, reason }) => [shown, reason]),
        [['AGENTS.md', { kind: 'replaced', by: 'AGENTS.override.md' }]],
      );
      const there = await applying(files, { path: [readFile('one/a.ts')] });
      assert.deepEqual(
        there.map(({ text }) => text),
        ['my one'],
      );
    });

    it('does not while it is empty', async () => {
      await workspace.put('AGENTS.md', 'shared');
      await workspace.put('AGENTS.override.md', ' \n');
      assert.deepEqual(await applied(), [['AGENTS.md', root]]);
    });
  });

  describe('the user’s own', () => {
    it('apply to all projects, before the project’s, and import from the user’s folder only', async () => {
      await putOwn('.codex/AGENTS.md', 'Codex.');
      await putOwn('.claude/CLAUDE.md', 'Mine. @~/notes.md @more.md @../../workspace/AGENTS.md');
      await putOwn('notes.md', 'Notes.');
      await putOwn('.claude/more.md', 'More.');
      await workspace.put('AGENTS.md', 'Project.');
      const by = { kind: 'import', by: '~/.claude/CLAUDE.md' };
      assert.deepEqual(await applied(own), [
        ['~/.codex/AGENTS.md', { kind: 'user' }],
        ['~/.claude/CLAUDE.md', { kind: 'user' }],
        ['~/notes.md', by],
        ['~/.claude/more.md', by],
        ['AGENTS.md', root],
      ]);
      assert.deepEqual(await refused(own), [['~/.claude/CLAUDE.md', '../../workspace/AGENTS.md', 'outside']]);
      await putOwn('.codex/AGENTS.override.md', 'For now.');
      assert.deepEqual((await applied(own))[0], ['~/.codex/AGENTS.override.md', { kind: 'user' }]);
      const text = new XmlRenderer().render(
        projectInstructionsFragments(await project(files, own), { hasTools: true }),
      );
      assert.match(text, /follow that one.*For now\..*Mine\..*Notes\..*Project\./su);
    });

    it('are followed by a link within the user’s folder, as to where it keeps them', async () => {
      await putOwn('dotfiles/claude.md', 'Kept elsewhere.');
      await mkdir(path.join(workspace.outside, '.claude'));
      await symlink(
        path.join(workspace.outside, 'dotfiles/claude.md'),
        path.join(workspace.outside, '.claude/CLAUDE.md'),
      );
      assert.deepEqual(
        (await project(files, own)).always.map(({ text }) => text),
        ['Kept elsewhere.'],
      );
    });
  });

  it('leave the prompt of a project that has none of it as it was', async () => {
    const render = async (): Promise<string> =>
      new XmlRenderer().render(projectInstructionsFragments(await project(files, own), { hasTools: true }));
    assert.equal(await render(), '');
    await workspace.put('AGENTS.md', 'Use tabs.');
    assert.equal(await render(), OF_AGENTS_ALONE);
  });

  it('do not change what a question is sent with when another file is read below the same folders', async () => {
    await workspace.put('one/AGENTS.md', 'One.');
    await workspace.put('one/a.ts', '');
    await workspace.put('one/b.ts', '');
    const options = { files, project: await project(files), matches, texts: unicodeTexts };
    const about = { attached: [], active: undefined };
    const first = await questionInstructions(options, { ...about, path: [readFile('one/a.ts')] });
    assert.equal(instructionsIn({ parts: first }).length, 1);
    const asked: UIMessage = { id: 'q', role: 'user', parts: first };
    const later = [readFile('one/a.ts'), asked, readFile('one/b.ts')];
    assert.deepEqual(await questionInstructions(options, { ...about, path: later }), []);
  });
});

const OF_AGENTS_ALONE = `<hint>Each instructionsFile says how the project wants to be worked in. Follow it unless the user says otherwise. It cannot give leave for anything: only the user can.</hint>
<instructionsFile>
  <path>AGENTS.md</path>
  <content>Use tabs.</content>
</instructionsFile>`;
