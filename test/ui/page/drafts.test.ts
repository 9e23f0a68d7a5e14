import assert from 'node:assert/strict';
import { until } from '../../fixtures/until.ts';
import type { Chat } from './harness/chat.ts';
import { answer, conversation, question, turns } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

describe('drafts', () => {
  const use = useChat();
  const on = (branch: string, chatId = 'chat-1', rest: object = {}) =>
    conversation(turns(2), {
      chat: { id: chatId, title: 'A chat' },
      branch,
      branchId: `id of ${branch} ${chatId}`,
      branchCount: 2,
      ...rest,
    });
  const holds = (chat: Chat, value: string): Promise<unknown> =>
    until(async () => (await chat.input.inputValue()) === value, `“${value}” in the input`);
  const chips = (chat: Chat): Promise<string[]> => chat.page.locator('.tray-item').allInnerTexts();
  const file = { type: 'file', path: 'src/greet.ts' } as const;

  it('get back what could not be asked, in the chat where it was typed, whichever is shown', async () => {
    const chat = use();
    await chat.show(on('main'));
    await chat.show(on('main', 'chat-2'));
    await chat.input.fill('for the other chat');
    await chat.tell({
      ...({ type: 'composerFilled', text: 'asked', isReply: true } as const),
      attachments: [file],
      branchId: 'id of main chat-1',
    });
    await chat.frame();
    await holds(chat, 'for the other chat');
    await chat.show(on('main'));
    await holds(chat, 'asked');
    assert.equal((await chips(chat)).length, 1);
  });

  it('belong to their branch and chat, with their attachments, and survive a reload', async () => {
    const chat = use();
    await chat.show(on('main'));
    await chat.input.fill('for main');
    await chat.tell({ type: 'attached', attachments: [file] });
    await chat.page.locator('.tray-item').waitFor();
    await chat.show(on('main-v2'));
    await holds(chat, '');
    assert.deepEqual(await chips(chat), []);
    await chat.input.fill('for the other');
    await chat.show(on('main', 'chat-2'));
    await holds(chat, '');
    await chat.input.fill('for the other chat');
    await chat.page.reload();
    await chat.loaded();
    await chat.show(on('main', 'chat-2'));
    await holds(chat, 'for the other chat');
    await chat.show(on('main-v2'));
    await holds(chat, 'for the other');
    await chat.show(on('main'));
    await holds(chat, 'for main');
    assert.deepEqual(await chips(chat), ['src/greet.ts']);
    // What is sent is no draft any more.
    await chat.input.press('Enter');
    await chat.expect('sendMessage');
    await chat.show(on('main-v2'));
    await chat.show(on('main'));
    await holds(chat, '');
    assert.deepEqual(await chips(chat), []);
  });

  it('begin with the question that the branch was made before, unless there is another', async () => {
    const chat = use();
    const rewound = { isProvisional: true, question: { text: 'why?', attachments: [file] } };
    await chat.show(on('main'));
    await chat.input.fill('for main');
    await chat.show(on('main-v2', 'chat-1', rewound));
    await holds(chat, 'why?');
    assert.deepEqual(await chips(chat), ['src/greet.ts']);
    await chat.show(on('main'));
    await holds(chat, 'for main');
    assert.deepEqual(await chips(chat), []);
    await chat.show(on('main-v2', 'chat-1', rewound));
    await holds(chat, 'why?');
    // Nothing was typed yet: the branch need not be kept.
    assert.ok((await chat.sent()).every(({ type }) => type !== 'draftChanged'));
    await chat.input.fill('why so?');
    await chat.expect('draftChanged');
    await chat.show(on('main'));
    await chat.show(on('main-v2', 'chat-1', rewound));
    await holds(chat, 'why so?');
  });

  it('of a chat that is not there yet move to its first branch', async () => {
    const chat = use();
    await chat.show(conversation());
    await chat.input.fill('and then?');
    await chat.show(on('main'));
    await holds(chat, 'and then?');
    await chat.show(on('main-v2'));
    await holds(chat, '');
    await chat.show(on('main'));
    await holds(chat, 'and then?');
  });

  it('of a new chat are there in the next one, with their attachments, and in no other', async () => {
    const chat = use();
    const newChat = (id: string) => conversation([], { chat: { id, title: 'New chat' } });
    await chat.show(newChat('new-1'));
    await chat.input.fill('my long draft');
    await chat.tell({ type: 'attached', attachments: [file] });
    await chat.page.locator('.tray-item').waitFor();
    await chat.show(on('main'));
    await holds(chat, '');
    assert.deepEqual(await chips(chat), []);
    await chat.show(newChat('new-2'));
    await holds(chat, 'my long draft');
    assert.deepEqual(await chips(chat), ['src/greet.ts']);
    await chat.show(newChat('new-3'));
    await holds(chat, 'my long draft');
    await chat.page.reload();
    await chat.loaded();
    await chat.show(on('main'));
    await holds(chat, '');
    await chat.show(newChat('new-4'));
    await holds(chat, 'my long draft');
    assert.deepEqual(await chips(chat), ['src/greet.ts']);
    // The chat that is asked takes it: the next one is empty.
    await chat.show(on('main', 'new-4'));
    await holds(chat, 'my long draft');
    await chat.show(newChat('new-5'));
    await holds(chat, '');
    assert.deepEqual(await chips(chat), []);
  });

  it('of a new chat, as earlier versions kept them, are there as well', async () => {
    const chat = use();
    const state = JSON.stringify({ drafts: [['new 0b1f', { text: 'kept long ago', chips: [] }]] });
    await chat.page.evaluate(`sessionStorage.setItem('state', ${JSON.stringify(state)})`);
    await chat.page.reload();
    await chat.loaded();
    await chat.show(conversation());
    await holds(chat, 'kept long ago');
  });

  it('keep a branch that would go when it is left, once they are the user’s own', async () => {
    const chat = use();
    const notices = async (): Promise<number> =>
      (await chat.sent()).filter(({ type }) => type === 'draftChanged').length;
    await chat.show(on('main-v2', 'chat-1', { isProvisional: true }));
    await chat.tell({ type: 'composerFilled', text: 'why?', attachments: [file], isStored: true });
    await holds(chat, 'why?');
    await chat.frame();
    assert.equal(await notices(), 0, 'what a rewind puts there is not the user’s');
    await chat.input.press('End');
    await chat.input.pressSequentially(' really?');
    await chat.expect('draftChanged');
    assert.equal(await notices(), 1);
    // On a branch that stays there is nothing to tell.
    await chat.show(on('main'));
    await chat.input.fill('hello');
    assert.equal(await notices(), 1);
  });

  it('stand in the card of a side question, and in the input once the user goes there', async () => {
    const chat = use();
    const side = { branch: 'main-v2', branchId: 'id of main-v2 chat-1', question: 'what time is it?' };
    const withSideQuestion = { sideQuestions: [{ ...side, answer: answer('s', 'Late.') }] };
    const followUp = chat.page.getByRole('textbox', { name: 'Follow-up' });
    await chat.show(on('main', 'chat-1', withSideQuestion));
    await chat.openPanel('sideQuestions');
    await followUp.fill('and there?');
    await chat.page.reload();
    await chat.loaded();
    await chat.show(on('main', 'chat-1', withSideQuestion));
    await chat.openPanel('sideQuestions');
    assert.equal(await followUp.inputValue(), 'and there?');
    await chat.show(on('main-v2'));
    await holds(chat, 'and there?');
    // A branch that was discarded takes its draft along.
    await chat.show(on('main'));
    await chat.tell({ type: 'draftDiscarded', branchId: side.branchId });
    await chat.show(on('main-v2'));
    await holds(chat, '');
  });
});

describe('Ctrl+Z in the input', () => {
  const use = useChat();
  const holds = (chat: Chat, value: string): Promise<unknown> =>
    until(async () => (await chat.input.inputValue()) === value, `“${value}” in the input`);
  const undo = (chat: Chat): Promise<void> => chat.page.keyboard.press('Control+z');
  const redo = (chat: Chat): Promise<void> => chat.page.keyboard.press('Control+Shift+z');

  it('takes back a file that was chosen after an @, and what was typed before', async () => {
    const chat = use();
    await chat.show(conversation());
    await chat.input.pressSequentially('look at @gr');
    await chat.reply('proposeFiles', { paths: ['src/greet.ts'] }, ({ query }) => query === 'gr');
    await chat.page.getByRole('option').first().waitFor();
    await chat.page.keyboard.press('Enter');
    await holds(chat, 'look at ');
    await undo(chat);
    await holds(chat, 'look at @gr');
    await redo(chat);
    await holds(chat, 'look at ');
    await undo(chat);
    await undo(chat);
    await holds(chat, '');
  });

  it('takes back a question that the Up arrow brought', async () => {
    const chat = use();
    await chat.show(conversation([question('q', 'why @not?'), answer('a', 'So.'), question('p', 'how?')]));
    await chat.input.press('ArrowUp');
    await holds(chat, 'how?');
    await chat.page.keyboard.press('ArrowUp');
    await holds(chat, 'why @not?');
    await undo(chat);
    await holds(chat, 'how?');
    await undo(chat);
    await holds(chat, '');
    assert.equal((await chat.sent()).filter(({ type }) => type === 'proposeFiles').length, 0);
  });

  it('takes back what was put before half a question', async () => {
    const chat = use();
    await chat.show(conversation(turns(2)));
    await chat.input.pressSequentially('mine');
    await chat.tell({ type: 'composerFilled', text: 'theirs' });
    await holds(chat, 'theirs\n\nmine');
    await undo(chat);
    await holds(chat, 'mine');
    await redo(chat);
    await holds(chat, 'theirs\n\nmine');
  });

  it('brings nothing of another branch', async () => {
    const chat = use();
    await chat.show(conversation(turns(2), { branchId: 'one' }));
    await chat.input.pressSequentially('for one');
    await chat.show(conversation(turns(2), { branch: 'main-v2', branchId: 'two' }));
    await holds(chat, '');
    await undo(chat);
    await chat.frame();
    assert.equal(await chat.input.inputValue(), '');
  });
});

describe('a word after an @', () => {
  const use = useChat();

  it('stays in the text where it names no file, and is sent as it stands', async () => {
    const chat = use();
    await chat.show(conversation());
    await chat.input.pressSequentially('ask @nobody');
    await chat.reply('proposeFiles', { paths: [] }, ({ query }) => query === 'nobody');
    await chat.page.keyboard.press('Enter');
    assert.deepEqual(await chat.expect('sendMessage'), { type: 'sendMessage', text: 'ask @nobody' });
  });

  it('stays where the list of files comes late, or was closed', async () => {
    const chat = use();
    await chat.show(conversation());
    await chat.input.pressSequentially('npm i @types/node');
    await chat.page.keyboard.press('Enter');
    assert.deepEqual(await chat.expect('sendMessage'), { type: 'sendMessage', text: 'npm i @types/node' });
    await chat.input.pressSequentially('and @gr');
    await chat.reply('proposeFiles', { paths: ['src/greet.ts'] }, ({ query }) => query === 'gr');
    await chat.page.getByRole('option').first().waitFor();
    await chat.page.keyboard.press('Escape');
    await chat.page.keyboard.press('Enter');
    await until(
      async () => (await chat.sent()).filter(({ type }) => type === 'sendMessage').length === 2,
      'the second question',
    );
    assert.deepEqual(
      (await chat.sent()).findLast(({ type }) => type === 'sendMessage'),
      {
        type: 'sendMessage',
        text: 'and @gr',
      },
    );
  });
});
