import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { GraphBranch, GraphData, GraphNode } from '../../../src/engine/graph.ts';
import { visualizeGraph } from '../../../src/engine/visualizeGraph.ts';

function node(id: string, parentId: string | null = null, content = id): GraphNode {
  return { id, parentId, role: 'user', content, createdAt: 0 };
}

function branch(name: string, headMessageId: string | null, isActive = false): GraphBranch {
  return { name, headMessageId, isActive };
}

function graph(nodes: readonly GraphNode[], rest: Partial<GraphData> = {}): GraphData {
  return { chatId: 'chat', branches: [], checkpoints: [], ...rest, nodes };
}

/** A chat of `length` messages in a row. */
function chain(length: number, side?: (index: number) => GraphNode[]): GraphNode[] {
  return Array.from({ length }, (_, index) => [
    node(`m${index}`, index === 0 ? null : `m${index - 1}`),
    ...(side?.(index) ?? []),
  ]).flat();
}

describe('visualizeGraph', () => {
  it('draws messages root first, forks further in, heads in brackets and checkpoints in braces', () => {
    const picture = visualizeGraph(
      graph(
        [
          { ...node('q1', null, 'What is\n2 + 2?'), role: 'user' },
          { ...node('a1', 'q1', '5'), role: 'assistant' },
          { ...node('q2', 'a1', 'Sure?'), role: 'user' },
          { ...node('a2', 'q1', '4'), role: 'assistant' },
          { ...node('q3', 'a2', 'Thanks'), role: 'user' },
        ],
        {
          branches: [
            branch('main', 'q2'),
            branch('main-v2', 'q3', true),
            branch('side', 'q3'),
            branch('new', null),
          ],
          checkpoints: [{ name: 'right', messageId: 'a2' }],
        },
      ),
    );
    assert.equal(
      picture,
      [
        '(empty) [new]',
        '● q1 user: What is 2 + 2?',
        '├─● a1 assistant: 5',
        '│ ● q2 user: Sure? [main]',
        '● a2 assistant: 4 {right}',
        '● q3 user: Thanks [main-v2*] [side]',
      ].join('\n'),
    );
  });

  it('draws nothing of an empty chat', () => {
    assert.equal(visualizeGraph(graph([])), '');
  });

  it('does not go further in along a chat without forks, and takes one of 100,000 messages', () => {
    const lines = visualizeGraph(graph(chain(100_000))).split('\n');
    assert.equal(lines.length, 100_000);
    assert.ok(lines.every((line) => line.startsWith('● m')));
  });

  it('goes no further in when each turn had a side branch', () => {
    const sided = chain(10_000, (index) => [node(`side${index}`, `m${index}`)]);
    const lines = visualizeGraph(graph(sided)).split('\n');
    assert.equal(lines.length, 20_000);
    assert.ok(lines.every((line) => /^(?:├─)?● /.test(line)));
  });

  it('takes any number of beginnings', () => {
    const roots = Array.from({ length: 200_000 }, (_, index) => node(`r${index}`));
    assert.equal(visualizeGraph(graph(roots)).split('\n').length, 200_000);
  });

  it('shows the beginning of a long message on one line, without control characters or half a character', () => {
    const long = visualizeGraph(graph([node('m', null, `a\u001b[31m\r\n\tb ${'😀'.repeat(100)}`)]));
    assert.match(long, /^● m user: a \[31m b 😀+\uFFFD?…$/u);
    assert.ok(long.length < 80 && long.isWellFormed());
  });

  it('draws what hangs on a message that is not there', () => {
    assert.equal(visualizeGraph(graph([node('a', 'lost'), node('b', 'a')])), '● a user: a\n● b user: b');
  });

  it('draws every message once, none before the one it follows, at a depth of no more than log2 of all', () => {
    const trees = fc
      .array(fc.nat(), { maxLength: 200 })
      .map((parents) =>
        parents.map((parent, index) => node(`m${index}`, index === 0 ? null : `m${parent % index}`)),
      );
    fc.assert(
      fc.property(trees, (nodes) => {
        const lines = nodes.length === 0 ? [] : visualizeGraph(graph(nodes)).split('\n');
        const drawn = lines.map((line) => /● (\S+)/.exec(line)?.[1] ?? '');
        assert.deepEqual([...drawn].sort(), nodes.map(({ id }) => id).sort());
        for (const { id, parentId } of nodes) {
          if (parentId !== null) assert.ok(drawn.indexOf(parentId) < drawn.indexOf(id));
        }
        for (const line of lines) assert.ok(line.indexOf('●') / 2 <= Math.log2(nodes.length));
      }),
    );
  });
});
