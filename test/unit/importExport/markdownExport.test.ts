import assert from 'node:assert/strict';
import type { PortableChat } from '../../../src/engine/portableChat.ts';
import { branchSummaryMessage } from '../../../src/engine/branchSummary.ts';
import { pathSummaryMessage } from '../../../src/engine/pathSummary.ts';
import { chatAsMarkdown } from '../../../src/importExport/markdownExport.ts';

type Message = PortableChat['messages'][number];

const message = (id: string, parentId: string | null, name: string, data: object): Message => ({
  id,
  parentId,
  name,
  type: 'message',
  data: JSON.parse(
    JSON.stringify({ id, role: name === 'assistant' ? 'assistant' : 'user', ...data }),
  ) as Message['data'],
  invocationId: 'q1',
  createdAt: 0,
});
const spoken = (id: string, parentId: string | null, text: string, rest: object = {}): Message =>
  message(id, parentId, id.startsWith('a') ? 'assistant' : 'user', {
    parts: [{ type: 'text', text }],
    ...rest,
  });

const summary = {
  source: { branch: 'main-v4', headMessageId: 'a4', from: 'q4', to: 'a4', count: 2 },
  writtenAt: '2026-05-04T12:00:00Z',
};

const chat: PortableChat = {
  id: 'chat',
  title: 'Greeting',
  metadata: {},
  createdAt: 0,
  updatedAt: 0,
  messages: [
    message('q1', null, 'user', {
      parts: [
        { type: 'text', text: 'Who says hello?' },
        { type: 'data-attached-file', data: { path: 'src/greet.ts', startLine: 3, endLine: 9 } },
      ],
    }),
    message('a1', 'q1', 'assistant', {
      parts: [
        { type: 'text', text: 'I look around.' },
        {
          type: 'tool-read_file',
          toolCallId: 'c1',
          state: 'output-available',
          input: { path: 'src/greet.ts', startLine: 1 },
          output: { text: 'export function greet() {}' },
        },
        {
          type: 'tool-edit_file',
          toolCallId: 'c2',
          state: 'output-error',
          input: { path: 'none.ts', text: 'a\nb' },
          errorText: 'There is no file “none.ts”.\nLook for it.',
        },
        {
          type: 'dynamic-tool',
          toolName: 'run_it',
          toolCallId: 'c3',
          state: 'output-denied',
          input: {},
          approval: { id: 'x', approved: false },
        },
      ],
      metadata: { status: 'failed', error: { code: 'server', message: 'Server error (503)' } },
    }),
    {
      ...message(
        's1',
        'a1',
        'branch_summary',
        branchSummaryMessage(
          's1',
          {
            goal: 'Find it',
            report: 'It is `greet`.',
            checkpoint: 'c1',
            exploredBranch: 'main',
            startedAt: '',
            rewoundAt: '',
            abandonedHead: null,
          },
          [],
        ),
      ),
    },
    {
      ...message(
        's2',
        's1',
        'branch_summary',
        pathSummaryMessage('s2', { ...summary, kind: 'brought-back', text: 'Rust is fine.' }),
      ),
    },
    { ...message('state', 's2', 'state', {}), type: 'internal', data: {} },
    spoken('q2', 'state', 'And now?'),
    spoken('a2', 'q2', 'It goes', { metadata: { status: 'interrupted' } }),
    spoken('q3', 'a1', 'What time is it?'),
    spoken('a3', 'q3', 'Late.', { metadata: { status: 'complete' } }),
    {
      ...message(
        's3',
        'a1',
        'branch_summary',
        pathSummaryMessage('s3', { ...summary, kind: 'up-to-here', text: 'Short.' }),
      ),
    },
  ],
  branches: [
    { name: 'main', headMessageId: 'a2', forkMessageId: null, isActive: true, createdAt: 0 },
    { name: 'time', headMessageId: 'a3', forkMessageId: 'a1', isActive: false, createdAt: 1 },
    { name: 'main-v3', headMessageId: 's3', forkMessageId: 'a1', isActive: false, createdAt: 2 },
  ],
  checkpoints: [{ name: 'before', messageId: 'q2', createdAt: 0 }],
  events: [
    { kind: 'btw', branch: 'main-v2', details: {}, createdAt: 1 },
    { kind: 'branch-renamed', branch: 'time', details: { from: 'main-v2' }, createdAt: 2 },
  ],
};

const golden = `# Greeting

## Branch main

### You

Who says hello?

> File: src/greet.ts, lines 3 to 9

### Assistant

I look around.

> Tool: read\\_file (path: src/greet.ts, startLine: 1)

> Tool: edit\\_file (path: none.ts, text: 3 characters)
>
> Failed: There is no file “none.ts”. Look for it.

> Tool: run\\_it
>
> Denied

> **This response failed.** Server error (503)

### Report: Find it

It is \`greet\`.

### Summary of branch In Rust

Rust is fine.

### You

And now?

> Checkpoint: before

### Assistant

It goes

> **This response was stopped before its end.**

## By the way: What time is it?

After “I look around.”

### You

What time is it?

### Assistant

Late.

## Branch main-v3

After “I look around.”

### Summary of the 2 messages before

Short.
`;

describe('a chat as Markdown', () => {
  it('says who said what, how it ended, what was summarized, and what was asked by the way', () => {
    const labels: Record<string, string> = { time: 'What time is it?', 'main-v4': 'In Rust' };
    assert.equal(
      chatAsMarkdown(chat, (branch) => labels[branch] ?? branch),
      golden,
    );
  });
});

describe('the web pages of a chat as Markdown', () => {
  it('are links under the answer that relies on them, which say nothing else', () => {
    const page = (url: string, title: string): object => ({
      type: 'tool-fetch_page',
      toolCallId: url,
      state: 'output-available',
      input: { url },
      output: { text: 'x', details: { page: { url, title } } },
    });
    const text = chatAsMarkdown({
      ...chat,
      checkpoints: [],
      events: [],
      messages: [
        spoken('q1', null, 'How?'),
        message('a1', 'q1', 'assistant', {
          parts: [
            page(
              'https://docs.example.com/a(b)?c=<d>',
              'The ![guide](https://evil.example/x.png) <img src=y>',
            ),
            page('https://other.example.com/', ' '),
          ],
        }),
        spoken('a2', 'a1', 'So.'),
        spoken('q2', 'a2', 'Thanks'),
      ],
      branches: [{ name: 'main', headMessageId: 'q2', forkMessageId: null, isActive: true, createdAt: 0 }],
    });
    assert.ok(
      text.includes(
        'So.\n\nSources:\n\n' +
          '- [The !\\[guide\\](https://evil.example/x.png) \\<img src=y\\>](<https://docs.example.com/a(b)?c=%3Cd%3E>)\n' +
          '- [other.example.com](<https://other.example.com/>)\n\n### You\n\nThanks',
      ),
      text,
    );
  });
});
