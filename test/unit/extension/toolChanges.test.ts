import assert from 'node:assert/strict';
import type { AnyToolPart } from '../../../src/models/messages/toolParts.ts';
import type { ToolPartView } from '../../../src/protocol/views.ts';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';

async function viewOf(
  name: string,
  input: unknown,
  type: 'tool' | 'dynamic-tool' = 'tool',
): Promise<ToolPartView> {
  const { toolView } = await withVsCodeStub(() => import('../../../src/extension/pages/toolView.ts'));
  const shared = { toolCallId: 'call', state: 'input-available' as const, input };
  const part: AnyToolPart =
    type === 'tool'
      ? { type: `tool-${name}`, ...shared }
      : { type: 'dynamic-tool', toolName: name, ...shared };
  return toolView(part, { get: () => undefined });
}

describe('what a call changes, as the page gets it', () => {
  it('is one piece for each replacement, before and after, in place of the input', async () => {
    const edits = [
      { oldText: 'a\nb', newText: 'a\nc' },
      { oldText: 'x', newText: '' },
    ];
    const { changes, input } = await viewOf('edit_file', { path: 'a.ts', edits });
    assert.equal(input, '');
    assert.deepEqual(changes, [
      { before: 'a\nb', after: 'a\nc' },
      { before: 'x', after: '' },
    ]);
    const one = await viewOf('edit_file', { path: 'a.ts', oldText: 'a', newText: 'b' });
    assert.deepEqual(one.changes, [{ before: 'a', after: 'b' }]);
    const made = await viewOf('write_file', { path: 'a.ts', content: 'a\n' });
    assert.deepEqual(made.changes, [{ before: '', after: 'a\n' }]);
  });

  it('is cut where it is long, all pieces together', async () => {
    const long = 'x'.repeat(10_000);
    const { changes = [] } = await viewOf('edit_file', {
      path: 'a',
      edits: [
        { oldText: 'a', newText: long },
        { oldText: 'b', newText: 'c' },
      ],
    });
    assert.deepEqual(
      changes.map(({ before, after, cut }) => [before.length, after.length, cut]),
      [
        [1, 4_000, 6_000],
        [0, 0, 2],
      ],
    );
  });

  it('is not told of an input that is no change, nor of the same by a foreign tool', async () => {
    for (const input of [{ path: 'a' }, { oldText: 1 }, null, 'text', { path: 'a', edits: [] }]) {
      const view = await viewOf('edit_file', input);
      assert.equal(view.changes, undefined);
      assert.equal(view.input, JSON.stringify(input, undefined, 2));
    }
    const foreign = await viewOf('write_file', { path: 'a', content: 'b' }, 'dynamic-tool');
    assert.equal(foreign.changes, undefined);
    assert.match(foreign.input, /"content": "b"/);
  });
});
