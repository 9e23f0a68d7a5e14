import assert from 'node:assert/strict';
import { pagesOfTurns, type TurnMessage } from '../../../src/engine/fetchedPages.ts';

const call = (page: unknown, more: object = {}): object => ({
  type: 'tool-fetch_page',
  toolCallId: 'c',
  state: 'output-available',
  input: { url: 'x' },
  output: { text: 'x', details: { page } },
  ...more,
});
const fetched = (path: string): object =>
  call({ url: `https://docs.example.com/${path}`, title: path.toUpperCase() });
const text = { type: 'text', text: 'so' };

const turn = (...messages: readonly (readonly object[])[]): TurnMessage[] =>
  messages.map((parts, index) => ({
    id: `${messages.length}.${index}`,
    data: { id: `${index}`, role: index === 0 ? 'user' : 'assistant', parts },
    isUserTurn: index === 0,
  }));

const found = (path: readonly TurnMessage[]): Record<string, string[]> =>
  Object.fromEntries(
    [...pagesOfTurns(path)].map(([id, pages]) => [id, pages.map(({ url }) => url.slice(25))]),
  );

describe('the web pages of a turn', () => {
  it('stand with the message it ends with, each once and in order', () => {
    const path = [
      ...turn([text], [fetched('b'), fetched('a')], [fetched('b'), fetched('c')], [text]),
      ...turn([text], [text]),
      ...turn([text], [text, fetched('a')], [text]),
    ];
    assert.deepEqual(found(path), { '4.3': ['b', 'a', 'c'], '3.2': ['a'] });
  });

  it('are those that result from calls of ours, and lead to the web', () => {
    const page = { url: 'https://docs.example.com/a', title: 'A' };
    for (const part of [
      call(page, { type: 'dynamic-tool', toolName: 'fetch_page' }),
      call(page, { state: 'output-error', errorText: 'x' }),
      call(page, { type: 'tool-fetch_pages' }),
      call(page, { output: 'text' }),
      call(page, { output: { text: 'x', page } }),
      call(undefined),
      call({ ...page, title: 1 }),
      call({ ...page, title: 'x'.repeat(301) }),
      call({ ...page, url: 'javascript:alert(1)' }),
      call({ ...page, url: 'command:workbench.action.quit' }),
      call({ ...page, url: 'file:///etc/passwd' }),
      call({ ...page, url: `https://docs.example.com/${'x'.repeat(4_000)}` }),
      call({ ...page, url: '' }),
      null,
      'tool-fetch_page',
      { type: 'tool-fetch_page' },
    ]) {
      assert.deepEqual(found(turn([text], [part as object], [text])), {}, JSON.stringify(part));
    }
    assert.deepEqual(found([{ id: 'x', data: null, isUserTurn: false }]), {});
    assert.deepEqual(found([{ id: 'x', data: { parts: 'y' }, isUserTurn: false }]), {});
  });
});
