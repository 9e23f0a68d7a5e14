// Runs the server, and a page without React against it: AbstractChat is what useChat is made of.
import { AbstractChat, DefaultChatTransport } from 'ai';
import { SqliteContextStore } from 'offshoot-engine';
import { setImmediate as soon } from 'node:timers/promises';
import { ChatStore } from './chatStore.mjs';
import { countingModel } from './countingModel.mjs';
import { chatServer } from './server.mjs';

const store = new SqliteContextStore('./use-chat.db');
const chats = new ChatStore({ store, model: countingModel(), instructions: 'You are helpful.' });
const server = chatServer(chats);
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const origin = `http://127.0.0.1:${server.address().port}/api/chat`;

class Page extends AbstractChat {
  constructor(id, messages = []) {
    const state = {
      messages,
      status: 'ready',
      error: undefined,
      pushMessage: (message) => state.messages.push(message),
      popMessage: () => state.messages.pop(),
      replaceMessage: (index, message) => (state.messages[index] = message),
      snapshot: (value) => globalThis.structuredClone(value),
    };
    super({ id, state, transport: new DefaultChatTransport({ api: origin }) });
  }

  get texts() {
    if (this.error) throw this.error;
    return textsOf(this.messages);
  }
}

const textsOf = (messages) =>
  messages
    .map(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''))
    .join(' | ');
const get = async (path) => (await fetch(`${origin}/${path}`)).json();

const page = new Page('chat-1');
await page.sendMessage({ text: 'Python or JavaScript?' });
await page.sendMessage({ text: 'Python.' });
console.log(page.texts);

await page.regenerate();
console.log(page.texts);

const second = page.messages.at(-2);
await page.sendMessage({ text: 'JavaScript.', messageId: second.id });
console.log(page.texts);
await page.sendMessage({ text: 'Why?' });
console.log(page.texts);

const branches = await get('chat-1/branches');
console.log(branches.map(({ name, messageCount }) => `${name}: ${messageCount}`).join(', '));

const main = await fetch(`${origin}/chat-1/branch`, {
  method: 'POST',
  body: JSON.stringify({ name: 'main' }),
});
console.log(textsOf(await main.json()));

// Opened again, elsewhere: the page gets what it was left with.
const again = new Page('chat-1', await get('chat-1'));
await again.sendMessage({ text: 'Go on.' });
console.log(again.texts);

// The page leaves while it is answered: the answer is still saved.
const { length } = await get('chat-1');
const leaving = new Page('chat-1', await get('chat-1'));
const asked = leaving.sendMessage({ text: 'And then?' });
while (leaving.messages.length < length + 2) await soon();
await leaving.stop();
await asked;
while ((await get('chat-1')).length < length + 2) await soon();
console.log(textsOf((await get('chat-1')).slice(-2)));

server.close();
await store.close();
