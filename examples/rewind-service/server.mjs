// The HTTP side: reads requests, and says in JSON what became of them. `npm start` runs it.
import { InMemoryContextStore, OffshootError, SqliteContextStore, TRASH_LIFETIME } from 'offshoot-engine';
import { PostgresContextStore } from 'offshoot-engine/postgres';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { URLSearchParams } from 'node:url';
import { z } from 'zod';
import { modelAgent, offlineAgent } from './agent.mjs';
import { Sessions } from './sessions.mjs';

const { APP = 'demo', HOST = '127.0.0.1', PORT = '8080', DATABASE_URL, FILE } = process.env;
const { OPENAI_BASE_URL: baseUrl, OPENAI_MODEL: model, OPENAI_API_KEY: apiKey } = process.env;

const fileStore = () => (FILE ? new SqliteContextStore(FILE) : new InMemoryContextStore());
const store = DATABASE_URL ? new PostgresContextStore({ connectionString: DATABASE_URL }) : fileStore();
const agent = baseUrl ? modelAgent({ baseUrl, model, apiKey }) : offlineAgent;
const sessions = new Sessions({ store, app: APP, agent });

/** The status of an error by its `code`. Any other error is a fault of the service. */
const codes = {
  400: ['invalid-request', 'invalid-argument', 'invalid-name', 'not-storable'],
  403: ['not-for-pages'],
  404: ['no-such-address', 'chat-not-found', 'invocation-not-found', 'no-such-artifact'],
  409: ['chat-exists', 'invocation-exists', 'head-conflict'],
  413: ['body-too-large', 'message-too-large', 'save-too-large', 'blob-too-large'],
  502: ['agent-failed'],
  503: ['closed', 'connection-lost', 'store-busy', 'read-only', 'storage-full', 'database-full'],
};

const MAX_BODY = 1024 * 1024;
const id = z.string().regex(/^[^\p{Cc}\p{Cs}]{1,200}$/u, 'It is empty, too long, or has control characters');
const isEverybodys = (key) => key.startsWith('app:');
const state = z
  .record(z.string(), z.unknown())
  .refine((values) => !Object.keys(values).some(isEverybodys), 'Keys with "app:" are not for users to set')
  .optional();
const session = z.strictObject({ sessionId: id.optional(), state });
const turn = z.strictObject({ message: z.string().min(1), invocationId: id.optional(), stateDelta: state });
const rewind = z.strictObject({ rewindBeforeInvocationId: id });
const count = z.coerce.number().int().min(0);
const page = z.object({
  limit: count.max(1000).default(100),
  offset: count.default(0),
  before: count.optional(),
});
const which = z.object({ version: count.optional() });

/** What can be asked below /apps/{app}/users/{user}/sessions; a colon stands for a name. */
const routes = new Map([
  ['GET /', ({ user, query }) => sessions.list(user, page.parse(query))],
  ['POST /', ({ user, body }) => sessions.create(user, session.parse(body))],
  ['GET /:', ({ use }) => use((context) => sessions.describe(context))],
  ['DELETE /:', ({ user, name }) => sessions.delete(user, name)],
  ['POST /:/run', ({ use, body }) => use((context) => sessions.run(context, turn.parse(body)))],
  ['POST /:/rewind', ({ use, body }) => use((context) => sessions.rewind(context, rewind.parse(body)))],
  ['GET /:/events', ({ use, query }) => use(({ chatId }) => store.listEvents(chatId, page.parse(query)))],
  ['GET /:/state', ({ use }) => use(async (context) => Object.fromEntries(await context.state.entries()))],
  ['GET /:/artifacts', ({ use }) => use(({ artifacts }) => artifacts.list())],
  ['GET /:/artifacts/:', ({ use, artifact, query }) => use(load(artifact, which.parse(query).version))],
  ['GET /:/artifacts/:/versions', ({ use, artifact }) => use(versions(artifact))],
]);

const load = (name, version) => async (context) => found(await context.artifacts.load(name, version));

const versions = (artifact) => async (context) => {
  const { version } = found((await context.artifacts.list()).find(({ name }) => name === artifact));
  return Array.from({ length: version + 1 }, (_, each) => each);
};

function found(artifact) {
  if (artifact) return artifact;
  throw new OffshootError('no-such-artifact', 'There is no such artifact at this point of the session.');
}

async function answer(request) {
  // It has no accounts: a page in the browser of who runs it is not who runs it.
  if (request.headers.origin) throw new OffshootError('not-for-pages', 'No web page may use this service.');
  const [path, query] = request.url.split('?');
  const [, apps, app, users, user, what, ...below] = path.split('/').map(decodeURIComponent);
  const shape = below.map((part, index) => (index % 2 === 0 ? ':' : part)).join('/');
  const route = routes.get(`${request.method} /${shape}`);
  if (!route || apps !== 'apps' || app !== APP || users !== 'users' || what !== 'sessions')
    throw new OffshootError('no-such-address', `There is no ${request.method} ${path} here.`);
  const [name, , artifact] = below;
  return route({
    user: id.parse(user),
    name,
    artifact,
    query: Object.fromEntries(new URLSearchParams(query)),
    body: request.method === 'POST' ? await readJson(request) : undefined,
    use: (work) => sessions.use(user, id.parse(name), work),
  });
}

/** Requests whose bodies are still coming. */
const arriving = new Set();

async function readJson(request) {
  const chunks = [];
  let size = 0;
  arriving.add(request);
  // One that is too large is read to its end and not kept, because most clients look for an answer only then.
  try {
    for await (const chunk of request) if ((size += chunk.length) <= MAX_BODY) chunks.push(chunk);
  } catch (cause) {
    throw new OffshootError('invalid-request', 'The body was cut off.', { cause });
  } finally {
    arriving.delete(request);
  }
  if (size <= MAX_BODY) return JSON.parse(Buffer.concat(chunks).toString() || '{}');
  throw new OffshootError('body-too-large', `The body has more than ${MAX_BODY} bytes.`);
}

/** What the service itself says of what it was sent. */
function refusal(error) {
  if (error instanceof z.ZodError) return z.prettifyError(error);
  if (error instanceof SyntaxError) return `The body is no JSON: ${error.message}`;
  return error instanceof URIError ? 'The address is not encoded as UTF-8.' : undefined;
}

function problem(error) {
  const refused = refusal(error);
  const { code, message } = refused === undefined ? error : { code: 'invalid-request', message: refused };
  const status = Number(Object.keys(codes).find((each) => codes[each].includes(code)) ?? 500);
  if (status >= 500) console.error(error);
  if (status !== 500) return { status, value: { error: { code, message } } };
  return { status, value: { error: { code: 'internal', message: 'The log of the service has the cause.' } } };
}

async function respond(request, response) {
  const done = (value) => ({ status: value === undefined ? 204 : 200, value });
  const { status, value } = await answer(request).then(done, problem);
  // Where the client is gone, what it began is saved.
  if (response.destroyed) return;
  if (!server.listening) response.setHeader('connection', 'close');
  response.setHeader('x-content-type-options', 'nosniff');
  if (value?.data instanceof Uint8Array) {
    const { data, mediaType, version } = value;
    const type = /^[ -~]+$/.test(mediaType) ? mediaType : 'application/octet-stream';
    // Whatever an agent has saved, no browser runs it here.
    response.setHeader('content-disposition', 'attachment');
    response.writeHead(status, { 'content-type': type, 'artifact-version': version }).end(data);
  } else {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  }
}

const begun = new Set();
const server = createServer((request, response) => {
  const work = respond(request, response).finally(() => begun.delete(work));
  begun.add(work);
});

/** Takes no more, ends what has begun, and closes the store. A second signal ends the process at once. */
async function shutDown() {
  server.close();
  for (const request of arriving) request.destroy();
  await Promise.all(begun);
  await store.close();
}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void shutDown());

// What was deleted can be restored for so long. Also, a store that cannot be used is noticed here.
await store.trash.empty({ deletedBefore: Date.now() - TRASH_LIFETIME });
server.listen(Number(PORT), HOST);
await once(server, 'listening');
console.log(`Listening on http://${HOST}:${server.address().port}`);
