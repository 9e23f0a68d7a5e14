import assert from 'node:assert/strict';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type * as Engine from '../../../src/sdk/index.ts';
import { LocalServer } from '../../fixtures/localServer.ts';
import { databases } from '../../fixtures/postgres/databases.ts';
import { until } from '../../fixtures/until.ts';

const root = process.cwd();
const ann = 'demo/users/ann/sessions';
const bob = 'demo/users/bob/sessions';

type Environment = Readonly<Record<string, string>>;

const shownSession = z.object({
  branch: z.string(),
  state: z.record(z.string(), z.unknown()),
  messages: z.array(z.object({ invocationId: z.string() })),
});
const turnAnswer = z.object({ branch: z.string(), text: z.string() });
const refusal = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** As far as it is used here. */
interface SessionsModule {
  readonly Sessions: new (options: {
    readonly store: Engine.ContextStore;
    readonly app: string;
    readonly agent: (turn: { readonly state: unknown }) => Promise<unknown>;
  }) => {
    create(userId: string, options: { readonly sessionId: string }): Promise<unknown>;
    use<T>(userId: string, id: string, work: (context: Engine.ContextEngine) => Promise<T>): Promise<T>;
    run(context: Engine.ContextEngine, turn: { readonly message: string }): Promise<unknown>;
  };
}

/** A project with the example in it. What it imports is linked from here. */
async function makeProject(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'offshoot-service-')));
  await cp(path.join(root, 'examples', 'rewind-service'), folder, { recursive: true });
  await mkdir(path.join(folder, 'node_modules'));
  for (const [name, target] of [
    ['offshoot-engine', path.join(root, 'dist', 'engine')],
    ['zod', path.join(root, 'node_modules', 'zod')],
  ] as const) {
    await symlink(target, path.join(folder, 'node_modules', name), 'junction');
  }
  return folder;
}

interface Answer {
  readonly status: number;
  /** What its JSON says, or a text. */
  readonly body: unknown;
}

/** The example in a process of its own, as `npm start` runs it. */
class Service implements AsyncDisposable {
  errors = '';
  private readonly ended: Promise<unknown>;
  private origin = '';

  private constructor(private readonly child: ChildProcessByStdio<null, Readable, Readable>) {
    this.ended = once(child, 'close');
    child.stderr.on('data', (data) => (this.errors += String(data)));
    // Where a test fails before it ends the service, nothing else would.
    const atExit = (): void => void child.kill('SIGKILL');
    process.once('exit', atExit);
    child.once('close', () => process.removeListener('exit', atExit));
  }

  static async start(folder: string, environment: Environment): Promise<Service> {
    const none = ['APP', 'HOST', 'DATABASE_URL', 'FILE', 'OPENAI_BASE_URL', 'OPENAI_MODEL', 'OPENAI_API_KEY'];
    const own = { ...process.env, ...Object.fromEntries(none.map((name) => [name, undefined])), PORT: '0' };
    const child = spawn(process.execPath, ['server.mjs'], {
      cwd: folder,
      env: { ...own, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const service = new Service(child);
    service.origin = await new Promise((resolve, reject) => {
      const lines = createInterface({ input: child.stdout });
      lines.once('line', (line) => resolve(line.replace('Listening on ', '')));
      child.once('close', () => reject(new Error(`The service has ended: ${service.errors}`)));
    });
    return service;
  }

  /** @param address what comes after `/apps/` @param body a text, or what is sent as JSON */
  async ask(method: string, address: string, body?: unknown, headers: Environment = {}): Promise<Answer> {
    const sent = typeof body === 'string' ? body : body === undefined ? null : JSON.stringify(body);
    const response = await fetch(this.urlOf(address), { method, headers, body: sent });
    const text = await response.text();
    const isJson = response.headers.get('content-type') === 'application/json' && text !== '';
    return { status: response.status, body: isJson ? (JSON.parse(text) as unknown) : text };
  }

  urlOf(address: string): string {
    return `${this.origin}/apps/${address}`;
  }

  /** A turn that is saved. */
  async run(session: string, invocationId: string, message: string): Promise<z.infer<typeof turnAnswer>> {
    const { status, body } = await this.ask('POST', `${session}/run`, { message, invocationId });
    assert.equal(status, 200, JSON.stringify(body));
    return turnAnswer.parse(body);
  }

  async rewindBefore(session: string, invocationId: string): Promise<void> {
    const rewinding = { rewindBeforeInvocationId: invocationId };
    const { status, body } = await this.ask('POST', `${session}/rewind`, rewinding);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body, (await this.ask('GET', session)).body, 'it answers with the session as it is now');
  }

  /** The state, the turns of the branch, and two files: their texts, or the status they are answered with. */
  async seen(session: string): Promise<Record<string, unknown>> {
    const { state, messages } = shownSession.parse((await this.ask('GET', session)).body);
    const file = async (name: string): Promise<unknown> => {
      const { status, body } = await this.ask('GET', `${session}/artifacts/${name}`);
      return status === 200 ? body : status;
    };
    const turns = [...new Set(messages.map(({ invocationId }) => invocationId))];
    return { state, turns, f1: await file('f1'), f2: await file('f2') };
  }

  /** Asks it to end, as who stops it does. */
  tellToEnd(): void {
    this.child.kill('SIGTERM');
  }

  /** Its exit code, once it has ended. */
  async end(): Promise<number | null> {
    await this.ended;
    return this.child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}

/** A model server that answers when it is told to. */
class HeldModel extends LocalServer {
  private readonly held: ServerResponse[] = [];

  get waiting(): number {
    return this.held.length;
  }

  /** Answers all that wait. */
  release(status = 200): void {
    const choices = [{ message: { role: 'assistant', content: 'Yes.' } }];
    for (const response of this.held.splice(0)) {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ choices }));
    }
  }

  protected override async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await json(request);
    this.held.push(response);
  }
}

const places: Readonly<Record<string, (folder: string) => Promise<Environment>>> = {
  'in a file': async (folder) => ({ FILE: path.join(await mkdtemp(path.join(folder, 'store-')), 'kept.db') }),
  'on a PostgreSQL server': async () => ({ DATABASE_URL: (await databases.create())() }),
};

for (const [place, environmentOf] of Object.entries(places)) {
  describe(`examples/rewind-service, with sessions ${place}`, function () {
    this.timeout(60_000);
    let folder: string;
    let environment: Environment;

    before(async () => {
      folder = await makeProject();
    });
    beforeEach(async () => {
      environment = await environmentOf(folder);
    });
    after(() => rm(folder, { recursive: true, force: true }));

    it('goes back to what was there before a turn, and to what the session began with', async () => {
      const session = `${ann}/walk`;
      const began = { tenant: { id: 't1' }, color: 'white' };
      const beforeFirst = { state: began, turns: [], f1: 404, f2: 404 };
      const beforeSecond = { state: { ...began, k1: 'v1' }, turns: ['t1'], f1: 'f1v0', f2: 404 };
      const beforeThird = {
        state: { ...began, k1: 'v2', k2: 'v2' },
        turns: ['t1', 't2'],
        f1: 'f1v1',
        f2: 'f2v0',
      };
      {
        await using service = await Service.start(folder, environment);
        await service.ask('POST', ann, { sessionId: 'walk', state: began });
        assert.deepEqual(await service.seen(session), beforeFirst);
        const answers = [
          await service.run(session, 't1', 'set k1=v1; save f1=f1v0'),
          await service.run(session, 't2', 'set k1=v2; set k2=v2; save f1=f1v1; save f2=f2v0'),
          await service.run(session, 't3', 'set k2=v3'),
        ];
        assert.deepEqual(
          answers.map(({ text }) => text),
          [1, 3, 5].map((count) => `Done, with ${count} messages before me.`),
        );
        const state = { ...began, k1: 'v2', k2: 'v3' };
        assert.deepEqual(await service.seen(session), { ...beforeThird, state, turns: ['t1', 't2', 't3'] });

        await service.rewindBefore(session, 't2');
        assert.deepEqual(await service.seen(session), beforeSecond);
        // Nothing of what was left is sent.
        const { text } = await service.run(session, 't4', 'set color=red');
        assert.equal(text, 'Done, with 3 messages before me.');

        // A turn that was left can be named, and the first one twice.
        await service.rewindBefore(session, 't3');
        assert.deepEqual(await service.seen(session), beforeThird);
        assert.deepEqual((await service.ask('GET', `${session}/artifacts/f1/versions`)).body, [0, 1]);
        assert.equal((await service.ask('GET', `${session}/artifacts/f1?version=0`)).body, 'f1v0');
        for (let times = 0; times < 2; times++) {
          await service.rewindBefore(session, 't1');
          assert.deepEqual(await service.seen(session), beforeFirst);
        }
        assert.deepEqual((await service.ask('GET', `${session}/state`)).body, began);
        assert.deepEqual((await service.ask('GET', `${session}/artifacts`)).body, []);
        const { body } = await service.ask('GET', `${session}/events`);
        const kinds = z.array(z.object({ kind: z.string() })).parse(body);
        const count = (kind: string): number => kinds.filter((each) => each.kind === kind).length;
        assert.deepEqual([count('messages-saved'), count('rewound')], [5, 4]);
        assert.equal(service.errors, '');
      }
      await using again = await Service.start(folder, environment);
      assert.deepEqual(await again.seen(session), beforeFirst);
      await again.rewindBefore(session, 't3');
      assert.deepEqual(await again.seen(session), beforeThird);
    });

    it('refuses what it cannot do, changes nothing by it, and keeps users apart', async () => {
      await using service = await Service.start(folder, environment);
      const session = `${ann}/mine`;
      await service.ask('POST', ann, { sessionId: 'mine', state: { secret: 's' } });
      await service.run(session, 't1', 'save f1=f1v0');
      const before = (await service.ask('GET', session)).body;

      const turn = { message: 'Hello' };
      const rewinding = { rewindBeforeInvocationId: 't1' };
      const refused: readonly (readonly [string, string, unknown, number, string])[] = [
        ['POST', `${session}/rewind`, { rewindBeforeInvocationId: 't9' }, 404, 'invocation-not-found'],
        ['GET', `${session}/artifacts/f2`, undefined, 404, 'no-such-artifact'],
        ['GET', `${session}/artifacts/f1?version=1`, undefined, 404, 'no-such-artifact'],
        ['GET', `${session}/artifacts/f1?version=x`, undefined, 400, 'invalid-request'],
        ...[`${ann}/none`, `${bob}/mine`].flatMap((other) => [
          ['GET', other, undefined, 404, 'chat-not-found'] as const,
          ['DELETE', other, undefined, 404, 'chat-not-found'] as const,
          ['POST', `${other}/run`, turn, 404, 'chat-not-found'] as const,
          ['POST', `${other}/rewind`, rewinding, 404, 'chat-not-found'] as const,
          ...['events', 'state', 'artifacts', 'artifacts/f1', 'artifacts/f1/versions'].map(
            (what) => ['GET', `${other}/${what}`, undefined, 404, 'chat-not-found'] as const,
          ),
        ]),
        ['POST', ann, { sessionId: 'mine' }, 409, 'chat-exists'],
        ['POST', `${session}/run`, { ...turn, invocationId: 't1' }, 409, 'invocation-exists'],
        ['POST', `${session}/run`, 'x'.repeat(1024 * 1024 + 1), 413, 'body-too-large'],
        ['POST', `${session}/run`, '{"message": ', 400, 'invalid-request'],
        ['POST', `${session}/run`, { text: 'Hello' }, 400, 'invalid-request'],
        ['POST', `${session}/run`, { message: '\uD800' }, 400, 'not-storable'],
        ['POST', `${session}/run`, { ...turn, stateDelta: { 'app:limit': 1 } }, 400, 'invalid-request'],
        ['POST', ann, { sessionId: 'odd', state: { key: '\uD800' } }, 400, 'not-storable'],
        ['POST', ann, { sessionId: 'a\u0000b' }, 400, 'invalid-request'],
        ['GET', `${ann}/%FF`, undefined, 400, 'invalid-request'],
        ['PUT', session, turn, 404, 'no-such-address'],
        ['GET', 'other/users/ann/sessions', undefined, 404, 'no-such-address'],
      ];
      for (const [method, address, body, status, code] of refused) {
        const answer = await service.ask(method, address, body);
        const found = { status: answer.status, code: refusal.parse(answer.body).error.code };
        assert.deepEqual(found, { status, code }, `${method} ${address}`);
      }
      const byPage = await service.ask('POST', ann, {}, { origin: 'https://example.com' });
      assert.equal(byPage.status, 403);

      assert.deepEqual((await service.ask('GET', session)).body, before);
      const listed = async (of: string): Promise<string[]> => {
        const { body } = await service.ask('GET', of);
        return z
          .array(z.object({ id: z.string() }))
          .parse(body)
          .map(({ id }) => id);
      };
      assert.deepEqual([await listed(ann), await listed(bob)], [['mine'], []]);

      // Another user's session may have the same id.
      await service.ask('POST', bob, { sessionId: 'mine' });
      assert.deepEqual((await service.ask('GET', `${bob}/mine/state`)).body, {});
      assert.equal((await service.ask('DELETE', `${bob}/mine`)).status, 204);
      assert.deepEqual([await listed(ann), await listed(bob)], [['mine'], []]);
      assert.equal(service.errors, '');
    });

    it('saves one of two turns at once, and nothing of the other or of one that fails', async () => {
      await using model = await new HeldModel().listen();
      await using service = await Service.start(folder, { ...environment, OPENAI_BASE_URL: model.origin });
      const session = `${ann}/both`;
      await service.ask('POST', ann, { sessionId: 'both', state: { k: 'began' } });
      const ask = (invocationId: string): Promise<Answer> =>
        service.ask('POST', `${session}/run`, {
          message: 'Yes?',
          invocationId,
          stateDelta: { k: invocationId },
        });
      const waiting = (count: number): Promise<unknown> =>
        until(() => model.waiting === count, `${count} turns that wait for the model`);

      const both = [ask('a'), ask('b')];
      await waiting(2);
      model.release();
      const answers = await Promise.all(both);
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
      const lost = answers.find(({ status }) => status === 409);
      assert.equal(refusal.parse(lost?.body).error.code, 'head-conflict');
      const kept = answers[0]?.status === 200 ? 'a' : 'b';
      const after = await service.seen(session);
      assert.deepEqual([after['turns'], after['state']], [[kept], { k: kept }]);

      const failing = ask('c');
      await waiting(1);
      model.release(500);
      assert.equal(refusal.parse((await failing).body).error.code, 'agent-failed');
      assert.deepEqual(await service.seen(session), after);

      // Who rewinds does not wait for an answer, which stays on the branch it began on.
      const left = ask('d');
      await waiting(1);
      await service.rewindBefore(session, kept);
      model.release();
      assert.equal(turnAnswer.parse((await left).body).branch, 'main');
      const rewound = await service.seen(session);
      assert.deepEqual([rewound['turns'], rewound['state']], [[], { k: 'began' }]);
    });

    it('ends what has begun before it ends, but not what has not arrived', async function () {
      // Windows ends a process that is told to end.
      if (process.platform === 'win32') this.skip();
      await using model = await new HeldModel().listen();
      const session = `${ann}/last`;
      {
        await using service = await Service.start(folder, { ...environment, OPENAI_BASE_URL: model.origin });
        await service.ask('POST', ann, { sessionId: 'last' });
        const begun = service.ask('POST', `${session}/run`, { message: 'Yes?', invocationId: 'last' });
        const headers = { expect: '100-continue', 'content-length': 100 };
        const half = httpRequest(service.urlOf(ann), { method: 'POST', headers });
        const cut = once(half, 'error');
        half.flushHeaders();
        await once(half, 'continue');
        half.write('{');
        await until(() => model.waiting === 1, 'the turn that waits for the model');

        service.tellToEnd();
        await cut;
        const isRefused = (): Promise<boolean> =>
          service.ask('GET', ann).then(
            () => false,
            () => true,
          );
        await until(isRefused, 'the service to take no more');
        model.release();
        assert.equal((await begun).status, 200);
        assert.equal(await service.end(), 0);
        assert.equal(service.errors, '');
      }
      await using again = await Service.start(folder, environment);
      assert.deepEqual((await again.seen(session))['turns'], ['last']);
    });
  });
}

describe('a turn of examples/rewind-service', function () {
  this.timeout(60_000);
  let folder: string;
  before(async () => {
    folder = await makeProject();
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('is refused when another was saved while it was answered, also if it saves files', async () => {
    const load = (...names: string[]): Promise<unknown> =>
      import(pathToFileURL(path.join(folder, ...names)).href);
    const { Sessions } = (await load('sessions.mjs')) as SessionsModule;
    const engine = path.join('node_modules', 'offshoot-engine', 'index.mjs');
    const store = new ((await load(engine)) as typeof Engine).InMemoryContextStore();
    const turn = (): Promise<unknown> =>
      sessions.use('ann', 's', (context) => sessions.run(context, { message: 'Hello' }));
    let isFirst = true;
    const sessions = new Sessions({
      store,
      app: 'demo',
      agent: async () => {
        const text = isFirst ? 'first' : 'second';
        if (isFirst) {
          isFirst = false;
          // The second is asked and saved while the first is answered.
          await turn();
        }
        const bytes = new TextEncoder().encode(text);
        return { text, state: { by: text }, files: [{ name: 'f', mediaType: 'text/plain', bytes }] };
      },
    });
    await sessions.create('ann', { sessionId: 's' });
    await assert.rejects(turn(), { code: 'head-conflict' });
    const kept = await sessions.use('ann', 's', async (context) => ({
      turns: await context.getTurnCount(),
      state: await context.state.entries(),
      files: (await context.artifacts.list()).map(({ name, version }) => `${name} ${version}`),
    }));
    assert.deepEqual(kept, { turns: 1, state: [['by', 'second']], files: ['f 0'] });
    await store.close();
  });
});
