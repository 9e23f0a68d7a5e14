import assert from 'node:assert/strict';
import { lastQuestion, answer, pause, say } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';
import { soon } from '../fixtures/soon.ts';

const words = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => `Line ${from + index} of the answer.\n\n`).join('');

describe('the chat that is hidden while an answer streams', () => {
  const use = useChat((request) =>
    lastQuestion(request) === 'slowly'
      ? [
          say(words(0, 30)),
          pause('hidden'),
          say(words(30, 40)),
          pause('moved'),
          say(words(40, 50)),
          pause('end'),
          say('That is all.'),
        ]
      : answer(words(0, 30)),
  );
  const scroller = () => use().chat.frame.locator('.scroller');
  const answerHas = (text: string): Promise<void> =>
    use().chat.answers.last().getByText(text, { exact: true }).waitFor();

  /** How far one has scrolled. */
  const place = (): Promise<string> =>
    scroller().evaluate((element) => {
      const { scrollTop } = element as unknown as { scrollTop: number };
      return `${Math.round(scrollTop / 10)}0 pixels`;
    });
  const scrollTo = (top: number): Promise<void> =>
    scroller().evaluate((element, value) => {
      (element as unknown as { scrollTop: number }).scrollTop = value;
    }, top);
  const isAt = (before: string): Promise<unknown> =>
    until(async () => (await place()) === before, `to be ${before} from the top again`);

  before('a conversation with an answer on its way', async () => {
    const { chat, server } = use();
    await chat.ask('at once');
    await chat.send('slowly');
    await server.pauseReached('hidden');
    await answerHas('Line 29 of the answer.');
  });

  it('is whole and goes on when the side bar is shown again, where one had read, with what was typed', async () => {
    const { chat, workbench, server } = use();
    await chat.type('half a question');
    await scrollTo(120);
    await chat.frame.getByRole('button', { name: 'Jump to latest' }).waitFor();
    const before = await place();
    await workbench.runCommand('workbench.action.toggleSidebarVisibility');
    await workbench.page.locator('.part.sidebar').waitFor({ state: 'hidden' });
    server.release('hidden');
    await server.pauseReached('moved');
    await workbench.runCommand('workbench.action.toggleSidebarVisibility');
    await answerHas('Line 39 of the answer.');
    await soon.match(
      () => chat.answers.last().innerText(),
      /Line 0 of the answer\.[^]*Line 29 of the answer\./,
    );
    await chat.stopButton.waitFor();
    await isAt(before);
    await soon.equal(() => chat.input.inputValue(), 'half a question');
  });

  it('has the keyboard in its input as soon as its icon is clicked', async () => {
    const { chat, workbench } = use();
    const typed = await chat.input.inputValue();
    await workbench.page.locator('.activitybar a.action-label[aria-label^="Explorer"]').click();
    await workbench.page.locator('.explorer-folders-view').waitFor();
    await workbench.activityBarItem.click();
    await chat.frame.locator('textarea:focus').waitFor();
    await workbench.page.keyboard.type('typed at once');
    await chat.frame.locator('.model-button').waitFor();
    await until(async () => {
      const text = await chat.input.inputValue();
      return text.startsWith(typed) && text.endsWith('typed at once');
    }, 'what was typed, after what was there');
    await chat.type(typed);
  });

  it('is whole and goes on when it is moved to the secondary side bar', async () => {
    const { chat, workbench, server } = use();
    const before = await place();
    await workbench.runCommand('workbench.action.moveView');
    await workbench.quickInput.type('Chat');
    await workbench.quickInput.accept();
    await workbench.quickInput.type('New Secondary Side Bar Entry');
    await workbench.quickInput.accept();
    await workbench.page.locator('.part.auxiliarybar').waitFor();
    server.release('moved');
    await server.pauseReached('end');
    await answerHas('Line 49 of the answer.');
    await chat.stopButton.waitFor();
    await isAt(before);
    await soon.equal(() => chat.input.inputValue(), 'half a question');
    await workbench.screenshot('chat in the secondary side bar');
    server.release('end');
    await answerHas('That is all.');
    await until(async () => (await chat.stopButton.count()) === 0, 'the answer to end');
    assert.equal(
      (await chat.answers.last().locator('.markdown').innerText()).match(/Line \d+ of/gu)?.length,
      50,
    );
  });
});
