import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  answer,
  conversationOf,
  lastQuestion,
  pause,
  useTools,
  type RecordedRequest,
  type Reply,
} from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';

/** How many files a question has read, one after the other. */
const FILES = 16;

const isSummaryRequest = (request: RecordedRequest): boolean =>
  lastQuestion(request).startsWith('Summarise this part');

describe('a conversation that is compacted by itself', () => {
  let read = 0;
  let isHeld = true;
  const script = (request: RecordedRequest): Reply => {
    if (isSummaryRequest(request)) {
      const gist = answer('## Files\n\n- all of them say **word**');
      if (!isHeld) return gist;
      isHeld = false;
      return [pause(), ...gist];
    }
    const asked = conversationOf(request).findLast(({ role }) => role === 'user')?.text ?? '';
    if (!asked.includes('Read all files') || read === FILES) return answer(`You said ${asked.slice(-20)}`);
    read += 1;
    return useTools(['read_file', { path: `file-${read}.txt` }]);
  };
  const use = useChat(script, {
    settings: {
      'offshoot.modelOverrides': { 'openai-compatible/test-model': { contextWindow: 12_000 } },
      'offshoot.titles': 'words',
    },
  });
  const { frame } = { frame: () => use().chat.frame };
  const fold = () => frame().locator('.compacted-fold button');
  const lines = () => frame().locator('.report.compacted');
  const answersSent = () => use().server.requests.filter((request) => !isSummaryRequest(request));
  /** How many messages the last request for an answer held. */
  const lastLength = () => answersSent().at(-1)?.body.messages.length ?? 0;

  before('files', async () => {
    const { workbench } = use();
    for (let number = 1; number <= FILES; number += 1) {
      await writeFile(
        path.join(workbench.folder, `file-${number}.txt`),
        `${number}\n${'word '.repeat(900)}\n`,
      );
    }
    await workbench.setSidebarWidth(400);
  });

  it('goes on through two summaries in one run of many steps, each a line that opens', async () => {
    const { chat, workbench, server } = use();
    await chat.send('Read all files');
    await frame().getByText('Compacting the conversation…').waitFor();
    await workbench.screenshot('compaction under way');
    server.release('pause');
    await chat.message('You said').waitFor({ timeout: 30_000 });
    assert.ok(server.requests.filter(isSummaryRequest).length >= 2);
    // The later one covers the earlier.
    await until(async () => (await lines().count()) === 1, 'one summary that is not folded');
    await fold().waitFor();
    await chat.message('Read all files').waitFor();
    await workbench.screenshot('compaction folded');
    await lines().last().locator('summary').click();
    await lines().last().getByText('all of them say').waitFor();
    await fold().click();
    await until(async () => (await lines().count()) >= 2, 'the earlier summary, unfolded');
    await workbench.screenshot('compaction opened');
    await fold().click();
    await until(async () => (await lines().count()) === 1, 'the messages, folded again');
  });

  it('counts what is sent, and not what is folded', async () => {
    const { workbench } = use();
    const item = workbench.page.locator('.statusbar-item').filter({ hasText: /\d+%/ });
    await until(
      async () => Number(/(\d+)%/u.exec(await item.innerText())?.[1]) < 85,
      'less than what made it compact',
    );
  });

  it('is as it was after a reload, and goes on from the summary', async () => {
    const { chat, workbench } = use();
    await workbench.reload();
    await fold().waitFor();
    assert.equal(await lines().count(), 1);
    const before = lastLength();
    await chat.send('And now?');
    await chat.message('You said And now?').waitFor();
    assert.ok(lastLength() <= before + 2);
  });

  it('is whole before the summary, and short after it', async () => {
    const { chat, workbench } = use();
    await workbench.changeSettings({ 'offshoot.compaction.enabled': false });
    await workbench.contextMenu.pickOn(chat.message('Read all files'), 'Rewind to Here');
    await chat.onBranch('main-v2');
    await until(async () => (await fold().count()) === 0, 'nothing to be folded');
    // A tree that is drawn anew under a click loses it.
    await until(
      async () =>
        (await workbench.tree.rows()).some(({ description }) => description.startsWith('active · 1 ')),
      'the tree to show where one is',
    );
    await workbench.tree.click('main');
    await chat.onBranch('main');
    await fold().waitFor();
    await workbench.contextMenu.pickOn(lines().last().locator('summary'), 'Rewind to Here');
    await until(async () => (await chat.message('You said').count()) === 0, 'the end to be gone');
    await fold().waitFor();
  });

  it('is whole again with Undo, and is compacted again by the command, with what to keep', async () => {
    const { chat, workbench, server } = use();
    await workbench.tree.leavesMain();
    await workbench.tree.click('main');
    await chat.onBranch('main');
    await chat.message('You said And now?').waitFor();
    await frame().getByRole('button', { name: 'Undo', exact: true }).click();
    // The earlier summary is in force again.
    await until(
      async () => (await frame().locator('.compacted-fold').innerText()).includes('1 earlier'),
      'the first fold',
    );
    await chat.message('You said And now?').waitFor();
    await workbench.runCommand('offshoot.compact');
    await workbench.quickInput.shown('Compact Conversation');
    await workbench.quickInput.answer('the file names');
    const asked = (): string =>
      JSON.stringify(server.requests.findLast(isSummaryRequest)?.body.messages[0]?.content ?? '');
    await until(() => Promise.resolve(asked().includes('kept above all: the file names')), 'the wish');
    await until(async () => !(await fold().innerText()).startsWith('1 earlier'), 'a further summary');
    await until(async () => (await lines().count()) === 1, 'the earlier summary, folded');
    await workbench.screenshot('compaction by the command');
  });
});
