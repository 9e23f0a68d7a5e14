import assert from 'node:assert/strict';
import { answer, lastQuestion, pause, say, usage, finish } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';

const reply = [
  'Split it by **what changes together**:',
  '1. reading the input,\n2. deciding,\n3. writing the output.',
  '```ts\nexport function total(items: readonly Item[]): number {\n  return items.reduce((sum, { price }) => sum + price, 0);\n}\n```',
].join('\n\n');

describe('answering again', () => {
  let answers = 0;
  const use = useChat(
    (request) => {
      answers += 1;
      const { temperature } = request.body;
      if (lastQuestion(request) !== 'How would you split this function?') return answer('Hello');
      const words = `${reply}\n\nNumber ${answers}${typeof temperature === 'number' ? `, at ${temperature}` : ''}.`;
      if (answers === 2 || answers === 3) {
        return [
          say(words.slice(0, 90)),
          pause(`try ${answers}`),
          say(words.slice(90)),
          usage(420, 96),
          finish(),
        ];
      }
      return answer(words);
    },
    { viewport: { width: 1500, height: 860 } },
  );
  const question = 'How would you split this function?';
  const columns = () => use().workbench.panel.locator('.try');
  const statuses = async (): Promise<string[]> => {
    const texts = await columns().locator('.try-body').allInnerTexts();
    return texts.map((text) => /Number \d+(, at [\d.]+)?/u.exec(text)?.[0] ?? '…');
  };

  it('several times at once: side by side, streaming, one stopped', async () => {
    const { chat, workbench, server } = use();
    await chat.ask(question);
    await workbench.contextMenu.pickOn(chat.answers.first(), 'Generate Alternatives…');
    await workbench.quickInput.shown('Generate Alternatives… (1/3)');
    await workbench.quickInput.row('test-model').waitFor();
    await workbench.quickInput.accept();
    await workbench.quickInput.shown('Generate Alternatives… (2/3)');
    await workbench.quickInput.type('9');
    await until(
      async () => (await workbench.quickInput.message()).includes('from 2 to 8'),
      'nine to be refused',
    );
    await workbench.quickInput.answer('2');
    await workbench.quickInput.shown('Generate Alternatives… (3/3)');
    await workbench.quickInput.answer('0.4');
    await until(async () => (await columns().count()) === 3, 'three answers');
    await server.pauseReached('try 2');
    await server.pauseReached('try 3');
    await until(
      async () => (await columns().locator('.codicon-loading').count()) === 2,
      'two of them to stream',
    );
    await workbench.screenshot('tries streaming');
    await columns().nth(2).getByRole('button', { name: 'Stop this answer' }).click();
    await columns().nth(2).getByText('Stopped. Partial response saved.').waitFor();
    server.release('try 2');
    server.release('try 3');
    await until(
      async () => (await statuses()).includes('…') && (await statuses())[1] !== '…',
      'the second to end',
    );
    await workbench.screenshot('tries done');
    await chat.onBranch('main');
  });

  it('keeps the one that is chosen, and archives the others with a way back', async () => {
    const { chat, workbench } = use();
    const kept = (await columns().nth(1).getAttribute('data-branch')) ?? '';
    await columns().nth(1).getByRole('button', { name: 'Use This Response' }).click();
    await chat.onBranch(kept);
    await until(async () => (await columns().count()) === 0, 'the page of answers to close');
    await chat.answers.first().getByText('temp. 0.4').waitFor();
    const label = await chat.frame.locator('.branch-name').innerText();
    assert.match(label, /^Split it by/);
    await workbench.notifications.press(`You are on branch ${label}`, 'Archive the Others');
    await until(
      async () => (await workbench.tree.outline()).join('\n') === `${question}\n  ${label}`,
      'the others to be archived',
    );
    await workbench.notifications.press('Archived', 'Undo');
    await until(async () => (await workbench.tree.outline()).length === 4, 'the others to be back');
    await workbench.runCommand('offshoot.compareAnswers');
    await until(async () => (await columns().count()) === 3, 'the answers again');
  });

  it('by another model or temperature, on a new branch', async () => {
    const { chat, workbench, server } = use();
    const before = server.requests.length;
    await chat.answers.first().hover();
    await chat.answers
      .first()
      .getByRole('button', { name: 'Regenerate with another model or temperature' })
      .click();
    await workbench.quickInput.shown('Regenerate With…');
    await workbench.quickInput.row('test-model').waitFor();
    await workbench.quickInput.accept();
    await workbench.quickInput.widget.getByText('Temperature, from 0').waitFor();
    await workbench.quickInput.type('3');
    await until(
      async () => (await workbench.quickInput.message()).includes('Enter a number from 0 to 2'),
      'three to be refused',
    );
    await workbench.quickInput.answer('1,5');
    await chat.answers.first().getByText('temp. 1.5').waitFor();
    await server.requestReceived(before + 1);
    assert.equal(server.requests[before]?.body['temperature'], 1.5);
    await workbench.screenshot('regenerated with');
  });

  it('comes back after the window was reloaded', async () => {
    const { workbench } = use();
    await workbench.runCommand('offshoot.compareAnswers');
    await until(async () => (await columns().count()) === 4, 'the answers');
    await workbench.reloadByCommand();
    await until(async () => (await columnsAnywhere()) === 4, 'the answers to come back', 30_000);
  });

  /** In whichever frame: a restored one is addressed in another way. */
  async function columnsAnywhere(): Promise<number> {
    const counts = use()
      .workbench.page.frames()
      // One may go away while it is asked.
      .map((frame) => frame.evaluate<number>("document.querySelectorAll('.try').length").catch(() => 0));
    return Math.max(...(await Promise.all(counts)));
  }
});
