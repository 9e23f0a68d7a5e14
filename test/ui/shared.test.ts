import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { readUIMessage, textOf } from '../../src/engine/uiMessage.ts';
import { PostgresContextStore } from '../../src/store/postgres/postgresContextStore.ts';
import { asAdmin, databases } from '../fixtures/postgres/databases.ts';
import { until } from '../fixtures/until.ts';
import { ChatPage } from './support/chatPage.ts';
import { pastePicture } from './support/pastePicture.ts';
import { useSharedChat } from './support/useSharedChat.ts';
import { Workbench } from './support/workbench.ts';
import { soon } from '../fixtures/soon.ts';

/** The row of a chat or a branch whose text says something. */
async function row(workbench: Workbench, label: string, says: string): Promise<void> {
  await until(
    async () =>
      (await workbench.tree.rows()).some(
        (each) => each.label.includes(label) && each.description.includes(says),
      ),
    `the row ${label} to say ${says}`,
    20_000,
  ).catch(async (cause: unknown) => {
    throw new Error(`The rows are ${JSON.stringify(await workbench.tree.rows())}`, { cause });
  });
}

describe('a store that two people share', () => {
  const { use, postgres, url } = useSharedChat('bob');
  let bob: Workbench;

  const connected = (window: Workbench, who: string): Promise<void> =>
    window.page.locator('.statusbar-item', { hasText: `${who} on localhost` }).waitFor({ timeout: 45_000 });

  /** What the database holds of the chat with this title, branch by branch. */
  async function stored(title: string): Promise<string[][]> {
    const store = new PostgresContextStore({ connectionString: url() });
    try {
      const chat = (await store.listChats()).find((each) => each.title === title);
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

  /** Asks in a new chat of Ana's. */
  const begin = async (question: string): Promise<void> => {
    const { chat, workbench } = use();
    await workbench.runCommand('offshoot.newChat');
    await chat.frame.getByText('A conversation that branches').waitFor();
    await chat.ask(question);
  };
  const dismissFailure = async (): Promise<void> => {
    const banner = use().chat.frame.locator('.banner.error', {
      hasText: 'The shared store can’t be reached.',
    });
    await banner.getByRole('button', { name: 'Dismiss' }).click();
    await banner.waitFor({ state: 'detached' });
  };
  const hasChat = async (title: string): Promise<boolean> =>
    (await bob.tree.rows()).some(({ label }) => label === title);

  before('open the window of the other', async function () {
    this.timeout(90_000);
    const { server } = use();
    bob = await Workbench.open({
      settings: {
        'offshoot.sharedStore.address': url('bob'),
        'offshoot.openaiCompatible.baseUrl': server.baseUrl,
        'offshoot.openaiCompatible.model': 'test-model',
      },
    });
    await bob.openOffshoot();
    await bob.tree.open();
    await use().workbench.tree.open();
  });
  afterEach('keep what tells of a failure', async function () {
    const test = this.currentTest;
    if (test?.state === 'failed') await bob.keepEvidence(`${test.fullTitle()} bob`);
  });
  after('close the window of the other', async () => bob.close());
  after('give the database back', () => databases.giveBack(url()));

  it('shows each what the other says and where they are, as far as it is shared', async function () {
    this.timeout(180_000);
    const { workbench: ana, chat, server } = use();
    await begin('a plan for all of us');
    await connected(ana, 'ana');
    await connected(bob, 'bob');
    assert.equal(await hasChat('a plan for all of us'), false);

    await ana.runCommand('offshoot.shareChat');
    await ana.quickInput.choose('Shared to Write');
    await row(ana, 'a plan for all of us', 'shared to write');
    await row(bob, 'a plan for all of us', 'ana');
    await bob.tree.row('a plan for all of us').click();
    const other = new ChatPage(bob);
    await other.message('You said a plan for all of us').waitFor();
    await row(ana, 'a plan for all of us', 'bob is here');
    await row(bob, 'a plan for all of us', 'ana is here');
    await chat.frame.locator('.people .on-branch').waitFor();

    // Only the first words have come.
    await chat.send('slowly');
    await server.pauseReached();
    await other.message('First words').waitFor();
    await other.frame.getByText('Responding to ana…').waitFor();
    server.release();
    await other.message('First words and the rest.').waitFor();
    await other.answered(2);

    await other.ask('a question of Bob');
    await chat.message('You said a question of Bob').waitFor();
    await chat.frame.locator('.asked-by', { hasText: 'bob' }).waitFor();

    // Each stays on the branch they chose.
    const question = other.message('a question of Bob');
    await question.hover();
    await question.getByRole('button', { name: 'Edit' }).click();
    await other.frame.locator('.edit-box textarea').fill('another way');
    await other.frame.locator('.edit-box textarea').press('Enter');
    await other.message('You said another way').waitFor();
    await row(ana, 'another way', 'bob is here');
    await chat.message('You said a question of Bob').waitFor();

    // Shared to read it cannot be written to; private it is its owner's alone.
    await ana.runCommand('offshoot.shareChat');
    await ana.quickInput.choose('Shared to Read');
    await row(bob, 'a plan for all of us', 'read-only');
    await until(() => other.input.isDisabled(), 'the input to be closed');
    await soon.equal(
      () => other.input.getAttribute('placeholder'),
      'ana shares this chat to read. Copy it to go on by yourself.',
    );
    await ana.runCommand('offshoot.shareChat');
    await ana.quickInput.choose('Private');
    await until(async () => !(await hasChat('a plan for all of us')), 'the chat to be gone');
    await other.frame.locator('.empty').waitFor();
  });

  it('says where the files of a branch are on the machine of the other, and asks nothing there', async function () {
    this.timeout(120_000);
    const { workbench: ana, chat } = use();
    const title = 'a plan with files of its own';
    await begin(title);
    await ana.runCommand('offshoot.shareChat');
    await ana.quickInput.choose('Shared to Write');
    await row(bob, title, 'ana');
    await ana.tree.pick(title, ['Open In', 'Files', 'Work in Its Own Files']);
    await row(ana, title, 'own files');
    // Each window has a storage folder of its own, as each machine has.
    await row(bob, title, 'files not on this machine');
    await bob.tree.row(title).click();
    const other = new ChatPage(bob);
    await other.message(`You said ${title}`).waitFor();
    await other.frame.getByRole('button', { name: 'files not on this machine' }).waitFor();
    await other.send('and now?');
    await other.frame.getByText('The files of this branch are not on this machine.').first().waitFor();
    await chat.ask('and now?');
    await row(ana, title, 'own files');
  });

  it('says when its server is gone, keeps what was read, queues nothing, and goes on when it is back', async function () {
    this.timeout(120_000);
    const { workbench: ana, chat } = use();
    await begin('a plan that outlasts its server');
    await ana.runCommand('offshoot.shareChat');
    await ana.quickInput.choose('Shared to Write');
    await row(bob, 'a plan that outlasts its server', 'ana');
    await bob.tree.click('a plan that outlasts its server');
    await new ChatPage(bob).message('You said a plan that outlasts').waitFor();
    const before = await chat.texts();
    const rows = (await ana.tree.rows()).map(({ label }) => label);
    await postgres().kill();
    for (const each of [chat, new ChatPage(bob)]) {
      await each.frame.getByText('The connection to localhost is lost.').waitFor();
    }
    await ana.page.locator('.statusbar-item', { hasText: 'Reconnecting in' }).waitFor();
    assert.deepEqual(await chat.texts(), before);
    assert.deepEqual(
      (await ana.tree.rows()).map(({ label }) => label),
      rows,
    );
    await chat.send('into the void');
    await dismissFailure();
    await until(
      async () => (await chat.input.inputValue()) === 'into the void',
      'what was typed to be there',
    );
    await postgres().start();
    await connected(ana, 'ana');
    await chat.frame.getByText('The connection to localhost is lost.').waitFor({ state: 'detached' });
    assert.deepEqual(await chat.texts(), before);
    await chat.ask('it is back');
    await connected(bob, 'bob');
    await row(bob, 'a plan that outlasts its server', 'ana is here');
  });

  it('keeps the answer that was on its way, says that it is not saved, and saves it when the server is back', async function () {
    this.timeout(120_000);
    const { workbench: ana, chat, server } = use();
    await begin('before it went');
    await chat.send('slowly');
    await server.pauseReached();
    await chat.message('First words').waitFor();
    await postgres().kill();
    await chat.frame.getByText('The connection to localhost is lost.').waitFor();
    assert.equal(await chat.message('First words').count(), 1);
    server.release();

    const kept = chat.message('First words and the rest.');
    await kept.locator('.status.unsaved', { hasText: 'Not saved yet' }).waitFor();
    await kept.getByRole('button', { name: 'Copy' }).click();
    await until(async () => (await ana.clipboard()) === 'First words and the rest.', 'it to be copied');
    await kept.getByRole('button', { name: 'Save Again' }).click();
    await dismissFailure();
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
    await connected(ana, 'ana');
    await kept.locator('.status.unsaved').waitFor({ state: 'detached' });
    await chat.ask('and on');
    const said = [
      ...['before it went', 'You said before it went', 'slowly', 'First words and the rest.'],
      ...['and on', 'You said and on'],
    ];
    await chat.shows(said);
    assert.equal(await conversation.getAttribute('data-missed'), null, 'the answer was visible all the time');
    assert.deepEqual(await stored('before it went'), [said]);
  });

  it('is waited for by a window that starts without it, which says what can be done', async function () {
    this.timeout(120_000);
    const { workbench: ana, chat, server } = use();
    await begin('before the window');
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
    await refusal.getByRole('button', { name: 'Use Local Chats…' }).click();
    await soon.match(() => ana.dialog.message(), /Disconnect from the shared store\?/);
    await ana.dialog.press('Cancel');
    await refusal.getByRole('button', { name: 'Try Again' }).click();
    await ana.notifications.find('The shared store on localhost can’t be opened.');
    // An open list of them would take the next Escape.
    await ana.notifications.clear();

    await postgres().start();
    await connected(ana, 'ana');
    await ana.tree.row('before the window').waitFor();
    await refusal.waitFor({ state: 'detached' });
    // What the window before could not save is there as well, whole.
    const all = [
      ...['before the window', 'You said before the window'],
      ...['slowly again', 'First words and the rest.'],
    ];
    await chat.shows(all);
    assert.deepEqual(await stored('before the window'), [all]);
  });

  it('is only read where it is a copy that serves nothing else, which is said where one would write', async function () {
    this.timeout(120_000);
    const { workbench: ana, chat } = use();
    await begin('before the copy');
    const name = url().slice(url().lastIndexOf('/') + 1);
    /** Every window has to connect again. */
    const alter = (change: string): Promise<unknown> =>
      asAdmin(postgres(), 'postgres', async (client) => {
        await client.query(`ALTER DATABASE ${name} ${change}`);
        await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
          name,
        ]);
      });
    await alter('SET default_transaction_read_only = on');
    await chat.openPanel('notices');
    await chat.frame
      .locator('.banner', { hasText: 'localhost is a read-only copy of the shared store' })
      .waitFor();
    await until(() => chat.input.isDisabled(), 'the input to be closed');
    await soon.equal(() => chat.input.getAttribute('placeholder'), 'Read-only copy of the shared store');
    await chat.message('You said before the copy').hover();
    const rewind = chat.message('You said before the copy').getByRole('button', { name: 'Rewind to here' });
    await soon.equal(() => rewind.isDisabled(), true);
    // Presence and drafts would be written: nothing of that may cost the connection.
    await ana.tree.row('before the copy').waitFor();
    await ana.runCommand('offshoot.showSharedStore');
    await ana.quickInput.row('Copy This Chat to the Local Chats').waitFor();
    assert.equal(await ana.quickInput.row('Move This Chat to the Local Chats…').count(), 0);
    await ana.quickInput.dismiss();

    await alter('RESET default_transaction_read_only');
    await until(() => chat.input.isEnabled(), 'the input to be open');
    await chat.ask('and written to');
  });

  it('is left for the chats of this machine, and connected to again, with what is wrong said clearly', async function () {
    this.timeout(120_000);
    const shown = bob.page.locator('.statusbar-item', { hasText: 'bob on localhost' });
    const local = new ChatPage(bob);
    const another = ['on another branch', 'You said on another branch'];
    await bob.runCommand('offshoot.disconnectSharedStore');
    await bob.dialog.press('Disconnect');
    await shown.waitFor({ state: 'detached' });
    await bob.openOffshoot();
    await local.frame.getByText('A conversation that branches').waitFor();
    await local.input.focus();
    await pastePicture(bob);
    await local.frame.locator('.tray-item img').waitFor();
    await local.ask('on this machine');
    await bob.runCommand('offshoot.createCheckpoint');
    await bob.quickInput.answer('a good point');
    await bob.tree.row('a good point').waitFor();
    await bob.tree.press('a good point', 'Restore Checkpoint');
    await local.onBranch('main-v2');
    await local.ask('on another branch');
    await local.shows(['on this machine', 'You said on this machine', ...another]);

    await bob.runCommand('offshoot.connectSharedStore');
    await bob.quickInput.shown('Connect to a Shared Store (1/2)');
    const { input, widget } = bob.quickInput;
    const refused = async (value: string, reason: string): Promise<void> => {
      await input.fill(value);
      await input.press('Enter');
      await widget.getByText(reason).waitFor();
    };
    await refused(url('bob').replace('bob@', 'bob:secret@'), 'Leave the password out of the address.');
    await input.fill('postgres://bob@db.invalid/offshoot?sslmode=disable');
    await input.press('Enter');
    await bob.quickInput.shown('Connect to a Shared Store (2/2)');
    await refused('', 'The connection to db.invalid would not be encrypted.');
    await input.press('Escape');

    await bob.runCommand('offshoot.connectSharedStore');
    await bob.quickInput.shown('Connect to a Shared Store (1/2)');
    await input.fill(url('nobody_of_ours'));
    await input.press('Enter');
    await bob.quickInput.shown('Connect to a Shared Store (2/2)');
    await refused('', 'The shared store refused to sign you in');
    await input.press('Escape');

    await bob.runCommand('offshoot.connectSharedStore');
    await bob.quickInput.shown('Connect to a Shared Store (1/2)');
    await input.fill(url('bob'));
    await input.press('Enter');
    await bob.quickInput.shown('Connect to a Shared Store (2/2)');
    await input.fill('a password of bob');
    await input.press('Enter');
    await shown.waitFor({ timeout: 30_000 });
    await bob.openOffshoot();

    // What was said on this machine comes along, and stays here as well.
    await bob.runCommand('offshoot.copyToShared');
    await bob.quickInput.toggle('on this machine');
    await bob.quickInput.input.press('Enter');
    await row(bob, 'on this machine', 'now');
    await bob.tree.row('on this machine').click();
    await local.shows(['on this machine', 'You said on this machine', ...another]);
    await local.frame.locator('img.picture').waitFor();
    await bob.tree.row('a good point').waitFor();

    // It goes back as well: from the shared store into its trash.
    await bob.tree.pick('on this machine', ['Share', 'Move Chat to Local Chats…']);
    await bob.notifications.find('The chat is in the local chats now.');
    await bob.notifications.clear();
    await until(async () => !(await hasChat('on this machine')), 'the chat to be gone');
    await bob.runCommand('offshoot.openTrash');
    await bob.quickInput.row('on this machine').waitFor();
    await bob.quickInput.dismiss();

    // Moved, the copies leave this machine one after the other.
    const move = async (left: number): Promise<void> => {
      await bob.runCommand('offshoot.moveToShared');
      await bob.quickInput.row('on this machine').first().waitFor();
      await soon.equal(async () => (await bob.quickInput.rows()).length, left);
      await bob.quickInput.toggle('on this machine');
      await bob.quickInput.input.press('Enter');
      await until(() => hasChat('on this machine'), 'it');
    };
    await move(2);
    await bob.tree.row('on this machine').click();
    await local.shows(['on this machine', 'You said on this machine', ...another]);
    await local.frame.locator('img.picture').waitFor();
    await bob.tree.row('a good point').waitFor();
    await move(1);
    await until(
      async () => (await bob.tree.rows()).filter(({ label }) => label === 'on this machine').length === 2,
      'both to be there',
    );
    const files = (await readdir(bob.dataDir, { recursive: true, withFileTypes: true })).filter(
      (file) => file.isFile() && /settings\.json$|\.log$/.test(file.name),
    );
    assert.ok(files.length > 1);
    for (const { parentPath, name } of files) {
      const text = await readFile(path.join(parentPath, name), 'utf8');
      assert.ok(!text.includes('a password of bob'), `${name} has the password`);
    }
  });
});
