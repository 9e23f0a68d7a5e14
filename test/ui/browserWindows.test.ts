import assert from 'node:assert/strict';
import { answer, finish, lastQuestion, pause, say, type Script } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { BrowserStorage } from './support/browserStorage.ts';
import { ChatPage } from './support/chatPage.ts';
import { PickedFile } from './support/pickedFile.ts';
import { useChat } from './support/useChat.ts';
import type { Workbench } from './support/workbench.ts';
import { soon } from '../fixtures/soon.ts';

/** How long another window may take to write in the place of one that is gone, with all that the workbench shows. */
const TAKE_OVER_MS = 10_000;

const script: Script = (request) => {
  const question = lastQuestion(request);
  if (!question.startsWith('long')) return answer(`You said ${question}`);
  return [say(`${question} begins. `), pause(question), say('It ends.'), finish()];
};

describe('windows of VS Code without a server', function () {
  this.timeout(90_000);
  // High enough to show all that is said here.
  const use = useChat(script, { web: true, viewport: { width: 1280, height: 2_400 } });
  const storage = new BrowserStorage(() => use().workbench.page);
  const file = new PickedFile(() => use().workbench.page);
  const hint = 'These chats are kept in this browser';
  let other: Workbench;
  let second: ChatPage;

  const openOther = async (): Promise<void> => {
    other = await use().workbench.anotherWindow();
    second = new ChatPage(other);
    await other.openOffshoot();
  };
  /** Loads this window again: the other one, if there is one, then writes. */
  const reload = async (): Promise<void> => {
    await use().workbench.reload();
    await use().workbench.openOffshoot();
  };

  it('say once that the browser may delete what it keeps, and offer to export it', async () => {
    const { chat, workbench } = use();
    await file.use();
    for (const question of ['one', 'two']) await chat.ask(question);
    assert.ok(!(await workbench.notifications.texts()).some((text) => text.includes(hint)));
    await chat.ask('three');
    await workbench.notifications.find(hint);
    await workbench.screenshot('browser eviction hint');
    await workbench.notifications.press(hint, 'Export All');
    await workbench.notifications.find('Exported to');
    const exported = await file.text();
    for (const question of ['one', 'two', 'three']) assert.ok(exported.includes(`You said ${question}`));
    await workbench.notifications.clear();
  });

  it('share the conversations: each shows what the other asks, while it is answered', async () => {
    const { chat, server } = use();
    await openOther();
    await second.message('You said three').waitFor();
    const writer = await storage.writer();
    await second.ask('four');
    await chat.message('You said four').waitFor();
    await chat.send('long and live');
    await second.message('long and live begins').waitFor();
    await second.frame.getByText('Responding in another window…').waitFor();
    await server.pauseReached('long and live');
    server.release('long and live');
    await second.message('It ends.').waitFor();
    await second.answered(5);
    await chat.answered(5);
    await soon.deepEqual(() => second.texts(), await chat.texts());
    assert.equal(await storage.writer(), writer, 'one of them writes all the time');
  });

  for (const how of ['closed', 'crashed'] as const) {
    it(`write in the place of one that is ${how}, within ten seconds, and nothing said is lost`, async () => {
      const { chat, server } = use();
      if (how === 'crashed') await openOther();
      await reload();
      await second.message('You said four').waitFor();
      const before = await second.texts();
      await chat.shows(before);
      const writer = await storage.writer();
      const question = `long until ${how}`;
      await second.send(question);
      await server.pauseReached(question);
      await chat.message(`${question} begins`).waitFor();
      await storage.holds(`${question} begins`);
      const began = performance.now();
      if (how === 'closed') await other.page.close();
      else await other.crashWindow();
      await chat.answers.last().locator('.status.interrupted').waitFor();
      await chat.ask(`after it ${how}`);
      const took = performance.now() - began;
      assert.ok(took < TAKE_OVER_MS, `${took} ms`);
      const after = await chat.texts();
      assert.deepEqual(after.slice(0, before.length), before);
      const added = [question, `${question} begins.`, `after it ${how}`, `You said after it ${how}`];
      assert.deepEqual(after.slice(before.length), added);
      const now = await storage.writer();
      assert.ok(now !== undefined && now !== writer, 'this window writes');
    });
  }

  it('have what had arrived of an answer when they are loaded again, as an answer that was cut off', async () => {
    const { chat, server, workbench } = use();
    const before = await chat.texts();
    await chat.send('long until reload');
    await server.pauseReached('long until reload');
    await storage.holds('long until reload begins');
    const shown = await chat.texts();
    await reload();
    await chat.shows(shown);
    assert.deepEqual(shown.slice(0, before.length), before);
    const status = chat.answers.last().locator('.status.interrupted');
    await status.getByText('Partial response saved').waitFor();
    assert.equal(await chat.frame.locator('.status.streaming').count(), 0);
    // One more than it takes for the hint.
    for (const question of ['five', 'six', 'seven', 'eight']) await chat.ask(question);
    assert.equal((await chat.texts()).length, shown.length + 8);
    assert.ok(
      !(await workbench.notifications.texts()).some((text) => text.includes(hint)),
      'it was said once',
    );
  });

  it('write everything anew when the browser has deleted it, and say what to do', async () => {
    const { chat, workbench } = use();
    const before = await chat.texts();
    await storage.clear();
    const told = 'The stored conversations were removed';
    await chat.frame.locator('.banner.warning', { hasText: told }).waitFor();
    await workbench.screenshot('browser storage cleared');
    await file.use();
    await workbench.notifications.press(told, 'Export All');
    await workbench.notifications.find('Exported to');
    assert.ok((await file.text()).includes('You said eight'));
    await chat.ask('after it was deleted');
    // What VS Code kept is deleted as well: it opens as at first.
    await workbench.page.reload();
    await workbench.openOffshoot();
    await chat.shows([...before, 'after it was deleted', 'You said after it was deleted']);
    await until(
      async () => (await workbench.page.locator('.sidebar .monaco-list .codicon-loading').count()) === 0,
      'the tree to be at rest',
    );
    await workbench.screenshot('browser storage cleared, opened again');
  });
});
