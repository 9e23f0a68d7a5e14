import assert from 'node:assert/strict';
import type { PromptView } from '../../../src/protocol/slashCommands.ts';
import { until } from '../../fixtures/until.ts';
import { conversation, question, turns } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';
import type { Chat } from './harness/chat.ts';

const prompts: PromptView[] = [
  { name: 'review', description: 'Reviews it', path: '.github/prompts/review.prompt.md', takesInput: true },
  { name: 'tidy', description: 'Tidies up', path: '.offshoot/prompts/tidy.md', takesInput: false },
];

describe('a slash at the beginning of the input', () => {
  const use = useChat();
  const names = async (chat: Chat): Promise<string[]> =>
    (await chat.page.locator('.completion-name').allInnerTexts()).map((text) => text.trim());
  const list = async (chat: Chat, typed: string): Promise<void> => {
    await chat.input.pressSequentially(typed);
    await chat.reply('listPrompts', { prompts });
    await chat.page.getByRole('listbox', { name: 'Commands and prompts' }).waitFor();
  };
  const sentText = async (chat: Chat): Promise<string> => (await chat.expect('sendMessage')).text;

  it('lists commands and prompt files, and what is typed chooses among them', async () => {
    const chat = use();
    await chat.show(conversation(turns(1)));
    await list(chat, '/');
    await until(async () => (await names(chat)).includes('/tidy'), 'the prompt files');
    assert.deepEqual((await names(chat)).slice(0, 3), ['/btw', '/checkpoint', '/compact']);
    await chat.input.pressSequentially('re');
    await until(async () => (await names(chat)).length === 3, 'fewer of them');
    assert.deepEqual(await names(chat), ['/remember', '/rewind', '/review']);
    const active = chat.page.getByRole('option', { selected: true });
    assert.equal(await active.count(), 1);
    assert.equal(await chat.input.getAttribute('aria-activedescendant'), await active.getAttribute('id'));
    assert.match(
      (await active.innerText()).replaceAll(/\s+/gu, ' '),
      /^\/remember \[fact\] Keep a fact for later chats$/u,
    );
    for (const name of [/^\/rewind/u, /^\/review/u, /^\/remember/u]) {
      await chat.page.keyboard.press('ArrowDown');
      await chat.page.getByRole('option', { name, selected: true }).waitFor();
    }
    await chat.page.keyboard.press('Escape');
    await chat.page.getByRole('listbox').waitFor({ state: 'detached' });
    assert.equal(await chat.input.inputValue(), '/re');
  });

  it('keeps what the arrow keys chose when prompt files come in', async () => {
    const chat = use();
    await chat.show(conversation(turns(1)));
    await chat.input.pressSequentially('/');
    await chat.page.getByRole('option').first().waitFor();
    await chat.page.keyboard.press('ArrowDown');
    await chat.page.keyboard.press('ArrowDown');
    await chat.reply('listPrompts', { prompts });
    await chat.page.getByRole('option', { name: /^\/tidy/u }).waitFor();
    assert.match(await chat.page.getByRole('option', { selected: true }).innerText(), /^\/compact/u);
  });

  it('runs what Enter or a click chooses, and empties the input', async () => {
    const chat = use();
    await chat.show(conversation(turns(1)));
    await list(chat, '/comp');
    await chat.page.keyboard.press('Enter');
    const { command } = await chat.expect('runSlashCommand');
    assert.equal(command, 'compact');
    assert.equal(await chat.input.inputValue(), '');
    await chat.input.pressSequentially('/new');
    await chat.page.getByRole('option', { name: '/new' }).click();
    await until(async () => {
      const sent = await chat.sent();
      return sent.some((each) => each.type === 'runSlashCommand' && each.command === 'new');
    }, 'the new chat');
    assert.equal((await chat.sent()).filter(({ type }) => type === 'sendMessage').length, 0);
  });

  it('takes what is typed behind a command: a name, a question by the way', async () => {
    const chat = use();
    await chat.show(conversation(turns(1)));
    await list(chat, '/check');
    await chat.page.keyboard.press('Tab');
    assert.equal(await chat.input.inputValue(), '/checkpoint ');
    await chat.page.getByRole('listbox').waitFor({ state: 'detached' });
    await chat.input.pressSequentially('a name');
    await chat.page.keyboard.press('Enter');
    const { command, argument } = await chat.expect('runSlashCommand');
    assert.deepEqual([command, argument], ['checkpoint', 'a name']);
    await chat.input.fill('/race fix it');
    await chat.input.press('Enter');
    await until(
      async () => (await chat.sent()).filter(({ type }) => type === 'runSlashCommand').length > 1,
      'the race',
    );
    const raced = (await chat.sent()).findLast((message) => message.type === 'runSlashCommand');
    assert.deepEqual([raced?.command, raced?.argument], ['race', 'fix it']);
    await chat.input.fill('/btw what is that?');
    await chat.page.keyboard.press('Enter');
    assert.equal((await chat.expect('askSideQuestion')).text, 'what is that?');
    await chat.input.fill('/btw');
    await chat.page.keyboard.press('Escape');
    await chat.page.keyboard.press('Enter');
    await chat.page.getByPlaceholder('Ask something by the way').waitFor();
  });

  it('sends a prompt as it is typed, after what it needs', async () => {
    const chat = use();
    await chat.show(conversation(turns(1)));
    await list(chat, '/ti');
    await chat.page.keyboard.press('Enter');
    assert.equal(await sentText(chat), '/tidy');
    await chat.input.pressSequentially('/revi');
    await chat.page.getByRole('option', { name: /^\/review/u }).waitFor();
    await chat.page.keyboard.press('Enter');
    assert.equal(await chat.input.inputValue(), '/review ');
    await chat.input.pressSequentially('the names');
    await chat.page.keyboard.press('Enter');
    await until(async () => {
      const sent = await chat.sent();
      return sent.some((each) => each.type === 'sendMessage' && each.text === '/review the names');
    }, 'the prompt with its input');
  });

  it('swallows no text that is not quite a command', async () => {
    const chat = use();
    await chat.show(conversation(turns(1)));
    const texts = [
      '/usr/bin is full',
      '/checkpoin a',
      '/new one please',
      '/unknown',
      'a /new',
      '/ new',
      '/NEW',
    ];
    for (const text of texts) {
      await chat.input.fill(text);
      await chat.page.keyboard.press('Escape');
      await chat.page.keyboard.press('Enter');
      await until(async () => {
        const sent = await chat.sent();
        return sent.some((each) => each.type === 'sendMessage' && each.text === text);
      }, text);
    }
    assert.equal((await chat.sent()).filter(({ type }) => type === 'runSlashCommand').length, 0);
  });

  it('is not asked for in the middle of a text or a word', async () => {
    const chat = use();
    await chat.show(conversation(turns(1)));
    await chat.input.fill('look at ');
    await chat.input.pressSequentially('/');
    await chat.input.fill('bin');
    await chat.page.keyboard.press('Home');
    await chat.input.pressSequentially('/');
    await chat.frame();
    assert.equal(await chat.page.getByRole('listbox').count(), 0);
    assert.equal((await chat.sent()).filter(({ type }) => type === 'listPrompts').length, 0);
  });

  it('is a prompt file below the question that ran it, with what it asks for and there is not', async () => {
    const chat = use();
    const prompt = {
      type: 'prompt' as const,
      name: 'explain',
      path: '.github/prompts/explain.prompt.md',
      settings: ['Ask'],
      missing: ['codebase-of-others'],
    };
    await chat.show(
      conversation([question('q', '', { parts: [{ type: 'text', text: '/explain it' }, prompt] })]),
    );
    await chat.page.locator('.file-chip', { hasText: 'explain' }).waitFor();
    await chat.page.getByText('Not available here: codebase-of-others').waitFor();
  });

  it('lists all of them for /help', async () => {
    const chat = use();
    await chat.show(conversation(turns(1)));
    await chat.input.fill('/help');
    await chat.page.keyboard.press('Enter');
    await until(async () => (await names(chat)).length > 10, 'the list');
    assert.equal(await chat.input.inputValue(), '/');
  });
});
