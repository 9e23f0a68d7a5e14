import assert from 'node:assert/strict';
import { PassingNotes, RenderingGuard } from '../../../src/webview/state/renderingGuard.ts';

/** What a browser keeps, and the pages that come and go. */
class Browser {
  readonly notes = new PassingNotes();
  readonly alive = new Set<string>();
  readonly failures: unknown[] = [];
  private count = 0;

  open(): { guard: RenderingGuard; die: () => void } {
    this.count += 1;
    const id = `page ${this.count}`;
    this.alive.add(id);
    const guard = new RenderingGuard(
      this.notes,
      id,
      (page) => this.alive.has(page),
      (error) => this.failures.push(error),
    );
    return { guard, die: () => this.alive.delete(id) };
  }

  /** A page that begins to draw a chat and does not survive it. */
  kill(chatId: string): void {
    const { guard, die } = this.open();
    guard.begin(chatId);
    die();
  }
}

describe('the guard of pages', () => {
  it('has a chat drawn as plain text after two pages in a row did not survive it', () => {
    const browser = new Browser();
    browser.kill('c');
    assert.equal(browser.open().guard.isPlain('c'), false);
    browser.kill('c');
    const { guard } = browser.open();
    assert.equal(guard.isPlain('c'), true);
    assert.equal(guard.isPlain('another'), false);
    assert.equal(browser.open().guard.isPlain('c'), true, 'a plain page is no proof');
  });

  it('takes no page for dead that was left while it drew, however often', () => {
    const browser = new Browser();
    for (let time = 0; time < 5; time += 1) {
      const { guard, die } = browser.open();
      assert.equal(guard.isPlain('c'), false);
      guard.begin('c');
      guard.leave();
      die();
    }
    assert.deepEqual(browser.notes.names(), []);
  });

  it('takes no page for dead that draws in another window', () => {
    const browser = new Browser();
    browser.open().guard.begin('c');
    browser.open().guard.begin('c');
    const third = browser.open();
    assert.equal(third.guard.isPlain('c'), false);
    assert.equal(browser.notes.names().length, 2, 'the notes of the living stay');
  });

  it('forgets the pages that died once one has survived', () => {
    const browser = new Browser();
    browser.kill('c');
    const { guard, die } = browser.open();
    guard.begin('c');
    guard.end();
    die();
    browser.kill('c');
    assert.equal(browser.open().guard.isPlain('c'), false);
  });

  it('counts a page that dies while more of an answer comes in, after it had drawn the beginning', () => {
    const browser = new Browser();
    for (let time = 0; time < 2; time += 1) {
      const { guard, die } = browser.open();
      guard.begin('other');
      guard.end();
      guard.begin('c');
      die();
    }
    assert.equal(browser.open().guard.isPlain('c'), true);
  });

  it('draws a chat in full again when it is asked to, and has it plain again when one more page dies', () => {
    const browser = new Browser();
    browser.kill('c');
    browser.kill('c');
    const { guard, die } = browser.open();
    guard.renderAgain('c');
    assert.equal(guard.isPlain('c'), false);
    guard.begin('c');
    die();
    assert.equal(browser.open().guard.isPlain('c'), true);
  });

  it('keeps the deaths of a hundred chats at most', () => {
    const browser = new Browser();
    for (let index = 0; index < 120; index += 1) {
      browser.kill(`c${index}`);
      browser.kill(`c${index}`);
    }
    const { guard } = browser.open();
    const plain = Array.from({ length: 120 }, (_, index) => guard.isPlain(`c${index}`));
    assert.deepEqual(plain, [...Array<boolean>(20).fill(false), ...Array<boolean>(100).fill(true)]);
  });

  it('goes on without what it cannot read or write', () => {
    const browser = new Browser();
    browser.notes.write('offshoot.died', '{"c": "twice"}');
    assert.equal(browser.open().guard.isPlain('c'), false);
    assert.equal(browser.failures.length, 1);
    const full = new RenderingGuard(
      Object.assign(new PassingNotes(), {
        write: () => {
          throw new Error('full');
        },
      }),
      'page',
      () => false,
      (error) => browser.failures.push(error),
    );
    guardedDrawing(full);
    assert.equal(browser.failures.length, 3);
  });
});

function guardedDrawing(guard: RenderingGuard): void {
  guard.begin('c');
  guard.end();
}
