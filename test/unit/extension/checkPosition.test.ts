import assert from 'node:assert/strict';
import {
  checkOpen,
  checkPosition,
  PositionChangedError,
} from '../../../src/extension/pages/checkPosition.ts';
import { chatFromPage } from '../../../src/protocol/chatFromPage.ts';

describe('the conversation that a page asks of', () => {
  const place = { chatId: 'c', branch: 'main' };
  const actual = { chatId: 'c', branch: 'main' };
  const ask = { type: 'sendMessage', text: 'Hello', place } as const;

  it('is the one that is open, or nothing is done', () => {
    checkPosition(ask, actual);
    assert.throws(() => checkPosition(ask, { ...actual, chatId: 'other' }), PositionChangedError);
    assert.throws(() => checkPosition(ask, { ...actual, branch: 'main-v2' }), PositionChangedError);
  });

  it('may be on another branch where a branch or an answer is named', () => {
    const stop = { type: 'stopAnswer', branch: 'main', place } as const;
    checkPosition(stop, { ...actual, branch: 'main-v2' });
    assert.throws(() => checkPosition(stop, { ...actual, chatId: 'other' }), PositionChangedError);
  });

  it('is asked of no store where an answer is named: one can be stopped while that is away', async () => {
    const away = (): Promise<never> => Promise.reject(new Error('away'));
    const open = (id: string) => () => Promise.resolve(id);
    const stop = { type: 'stopAnswer', branch: 'main', place } as const;
    await checkOpen(stop, open('c'), away);
    await checkOpen({ type: 'answerApproval', id: 'a', choice: 'deny', place }, open('c'), away);
    await assert.rejects(checkOpen(stop, open('other'), away), PositionChangedError);
    await assert.rejects(checkOpen(ask, open('c'), away), /away/);
    await checkOpen(ask, open('c'), () => Promise.resolve(actual));
  });

  it('is that of the answers where answers are shown', () => {
    const keep = {
      type: 'keepAlternative',
      branch: 'main',
      place: { chatId: 'c', questionId: 'q' },
    } as const;
    checkPosition(keep, { chatId: 'c', questionId: 'q' });
    assert.throws(() => checkPosition(keep, { chatId: 'c', questionId: 'r' }), PositionChangedError);
  });

  it('has to be named', () => {
    const { place: _named, ...unnamed } = ask;
    assert.equal(chatFromPage.safeParse(ask).success, true);
    assert.equal(chatFromPage.safeParse(unnamed).success, false);
    const version = { type: 'openVersion', messageId: 'm' };
    const command = { type: 'runCommandHere', command: 'rewindToHere', messageId: 'm' };
    for (const each of [version, command]) {
      assert.equal(chatFromPage.safeParse({ ...each, place }).success, true, each.type);
      assert.equal(chatFromPage.safeParse(each).success, false, each.type);
    }
  });

  it('is asked by no command but those that pages have', () => {
    const deletion = { type: 'runCommandHere', command: 'deleteBranch', place };
    assert.equal(chatFromPage.safeParse(deletion).success, false);
    assert.equal(chatFromPage.safeParse({ type: 'runCommand', command: 'deleteChat' }).success, false);
  });
});
