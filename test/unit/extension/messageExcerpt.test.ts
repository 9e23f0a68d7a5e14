import assert from 'node:assert/strict';
import { branchSummaryMessage } from '../../../src/engine/branchSummary.ts';
import { pathSummaryMessage } from '../../../src/engine/pathSummary.ts';
import type { UIMessage } from '../../../src/engine/uiMessage.ts';
import { messageExcerpt } from '../../../src/extension/commands/messageExcerpt.ts';

const message = (role: 'user' | 'assistant', text: string): UIMessage => ({
  id: 'm',
  role,
  parts: [{ type: 'text', text }],
});
const answered = (text: string): string => messageExcerpt(message('assistant', text), 100);

describe('the first words of a message', () => {
  it('are those of an answer without the signs of Markdown', () => {
    assert.equal(answered('## Three *things*\n\n1. **Where** it runs'), 'Three things 1. Where it runs');
    assert.equal(
      answered('Then:\n\n```sh\nhabit done --all\n```\nThat is it.'),
      'Then: habit done --all That is it.',
    );
    assert.equal(answered('See [the docs](https://a.b/c) and `a_b_c`.'), 'See the docs and a_b_c.');
    assert.equal(answered('| Part | How many |\n| :-- | --: |\n| Rows | 7 |'), 'Part · How many Rows · 7');
    assert.equal(answered('> - [x] done\n\n---\n\n~~not~~ __so__'), 'done not so');
  });

  it('keep what only looks like such signs', () => {
    for (const text of [
      '2 * 3 * 4',
      'snake_case_name and __init__.py',
      'a | b',
      '**',
      'array[0](1, 2)',
      '-5 °C',
    ]) {
      assert.equal(answered(text), text);
    }
    assert.equal(answered('~~~md\n**kept** | `so`\n~~~'), '**kept** | `so`');
  });

  it('are those of a question as it was typed', () => {
    assert.equal(messageExcerpt(message('user', 'What does **kwargs\ndo?'), 100), 'What does **kwargs do?');
  });

  it('are those of a report and of a summary, not what leads the model to them', () => {
    const report = branchSummaryMessage(
      'r',
      {
        report: 'Plain lines are **best**.',
        goal: 'Find a format',
        checkpoint: 'c',
        startedAt: '2026-01-01T00:00:00Z',
        rewoundAt: '2026-01-01T00:01:00Z',
        abandonedHead: null,
        exploredBranch: 'main',
      },
      [],
    );
    assert.equal(messageExcerpt(report, 100), 'Plain lines are best.');
    const summary = pathSummaryMessage('s', {
      kind: 'up-to-here',
      text: 'We chose a web page.',
      source: { branch: 'main', headMessageId: null, from: 'a', to: 'b', count: 2 },
      writtenAt: '2026-01-01T00:00:00Z',
    });
    assert.equal(messageExcerpt(summary, 100), 'We chose a web page.');
  });

  it('are found at once in what is made to take long', () => {
    for (const sign of ['[', '`', '**a', '*a', '| ', '> ', '- ', '![', '__', '~~x']) {
      messageExcerpt(message('assistant', sign.repeat(100_000)), 100);
    }
  });
});
