import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { attachedFileParts } from '../../../src/agent/attachments/attachedFile.ts';
import { projectInstructionsFragments } from '../../../src/agent/instructions/projectInstructions.ts';
import { questionInstructions, touchedFiles } from '../../../src/agent/instructions/questionInstructions.ts';
import { patternBelow, splitPatterns } from '../../../src/agent/instructions/readApplyTo.ts';
import { instructionsIn } from '../../../src/agent/attachments/addedParts.ts';
import { XmlRenderer } from '../../../src/engine/renderers/xml.ts';
import { modelTextOf, type UIMessage, type UIMessagePart } from '../../../src/engine/uiMessage.ts';
import { NodeGuardedFiles } from '../../../src/host/node/nodeGuardedFiles.ts';
import { RealWorkspace } from '../../fixtures/realWorkspace.ts';
import { savedTexts, unicodeTexts } from '../../fixtures/savedTexts.ts';
import { applying, matches, project } from '../../worlds/instructionsWorld.ts';

const user = (parts: UIMessagePart[]): UIMessage => ({ id: 'q', role: 'user', parts });
const called = (toolName: string, input: unknown): UIMessage => ({
  id: 'a',
  role: 'assistant',
  parts: [
    { type: 'dynamic-tool', toolName, toolCallId: 'c', state: 'output-available', input, output: 'ok' },
  ] as UIMessagePart[],
});

describe('the instructions of a project', () => {
  let workspace: RealWorkspace;
  const files = new NodeGuardedFiles(() => [{ name: 'workspace', uri: workspace.uri }]);
  const put = (name: string, applyTo: string, text: string) =>
    workspace.put(`.github/instructions/${name}.instructions.md`, `---\n${applyTo}\n---\n${text}`);
  const sent = async (path: readonly UIMessage[], attached: readonly UIMessagePart[] = []) => {
    const options = { files, project: await project(files), matches, texts: unicodeTexts };
    return questionInstructions(options, { path, attached, active: undefined });
  };

  beforeEach(async () => {
    workspace = await RealWorkspace.make();
  });
  afterEach(() => workspace[Symbol.asyncDispose]());

  it('are sent once where several files say the same: by a link, by a copy, by an import', async () => {
    const always = async () => (await project(files)).always.map(({ shown, text }) => [shown, text]);
    const reasons = async () => (await project(files)).unused.map(({ shown, reason }) => [shown, reason]);
    await workspace.put('AGENTS.md', 'Use tabs.');
    await symlink(workspace.onDisk('AGENTS.md'), workspace.onDisk('CLAUDE.md'));
    await workspace.put('.github/copilot-instructions.md', 'Use tabs.\n');
    assert.deepEqual(await always(), [['AGENTS.md', 'Use tabs.']]);
    const same = { kind: 'same', as: 'AGENTS.md' };
    assert.deepEqual(await reasons(), [
      ['CLAUDE.md', same],
      ['.github/copilot-instructions.md', same],
    ]);
    await using other = await RealWorkspace.make();
    const there = new NodeGuardedFiles(() => [{ name: 'other', uri: other.uri }]);
    await other.put('AGENTS.md', 'Use tabs.');
    await other.put('CLAUDE.md', '@AGENTS.md\n');
    assert.deepEqual(
      (await project(there)).unused.map(({ reason }) => reason),
      [same],
    );
    await other.put('CLAUDE.md', '@AGENTS.md\n\nBe Claude.');
    assert.deepEqual(
      (await project(there)).always.map(({ text }) => text),
      ['Use tabs.', 'Be Claude.'],
    );
  });

  it('are included with the question that is about files they are for, once on a path, and again when they change', async () => {
    await workspace.put('src/a.ts', 'a');
    await workspace.put('README.md', 'r');
    await put('typed', 'applyTo: "**/*.ts,**/*.{tsx,mts}"', 'Type it.');
    await put('docs', 'applyTo: "docs/**"', 'Write it.');
    const asked = await attachedFileParts(files, { path: 'src/a.ts' }, savedTexts);
    assert.deepEqual(await sent([], await attachedFileParts(files, { path: 'README.md' }, savedTexts)), []);
    const first = await sent([], asked);
    const text = modelTextOf({ parts: first });
    assert.match(
      text,
      /instructions for \*\*\/\*\.ts, .+ in \.github\/instructions\/typed\.instructions\.md.+Type it\.$/s,
    );
    assert.deepEqual(
      instructionsIn({ parts: first }).map(({ path }) => path),
      ['.github/instructions/typed.instructions.md'],
    );
    const path = [user([...asked, ...first]), called('edit_file', { path: 'src/a.ts' })];
    assert.deepEqual(await sent(path, asked), [], 'what the model has it need not have again');
    await put('typed', 'applyTo: "**/*.ts"', 'Type it well.');
    assert.match(modelTextOf({ parts: await sent(path) }), /Type it well/);
  });

  it('are included for files that tools read or changed', async () => {
    await workspace.put('src/a.ts', 'a');
    await put('typed', 'applyTo: "**/*.ts"', 'Type it.');
    for (const [tool, input, count] of [
      ['read_file', { path: 'src/a.ts' }, 2],
      ['edit_file', { path: './src/a.ts' }, 2],
      ['list_files', { path: 'src/a.ts' }, 0],
      ['read_file', { path: '../a.ts' }, 0],
      ['read_file', { path: 5 }, 0],
      ['read_file', 'a.ts', 0],
    ] as const) {
      assert.equal((await sent([called(tool, input)])).length, count, `${tool} ${JSON.stringify(input)}`);
    }
    const many = Array.from({ length: 300 }, (_, at) => called('read_file', { path: `${at}.ts` }));
    const touched = touchedFiles(many, []);
    assert.deepEqual([touched.length, touched[0]], [100, '299.ts']);
  });

  it('of all folders on the way to a file are included with it, the nearest last', async () => {
    await workspace.put('AGENTS.md', 'root');
    await workspace.put('one/AGENTS.md', 'one');
    await workspace.put('one/CLAUDE.md', '@AGENTS.md');
    await workspace.put('one/two/CLAUDE.md', 'two');
    await workspace.put('one/two/a.ts', '');
    await workspace.put('one/b.ts', '');
    await workspace.put('three/AGENTS.md', 'root');
    await workspace.put('three/c.ts', '');
    const names = async (path: string) =>
      (await applying(files, { path: [called('read_file', { path })] })).map(({ shown }) => shown);
    await workspace.put('one/0/AGENTS.md', 'before AGENTS.md by name');
    await workspace.put('one/0/c.ts', '');
    assert.deepEqual(await names('one/two/a.ts'), ['one/AGENTS.md', 'one/two/CLAUDE.md']);
    assert.deepEqual(await names('one/0/c.ts'), ['one/AGENTS.md', 'one/0/AGENTS.md']);
    assert.deepEqual(await names('one/b.ts'), ['one/AGENTS.md']);
    assert.deepEqual(await names('three/c.ts'), [], 'what is included anyway is not said twice');
  });

  it('for all files are part of the prompt; the others are listed there, which no question changes', async () => {
    await put('all', "applyTo: '**'", 'For all.');
    await put('deep/typed', 'applyTo: **/*.ts\ndescription: How to\n  type', 'Type it.');
    await put('plain', 'description: Releases', 'Release it.');
    await put('broken', 'applyTo: [', 'Broken.');
    await put('long', `applyTo: "${'*a'.repeat(40)}"`, 'Long.');
    const found = await project(files);
    const prompt = new XmlRenderer().render(projectInstructionsFragments(found, { hasTools: true }));
    assert.match(
      prompt,
      /<path>\.github\/instructions\/all\.instructions\.md<\/path>\s*<content>For all\.<\/content>/,
    );
    assert.match(
      prompt,
      /- \.github\/instructions\/deep\/typed\.instructions\.md: for \*\*\/\*\.ts; How to type\n/,
    );
    assert.match(prompt, /- \.github\/instructions\/plain\.instructions\.md: Releases/);
    assert.doesNotMatch(prompt, /Type it|Release it|Broken|Long/);
    assert.doesNotMatch(
      new XmlRenderer().render(projectInstructionsFragments(found, { hasTools: false })),
      /typed/,
    );
    assert.deepEqual(
      found.unused.map(({ shown, reason }) => [shown, reason.kind]),
      [
        ['.github/instructions/broken.instructions.md', 'unreadable'],
        ['.github/instructions/long.instructions.md', 'unreadable'],
      ],
    );
  });
});

describe('patterns of files', () => {
  it('have commas between them, but for those in braces', () => {
    assert.deepEqual(splitPatterns(' a , b{c,d}/{e,{f,g}},, **/*.ts '), ['a', 'b{c,d}/{e,{f,g}}', '**/*.ts']);
    assert.deepEqual(splitPatterns('}a,b'), ['}a', 'b']);
  });

  it('that do not begin at the top are meant anywhere', () => {
    assert.deepEqual(['*.ts', 'src/**', '/src/**', '**/a', './a'].map(patternBelow), [
      '**/*.ts',
      '**/src/**',
      'src/**',
      '**/a',
      '**/a',
    ]);
  });
});
