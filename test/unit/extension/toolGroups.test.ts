import assert from 'node:assert/strict';
import fc from 'fast-check';
import { z } from 'zod';
import { TextTokens } from '../../../src/agent/context/textTokens.ts';
import { inputSchema } from '../../../src/agent/tools/inputSchema.ts';
import { fitSchema } from '../../../src/models/requests/schemas.ts';
import type { CommandHost } from '../../../src/agent/tools/commands/commandTools.ts';
import type { MemoryHost } from '../../../src/agent/memory/rememberTool.ts';
import type { SkillHost } from '../../../src/agent/skills/skillTool.ts';
import type { RecallHost } from '../../../src/agent/tools/recallTool.ts';
import type { WebHost } from '../../../src/agent/tools/web/webTools.ts';
import type { WorkspaceHost } from '../../../src/agent/tools/workspace/workspaceHost.ts';
import { foreignTools } from '../../../src/agent/tools/foreignTools.ts';
import { ownTools } from '../../../src/agent/tools/ownTools.ts';
import { defineTool, type AgentTool } from '../../../src/agent/tools/tool.ts';
import { groupForeign, turnedOff } from '../../../src/extension/tools/toolGroups.ts';
import { figure } from '../../fixtures/figures.ts';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';

const tool = (name: string): AgentTool =>
  defineTool({ name, description: name, input: z.object({}), run: () => ({ text: '' }) });
const names = { server: (name: string) => `server ${name}`, others: 'others' };

const foreign = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    name: `tool-${String(index).padStart(3, '0')}`,
    description: 'Does something.',
    inputSchema: undefined,
    invoke: () => Promise.resolve(''),
  }));

/** Nothing is asked of their hosts until one is called. */
function everyOwnTool(): readonly AgentTool[] {
  const all = ownTools({
    workspace: {} as WorkspaceHost,
    commands: {} as CommandHost,
    web: {} as WebHost,
    recall: {} as RecallHost,
    skills: {} as SkillHost,
    memory: { isOn: () => true } as MemoryHost,
  });
  return Object.values(all).flat();
}

describe('tools to select from', () => {
  it('stand under the extension that brings them, or their server, those of nobody known at the end', () => {
    const tools = ['zero', 'mcp_github_list', 'mcp_files_read', 'mcp_github_open', 'lint'].map(tool);
    const groups = groupForeign(tools, new Map([['lint', { extension: 'Linter' }]]), names);
    assert.deepEqual(
      groups.map((group) => [group.label, group.tools.map(({ name }) => name)]),
      [
        ['Linter', ['lint']],
        ['server files', ['mcp_files_read']],
        ['server github', ['mcp_github_list', 'mcp_github_open']],
        ['others', ['zero']],
      ],
    );
  });

  it('are off when they are not selected; what is not there now stays as it was', () => {
    const name = fc.constantFrom<string>('a', 'b', 'c', 'd', 'gone');
    const some = fc.uniqueArray(name);
    fc.assert(
      fc.property(some, some, some, (before, known, selected) => {
        const off = turnedOff(before, known.map(tool), new Set(selected));
        for (const each of ['a', 'b', 'c', 'd', 'gone']) {
          const expected = known.includes(each) ? !selected.includes(each) : before.includes(each);
          assert.equal(off.includes(each), expected, each);
        }
        assert.equal(new Set(off).size, off.length);
      }),
    );
  });

  it('are two hundred where others bring so many, of which models get those that are on', () => {
    const off = new Set(foreign(150).map(({ name }) => name));
    const all = foreignTools(() => foreign(200), new Set());
    assert.equal(all.selectable.length, 200);
    assert.equal(all.offered.length, 100);
    const some = foreignTools(
      () => foreign(200),
      new Set(),
      (name) => off.has(name),
    );
    assert.equal(some.selectable.length, 200);
    assert.deepEqual(
      some.offered.map(({ name }) => name),
      foreign(200)
        .slice(150)
        .map(({ name }) => name),
    );
    assert.equal(some.leftOut.length, 150);
    assert.equal(some.leftOut[0]?.reason.template, 'You turned it off.');
  });

  it('are shown in words for people, not in those for models', async () => {
    const { shownTool } = await withVsCodeStub(() => import('../../../src/extension/tools/shownTools.ts'));
    for (const own of everyOwnTool()) {
      const { label, detail } = shownTool(own, new Map());
      assert.doesNotMatch(label, /_/u);
      assert.ok(detail.length > 0 && detail.length <= 70, detail);
      assert.ok(!own.description.includes(detail), detail);
    }
    const lint = { ...tool('lint'), isForeign: true, description: 'Use this tool\nwhen …' };
    const presented = new Map([['lint', { label: 'Lint', detail: 'Checks files' }]]);
    assert.deepEqual(shownTool(lint, presented), { label: 'Lint', detail: 'Checks files' });
    assert.deepEqual(shownTool(lint, new Map()), { label: 'lint', detail: 'Use this tool when …' });
    // One that is called like ours is not ours.
    assert.equal(shownTool({ ...lint, name: 'recall' }, new Map()).label, 'recall');
  });

  it('take at most 2,550 tokens where nobody else brings any, with every bound that is sent', async () => {
    const own = everyOwnTool();
    assert.deepEqual(
      own.slice(-2).map(({ name }) => name),
      ['checkpoint', 'rewind'],
    );
    const written = own.map(({ name, description, input }) => ({
      name,
      description,
      ...fitSchema(inputSchema(input)),
    }));
    const tokens = await new TextTokens().count(written.map((tool) => JSON.stringify(tool)).join('\n'));
    figure('tools in all', `${tokens} tokens`);
    assert.ok(tokens <= 2_550, `${tokens} tokens`);
  });
});
