// The HTTP side: POST /api/chat is where DefaultChatTransport sends to.
import { consumeStream, pipeUIMessageStreamToResponse } from 'ai';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

// A real server knows its users by their sessions.
const USER = 'me';

/** @param {import('./chatStore.mjs').ChatStore} chats */
export function chatServer(chats) {
  return createServer(async (request, response) => {
    const [, , resource, id, below] = new URL(request.url, 'http://localhost').pathname.split('/');
    try {
      if (request.method === 'POST' && resource === 'chat' && id === undefined) {
        const stream = await chats.answer(await json(request), USER);
        // A page that goes away finds the whole answer when it comes back.
        await pipeUIMessageStreamToResponse({ response, stream, consumeSseStream: consumeStream });
      } else if (request.method === 'GET' && resource === 'chat' && below === 'branches') {
        reply(response, 200, await chats.branches(id, USER));
      } else if (request.method === 'POST' && resource === 'chat' && below === 'branch') {
        reply(response, 200, await chats.switchBranch(id, USER, (await json(request)).name));
      } else if (request.method === 'GET' && resource === 'chat' && id !== undefined) {
        reply(response, 200, await chats.messages(id, USER));
      } else reply(response, 404, { error: 'There is no such thing here.' });
    } catch (error) {
      if (response.headersSent) response.destroy();
      else reply(response, 400, { error: error.message });
    }
  });
}

function reply(response, status, value) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
