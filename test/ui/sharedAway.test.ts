import assert from 'node:assert/strict';
import { readUIMessage, textOf } from '../../src/engine/uiMessage.ts';
import { PostgresContextStore } from '../../src/postgres/postgresContextStore.ts';
import { asAdmin, databases } from '../fixtures/postgres/databases.ts';
import { until } from '../fixtures/until.ts';
import { useSharedChat } from './support/useSharedChat.ts';
import { soon } from '../fixtures/soon.ts';

describe('a shared store whose server goes away', () => {
  const { use, postgres, url } = useSharedChat();
  after('give the database back', () => databases.giveBack(url()));

  const said = [
    ...['before', 'You said before', 'slowly', 'First words and the rest.'],
    ...['and on', 'You said and on'],
  ];

  const connected = (): Promise<void> =>
    use()
      .workbench.page.locator('.statusbar-item', { hasText: 'ana on localhost' })
      .waitFor({ timeout: 45_000 });

  /** What the database holds, branch by branch. */
  async function stored(): Promise<string[][]> {
    const store = new PostgresContextStore({ connectionString: url() });
    try {
      const [chat] = await store.listChats();
      assert.ok(chat);
      const branches = await store.listBranches(chat.id);
      return await Promise.all(
        branches.map(async ({ headMessageId }) => {
          const path = headMessageId === null ? [] : await store.getPath(chat.id, headMessageId);
          return path.flatMap(({ data }) => textOf(readUIMessage(data) ?? { parts: [] }) || []);
        }),
      );
    } finally {
      await store.close();
    }
  }

  it('keeps the answer that was on its way, says that it is not saved, and saves it when the server is back', async function () {
    this.timeout(120_000);
    const { workbench: ana, chat, server } = use();
    await ana.tree.open();
    await chat.ask('before');
    await chat.send('slowly');
    await server.pauseReached();
    await chat.message('First words').waitFor();
    await postgres().kill();
    await chat.frame.getByText('The connection to localhost is lost.').waitFor();
    assert.equal(await chat.message('First words').count(), 1);
    server.release();

    const kept = chat.message('First words and the rest.');
    await kept.locator('.status.unsaved', { hasText: 'Not saved yet' }).waitFor();
    await ana.screenshot('shared an answer that is kept');
    await kept.getByRole('button', { name: 'Copy' }).click();
    await until(async () => (await ana.clipboard()) === 'First words and the rest.', 'it to be copied');
    await kept.getByRole('button', { name: 'Save Again' }).click();
    await chat.frame.locator('.banner.error', { hasText: 'The shared store can’t be reached.' }).waitFor();
    await kept.locator('.status.unsaved').waitFor();

    const conversation = chat.frame.locator('.conversation');
    await conversation.evaluate((element: HTMLElement) => {
      const look = (): void => {
        const isThere = element.textContent.includes('First words and the rest.');
        if (!isThere) element.dataset['missed'] = 'yes';
      };
      new MutationObserver(look).observe(element, { childList: true, subtree: true, characterData: true });
    });
    // Still in vain, and from here on it is tried often again.
    await chat.frame.getByRole('button', { name: 'Try Now' }).click();
    await postgres().start();
    await connected();
    await kept.locator('.status.unsaved').waitFor({ state: 'detached' });
    await chat.ask('and on');
    await chat.shows(said);
    assert.equal(
      await conversation.getAttribute('data-missed'),
      null,
      'the answer was in sight all the time',
    );
    assert.deepEqual(await stored(), [said]);
  });

  it('is waited for by a window that starts meanwhile, which says what can be done', async function () {
    this.timeout(120_000);
    const { workbench: ana, chat, server } = use();
    await chat.send('slowly again');
    await server.pauseReached();
    await postgres().kill();
    await chat.frame.getByText('The connection to localhost is lost.').waitFor();
    server.release();
    await chat.frame.locator('.message .status.unsaved').waitFor();
    await ana.reloadByCommand();
    await ana.openOffshoot();
    const refusal = chat.frame.locator('.refusal', { hasText: 'The shared store can’t be reached.' });
    await refusal.waitFor();
    const welcome = ana.page.locator('.sidebar .welcome-view', {
      hasText: 'The shared store can’t be opened.',
    });
    await welcome.getByRole('button', { name: 'Use Local Chats…' }).waitFor();
    await ana.page.locator('.statusbar-item', { hasText: 'Reconnecting in' }).waitFor();
    await ana.screenshot('shared a window that starts without its server');
    await refusal.getByRole('button', { name: 'Use Local Chats…' }).click();
    await soon.match(() => ana.dialog.message(), /Disconnect from the shared store\?/);
    await ana.dialog.press('Cancel');
    await refusal.getByRole('button', { name: 'Try Again' }).click();
    await ana.notifications.find('The shared store on localhost can’t be opened.');
    // An open list of them would take the next Escape.
    await ana.notifications.clear();

    await postgres().start();
    await connected();
    await ana.tree.row('before').waitFor();
    await refusal.waitFor({ state: 'detached' });
    // What the window before could not save is there as well, whole.
    const all = [...said, 'slowly again', 'First words and the rest.'];
    await chat.shows(all);
    assert.deepEqual(await stored(), [all]);
  });

  it('is only read where it is a copy that serves nothing else, which is said where one would write', async function () {
    this.timeout(120_000);
    const { workbench: ana, chat } = use();
    const name = url().slice(url().lastIndexOf('/') + 1);
    /** Every window has to connect anew. */
    const alter = (change: string): Promise<unknown> =>
      asAdmin(postgres(), 'postgres', async (client) => {
        await client.query(`ALTER DATABASE ${name} ${change}`);
        await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
          name,
        ]);
      });
    await alter('SET default_transaction_read_only = on');
    await chat.frame
      .locator('.limit', { hasText: 'localhost is a read-only copy of the shared store' })
      .waitFor();
    await until(() => chat.input.isDisabled(), 'the input to be closed');
    await soon.equal(() => chat.input.getAttribute('placeholder'), 'Read-only copy of the shared store');
    await chat.message('You said and on').hover();
    const rewind = chat.message('You said and on').getByRole('button', { name: 'Rewind to here' });
    await soon.equal(() => rewind.isDisabled(), true);
    await ana.screenshot('shared a read-only copy');
    // Presence and drafts would be written: nothing of that may cost the connection.
    await ana.tree.row('before').waitFor();
    await ana.page.keyboard.press('F1');
    await ana.quickInput.type('>Offshoot: Copy');
    await ana.quickInput.row('Offshoot: Copy Chat to Local Chats').waitFor();
    assert.equal(await ana.quickInput.row('Offshoot: Copy Local Chats to the Shared Store…').count(), 0);
    await ana.quickInput.dismiss();

    await alter('RESET default_transaction_read_only');
    await until(() => chat.input.isEnabled(), 'the input to be open');
    await chat.ask('and written to');
  });
});
