import assert from 'node:assert/strict';
import { RenderingGuard } from '../../../src/extension/pages/renderingGuard.ts';

/** How long it takes a user to open a dead window again, in milliseconds. */
const REOPENED_MS = 2_000;

/** A window's life: the file stays, the guard is made anew. */
function windows(): {
  open: () => RenderingGuard;
  reload: () => RenderingGuard;
  wait: (ms: number) => void;
  file: { text?: string };
} {
  const file: { text?: string } = {};
  let now = 0;
  const fail = (error: unknown): never => {
    throw error;
  };
  const storage = {
    read: () => Promise.resolve(file.text),
    write: (text: string) => {
      file.text = text;
      return Promise.resolve();
    },
  };
  const reload = (): RenderingGuard => new RenderingGuard(storage, fail, () => now);
  const wait = (ms: number): void => void (now += ms);
  const open = (): RenderingGuard => {
    wait(REOPENED_MS);
    return reload();
  };
  return { file, wait, open, reload };
}

/** A page of a new window that begins to draw a chat. */
async function begin(open: () => RenderingGuard, chatId = 'c'): Promise<[RenderingGuard, boolean]> {
  const guard = open();
  await guard.begins('chat');
  return [guard, await guard.draws('chat', chatId)];
}

describe('the guard of pages', () => {
  it('has a chat drawn as plain text after two pages in a row did not survive it, and says so before a third does', async () => {
    const { open } = windows();
    assert.equal((await begin(open))[1], false);
    assert.equal((await begin(open))[1], false);
    assert.equal((await begin(open))[1], true);
    assert.equal((await begin(open))[1], true, 'a plain page is no proof');
  });

  it('has noted what is drawn by the time it is drawn', async () => {
    const { open, file } = windows();
    await open().draws('chat', 'c');
    assert.match(file.text ?? '', /"drawing":\{"chat":\{"chatId":"c",/);
  });

  it('forgets a page that died once the next one has survived', async () => {
    const { open } = windows();
    await begin(open);
    const [guard] = await begin(open);
    await guard.drawn('chat', 'c');
    assert.equal((await begin(open))[1], false);
    assert.equal((await begin(open))[1], false);
  });

  it('counts no page that is hidden or closed in time, but one that was silent for long', async () => {
    const { open, wait } = windows();
    for (let time = 0; time < 3; time += 1) {
      const [guard, isPlain] = await begin(open);
      assert.equal(isPlain, false);
      await guard.ends('chat');
    }
    for (let time = 0; time < 2; time += 1) {
      const [guard, isPlain] = await begin(open);
      assert.equal(isPlain, false);
      wait(10_000);
      await guard.ends('chat');
    }
    assert.equal((await begin(open))[1], true);
  });

  it('takes a page for reloaded that is followed by another before anybody could react', async () => {
    const { reload } = windows();
    for (let time = 0; time < 5; time += 1) assert.equal((await begin(reload))[1], false);
  });

  it('counts each chat alone, and what is drawn of another does not speak for it', async () => {
    const { open } = windows();
    await begin(open);
    const [guard] = await begin(open);
    await guard.drawn('chat', 'other');
    assert.equal((await begin(open, 'other'))[1], false);
    await (await begin(open, 'other'))[0].drawn('chat', 'other');
    assert.equal(await open().draws('tries q', 'c'), true);
  });

  it('draws a chat in full again when asked, and plain again when the page dies of it once more', async () => {
    const { open } = windows();
    await begin(open);
    await begin(open);
    const [guard] = await begin(open);
    await guard.renderAgain('c');
    assert.equal(await guard.draws('chat', 'c'), false);
    assert.equal((await begin(open))[1], true);
  });

  it('shows chats all the same where nothing can be kept', async () => {
    const errors: unknown[] = [];
    const broken = (): Promise<never> => Promise.reject(new Error('No room.'));
    const guard = new RenderingGuard({ read: broken, write: broken }, (error) => errors.push(error));
    await guard.begins('chat');
    assert.equal(await guard.draws('chat', 'c'), false);
    assert.equal(errors.length, 2);
  });
});
