import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { databases } from '../fixtures/postgres/databases.ts';
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
  });
  afterEach('keep what tells of a failure', async function () {
    const test = this.currentTest;
    if (test?.state === 'failed') await bob.keepEvidence(`${test.fullTitle()} bob`);
  });
  after('close the window of the other', async () => bob.close());
  after('give the database back', () => databases.giveBack(url()));

  it('shows each what the other says and where they are', async function () {
    this.timeout(120_000);
    const { workbench: ana, chat, server } = use();
    await ana.tree.open();
    await bob.tree.open();
    await chat.ask('a plan for all of us');
    await ana.page.locator('.statusbar-item', { hasText: 'ana on localhost' }).waitFor();
    await bob.page.locator('.statusbar-item', { hasText: 'bob on localhost' }).waitFor();
    assert.deepEqual(await bob.tree.rows(), []);

    await ana.runCommand('offshoot.shareChat');
    await ana.quickInput.choose('Shared to Write');
    await row(ana, 'a plan for all of us', 'shared to write');
    await row(bob, 'a plan for all of us', 'ana');
    await bob.tree.row('a plan for all of us').click();
    const other = new ChatPage(bob);
    await other.message('You said a plan for all of us').waitFor();
    await row(ana, 'Main line', 'bob is here');
    await row(bob, 'Main line', 'ana is here');
    await chat.frame.locator('.people .on-branch').waitFor();

    // Only the first words have come.
    await chat.send('slowly');
    await server.pauseReached();
    await other.message('First words').waitFor();
    await other.frame.getByText('Responding to ana…').waitFor();
    await bob.screenshot('shared bob sees an answer grow');
    server.release();
    await other.message('First words and the rest.').waitFor();
    await other.answered(2);

    await other.ask('a question of Bob');
    await chat.message('You said a question of Bob').waitFor();
    await chat.frame.locator('.asked-by', { hasText: 'bob' }).waitFor();
    await ana.screenshot('shared ana sees what bob asked');

    // Each stays on the branch they chose.
    const question = other.message('a question of Bob');
    await question.hover();
    await question.getByRole('button', { name: 'Edit' }).click();
    await other.frame.locator('.edit-box textarea').fill('another way');
    await other.frame.locator('.edit-box textarea').press('Enter');
    await other.message('You said another way').waitFor();
    await row(ana, 'another way', 'bob is here');
    await chat.message('You said a question of Bob').waitFor();
  });

  it('says when the server is gone, keeps what was read, queues nothing, and goes on when it is back', async function () {
    this.timeout(120_000);
    const { workbench: ana, chat } = use();
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
    await chat.frame.locator('.banner.error', { hasText: 'The shared store can’t be reached.' }).waitFor();
    await until(
      async () => (await chat.input.inputValue()) === 'into the void',
      'what was typed to be there',
    );
    await ana.screenshot('shared ana without a connection');
    await postgres().start();
    await ana.page.locator('.statusbar-item', { hasText: 'ana on localhost' }).waitFor({ timeout: 45_000 });
    await chat.frame.getByText('The connection to localhost is lost.').waitFor({ state: 'detached' });
    assert.deepEqual(await chat.texts(), before);
    await chat.ask('it is back');
    await bob.page.locator('.statusbar-item', { hasText: 'bob on localhost' }).waitFor({ timeout: 45_000 });
    await row(bob, 'Main line', 'ana is here');
  });

  it('shows a chat shared to read as one that cannot be written to, and a private one to its owner alone', async function () {
    this.timeout(120_000);
    const { workbench: ana } = use();
    const other = new ChatPage(bob);
    await ana.runCommand('offshoot.shareChat');
    await ana.quickInput.choose('Shared to Read');
    await row(bob, 'a plan for all of us', 'read-only');
    await until(() => other.input.isDisabled(), 'the input to be closed');
    await soon.equal(
      () => other.input.getAttribute('placeholder'),
      'ana shares this chat to read. Copy it to go on by yourself.',
    );
    await bob.screenshot('shared bob may only read');
    await ana.runCommand('offshoot.shareChat');
    await ana.quickInput.choose('Private');
    await until(async () => (await bob.tree.rows()).length === 0, 'the chat to be gone');
    await other.frame.locator('.empty').waitFor();
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
    await local.input.focus();
    await pastePicture(bob);
    await local.frame.locator('.tray-item img').waitFor();
    await local.ask('on this machine');
    await bob.runCommand('offshoot.createCheckpoint');
    await bob.quickInput.answer('a good point');
    await bob.tree.row('a good point').waitFor();
    await bob.tree.click('a good point');
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
    await bob.screenshot('shared bob has brought a chat along');

    // It goes back as well: from the shared store into its trash.
    await bob.tree.pick('on this machine', 'Move Chat to Local Chats…');
    await bob.notifications.find('The chat is in the local chats now.');
    await bob.notifications.clear();
    await until(async () => (await bob.tree.rows()).length === 0, 'the chat to be gone');
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
      await until(async () => (await bob.tree.rows()).some(({ label }) => label === 'on this machine'), 'it');
    };
    await move(2);
    await bob.tree.row('on this machine').click();
    await local.shows(['on this machine', 'You said on this machine', ...another]);
    await local.frame.locator('img.picture').waitFor();
    await bob.tree.row('a good point').waitFor();
    await move(1);
    await until(
      async () => (await bob.tree.rows()).filter(({ level }) => level === 1).length === 2,
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
