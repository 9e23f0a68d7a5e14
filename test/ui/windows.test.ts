import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { until } from '../fixtures/until.ts';
import { ChatPage } from './support/chatPage.ts';
import { step } from './support/step.ts';
import { useWorkbench } from './support/useWorkbench.ts';
import type { Workbench } from './support/workbench.ts';

const lockSchema = z.object({ pid: z.number() });

/** The extension host that writes, and in which folders there is a database. */
async function storageOf({ dataDir }: Workbench): Promise<{ writer: number; folders: string[] }> {
  const files = await readdir(dataDir, { recursive: true });
  const folders = files
    .filter((file) => path.basename(file) === 'offshoot.db')
    .map((file) => path.dirname(file));
  const lock = path.join(dataDir, folders[0] ?? '', 'offshoot.db.lock');
  return { writer: lockSchema.parse(JSON.parse(await readFile(lock, 'utf8'))).pid, folders };
}

describe('several windows of one folder', () => {
  // Sums have short answers: of a long chat, a page draws only a part.
  const workbench = useWorkbench({ ownServer: true, settings: { 'offshoot.demo.pace': 10 } });
  let first: ChatPage;
  let second: ChatPage;
  let other: Workbench;

  before('open two windows', async function () {
    this.timeout(180_000);
    first = new ChatPage(workbench());
    await workbench().openOffshoot();
    await first.ask('1 + 1');
    other = await workbench().anotherWindow();
    second = new ChatPage(other);
    await other.openOffshoot();
    await second.message('1 + 1').waitFor();
  });

  it('chat at once, each with all that is said in the other and how far it has come', async function () {
    this.timeout(180_000);
    assert.equal(await second.frame.locator('.banner.warning').count(), 0);
    await second.ask('2 + 2');
    await first.message('2 + 2').waitFor();
    await first.ask('3 + 3');
    await second.message('3 + 3').waitFor();
    await until(
      async () => (await first.texts()).join() === (await second.texts()).join(),
      'both to show the same',
    );
    assert.equal((await storageOf(workbench())).folders.length, 1);

    await step('what is sent while another window writes an answer is queued', async () => {
      const before = await second.texts();
      await first.send('slow');
      await second.frame.getByText('Responding in another window…').waitFor();
      await until(async () => (await second.texts()).length === before.length + 2, 'its first words');
      assert.equal(await second.frame.getByRole('button', { name: 'Stop', exact: true }).count(), 0);
      await second.send('4 + 4');
      await second.openPanel('queue');
      await second.frame.locator('.queued', { hasText: '4 + 4' }).waitFor();
      for (const chat of [first, second]) {
        await until(async () => (await chat.texts()).length === before.length + 4, 'both answers', 60_000);
        assert.ok((await chat.texts()).includes('4 + 4'));
      }
      await second.answered((before.length + 4) / 2);
    });
  });

  it('lose nothing when the one that writes is killed, nor when the browser is while its host lives on', async function () {
    this.timeout(180_000);
    await step('the other goes on in the place of the one that was killed', async () => {
      const before = await second.texts();
      const { writer } = await storageOf(workbench());
      process.kill(writer, 'SIGKILL');
      await second.ask('5 + 5');
      const after = await second.texts();
      assert.deepEqual(after.slice(0, before.length), before);
      assert.equal(after.length, before.length + 2);
      assert.notEqual((await storageOf(workbench())).writer, writer);
    });

    await step('a window that was killed is there again within ten seconds', async () => {
      const before = await second.texts();
      const { writer } = await storageOf(workbench());
      const reopened = await other.lose();
      const began = performance.now();
      await reopened.openOffshoot();
      const chat = new ChatPage(reopened);
      await chat.message('5 + 5').waitFor();
      assert.ok(performance.now() - began < 10_000, `${performance.now() - began} ms`);
      await chat.ask('6 + 6');
      assert.deepEqual((await chat.texts()).slice(0, before.length), before);
      // VS Code keeps the host of the lost window, which writes for the new one.
      assert.equal((await storageOf(workbench())).writer, writer);
      assert.equal((await storageOf(workbench())).folders.length, 1);
    });
  });
});
