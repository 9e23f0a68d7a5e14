import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { demoAnswer } from '../../../src/models/demo/demoAnswers.ts';

/** What an empty chat suggests, in the language of the interface. */
async function suggestions(): Promise<string[]> {
  const source = await readFile('src/webview/components/emptyState.tsx', 'utf8');
  const [, list = ''] = /const examples = \[(.*?)\];/s.exec(source) ?? [];
  return [...list.matchAll(/t\('(.*?)'\)/g)].map(([, text = '']) => text);
}

const ask = (question: string, attempt = 1): string => demoAnswer({ questions: [question], attempt }).text;

describe('the questions that an empty chat suggests', () => {
  it('have answers of their own in each language of the interface, and are labelled as the demo', async () => {
    const texts = await suggestions();
    assert.equal(texts.length, 3);
    const chinese = JSON.parse(await readFile('l10n/bundle.l10n.zh-cn.json', 'utf8')) as Record<
      string,
      string
    >;
    for (const text of [...texts, ...texts.map((each) => chinese[each] ?? '')]) {
      assert.doesNotMatch(ask(text), /This is question 1/, text);
      assert.match(ask(text), /\*Demo answer\./);
      assert.ok(ask(text).length > 500, text);
    }
  });

  it('read differently when they are asked again, and are ordinary questions after that', async () => {
    for (const text of await suggestions()) {
      assert.notEqual(ask(text, 2), ask(text, 1));
      assert.doesNotMatch(ask(text, 2), /This is question 1/);
      assert.match(ask(text, 3), /This is question 1/);
    }
    assert.match(ask('constructor'), /This is question 1/);
  });
});
