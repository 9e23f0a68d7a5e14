import assert from 'node:assert/strict';
import type { MessageData } from '../../../src/engine/graph.ts';
import type { JsonValue } from '../../../src/engine/json.ts';
import type { ReadonlyStore } from '../../../src/engine/readonlyStore.ts';
import { beginningOfTurn, withSources } from '../../../src/extension/pages/answerSources.ts';
import type { MessageView, ToolPartView } from '../../../src/protocol/views.ts';

const CHAT = 'c';

const stored = (id: string, parentId: string | null, name: string, parts: JsonValue[]): MessageData => ({
  id,
  parentId,
  name,
  chatId: CHAT,
  type: 'message',
  depth: 0,
  createdAt: 0,
  invocationId: 'q',
  replaces: undefined,
  effects: undefined,
  data: { id, role: name === 'user' ? 'user' : 'assistant', parts },
});

const fetchCall = (url: string, title = ''): JsonValue => ({
  type: 'tool-fetch_page',
  toolCallId: url,
  state: 'output-available',
  input: { url },
  output: { text: 'x', details: { page: { url, title } } },
});

const view = (id: string, more: Partial<MessageView> = {}): MessageView => ({
  id,
  role: 'assistant',
  createdAt: 0,
  status: 'complete',
  checkpoints: [],
  parts: [{ type: 'text', text: 'so' }],
  ...more,
});

const toolPart: ToolPartView = {
  type: 'tool' as const,
  callId: 'c',
  name: 'fetch_page',
  title: 't',
  icon: 'globe',
  state: 'done' as const,
  input: '',
  output: '',
};

const asked = stored('q', null, 'user', [{ type: 'text', text: '?' }]);
const step = stored('a1', 'q', 'assistant', [fetchCall('https://docs.example.com/a?b#c', 'A \u202egnp')]);
const end = stored('a2', 'a1', 'assistant', [{ type: 'text', text: 'so' }]);

describe('the sources of an answer', () => {
  it('stand under its last message, with a title in which nothing hides and the host', () => {
    const [first, last] = withSources([view('a1'), view('a2')], [asked, step, end]);
    assert.equal(first?.sources, undefined);
    assert.deepEqual(last?.sources, [
      { title: 'A ‹U+202E›gnp', host: 'docs.example.com', url: 'https://docs.example.com/a?b#c' },
    ]);
  });

  it('have their address where they have no title, and names of other scripts in letters of this one', () => {
    const untitled = stored('a1', 'q', 'assistant', [fetchCall('https://bücher.example:8443/x?y')]);
    const [last] = withSources([view('a2')], [asked, untitled, end]);
    const { title, host } = last?.sources?.[0] ?? assert.fail('there is one');
    assert.deepEqual([title, host], ['xn--bcher-kva.example:8443/x', 'xn--bcher-kva.example:8443']);
  });

  it('wait for the end of an answer that goes on, and not for one that was stopped', () => {
    const path = [asked, step];
    const going = view('a1', { parts: [toolPart, { type: 'nothing' }] });
    assert.equal(withSources([going], path)[0]?.sources, undefined);
    assert.equal(withSources([{ ...going, status: 'interrupted' }], path)[0]?.sources?.length, 1);
  });

  it('are found where the turn began above what is shown', async () => {
    const all = [
      asked,
      step,
      ...Array.from({ length: 120 }, (_, index) => `s${index}`).map((id, index, ids) =>
        stored(id, index === 0 ? 'a1' : (ids[index - 1] ?? null), 'assistant', [{ type: 'text', text: 'x' }]),
      ),
    ];
    const getPath: ReadonlyStore['getPath'] = (_chat, head, { limit = Infinity } = {}) => {
      const to = all.findIndex(({ id }) => id === head) + 1;
      return Promise.resolve(all.slice(Math.max(0, to - limit), to));
    };
    const shown = all.slice(-10);
    const before = await beginningOfTurn({ getPath } as ReadonlyStore, shown);
    assert.deepEqual(
      before.map(({ id }) => id),
      all.slice(0, -10).map(({ id }) => id),
    );
    const last = shown.at(-1)?.id ?? '';
    assert.equal(withSources([view(last)], [...before, ...shown])[0]?.sources?.length, 1);
    assert.deepEqual(await beginningOfTurn({ getPath } as ReadonlyStore, all), []);
  });
});
