import assert from 'node:assert/strict';
import { checkPlace, PlaceChangedError } from '../../../src/extension/pages/checkPosition.ts';
import { chatFromPage } from '../../../src/protocol/chatFromPage.ts';

describe('the conversation that a page asks of', () => {
  const place = { chatId: 'c', branch: 'main' };
  const actual = { chatId: 'c', branch: 'main' };
  const ask = { type: 'sendMessage', text: 'Hello', place } as const;

  it('is the one that is open, or nothing is done', () => {
    checkPlace(ask, actual);
    assert.throws(() => checkPlace(ask, { ...actual, chatId: 'other' }), PlaceChangedError);
    assert.throws(() => checkPlace(ask, { ...actual, branch: 'main-v2' }), PlaceChangedError);
  });

  it('may be on another branch where a branch or an answer is named', () => {
    const stop = { type: 'stopAnswer', branch: 'main', place } as const;
    checkPlace(stop, { ...actual, branch: 'main-v2' });
    assert.throws(() => checkPlace(stop, { ...actual, chatId: 'other' }), PlaceChangedError);
  });

  it('is that of the answers where answers are shown', () => {
    const keep = { type: 'keepTry', branch: 'main', place: { chatId: 'c', questionId: 'q' } } as const;
    checkPlace(keep, { chatId: 'c', questionId: 'q' });
    assert.throws(() => checkPlace(keep, { chatId: 'c', questionId: 'r' }), PlaceChangedError);
  });

  it('has to be named', () => {
    const { place: _named, ...unnamed } = ask;
    assert.equal(chatFromPage.safeParse(ask).success, true);
    assert.equal(chatFromPage.safeParse(unnamed).success, false);
    for (const type of ['rewindTo', 'regenerate', 'copyMessage', 'openVersion'] as const)
      assert.equal(chatFromPage.safeParse({ type, messageId: 'm' }).success, false, type);
  });
});
