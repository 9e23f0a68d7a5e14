import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import type { FileVersion } from '../../../../src/engine/effects.ts';
import { assistant, user } from '../../../../src/engine/fragments/index.ts';
import { explainLine } from '../../../../src/mcp/reading/explainLine.ts';
import { PostgresContextStore } from '../../../../src/store/postgres/postgresContextStore.ts';
import { importedEdits } from '../../../fixtures/importedEdits.ts';
import { McpClient, serverOf } from '../../../fixtures/mcp/mcpClient.ts';
import { databases } from '../../../fixtures/postgres/databases.ts';
import { RealWorkspace } from '../../../fixtures/realWorkspace.ts';
import { documentOf, originsInWindow, type ShownOrigins } from '../../../fixtures/shownOrigins.ts';
import { until } from '../../../fixtures/until.ts';

const START = 'const first = 1;\nconst second = 2;\n';
const DOUBLED = START.replace('= 2', '= double(first)');

/** The checkout of a person on a machine of their own, with the store as they see it. */
class Person implements AsyncDisposable {
  readonly store: PostgresContextStore;

  private constructor(
    readonly name: string,
    readonly checkout: RealWorkspace,
    url: string,
  ) {
    this.store = new PostgresContextStore({
      ...{ connectionString: url, maxConnections: 2, machine: `the machine of ${name}` },
    });
  }

  static async of(name: string, url: string): Promise<Person> {
    return new Person(name, await RealWorkspace.make(), url);
  }

  /** An answer in a chat whose run leaves the file with a text. */
  async write(chatId: string, question: string, before: string | null, after: string): Promise<void> {
    const engine = new ContextEngine({ store: this.store, chatId, userId: this.name });
    const versions = {
      before: before === null ? null : await this.put(before),
      after: await this.put(after),
    };
    engine.files.add({ ...this.checkout.at('src/a.ts'), ...versions, at: Date.now() });
    await engine.set(user(question), assistant('done')).save();
    await engine.close();
    await this.checkout.put('src/a.ts', after);
  }

  /** What is shown over the lines of their own file, in a window that hears of what others do. */
  async window(): Promise<ShownOrigins> {
    await this.store.listen();
    const authors = {
      authorsOf: (chatId: string, ids: readonly string[]) => this.store.getAuthors(chatId, ids),
    };
    const deps = { store: this.store, userId: this.name, shared: authors };
    return originsInWindow(this.checkout.uri, deps);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store.close();
    await this.checkout[Symbol.asyncDispose]();
  }

  private async put(text: string): Promise<FileVersion> {
    const bytes = new TextEncoder().encode(text);
    return { hash: await this.store.blobs.put(bytes), size: bytes.length };
  }
}

describe('whose lines they are in a store on a PostgreSQL server', () => {
  let url: (role?: string) => string;
  let ana: Person;
  let bob: Person;

  before(() => databases.addPeople('ana', 'bob'));
  beforeEach(async () => {
    url = await databases.create();
    [ana, bob] = await Promise.all([Person.of('ana', url('ana')), Person.of('bob', url('bob'))]);
    await ana.write('chat', 'Begin with two', null, START);
  });
  afterEach(async () => {
    await ana[Symbol.asyncDispose]();
    await bob[Symbol.asyncDispose]();
    databases.giveBack(url());
  });

  it('is told in the checkout of another person, with the names of both, as far as it is shared', async () => {
    // Theirs came by git.
    await bob.checkout.put('src/a.ts', START);
    const { origins, hover } = await bob.window();
    const { document, type } = documentOf(`${bob.checkout.uri}/src/a.ts`, START);
    assert.equal(await hover(document, 0), undefined, 'a private chat');
    await ana.store.shareChat('chat', 'write');
    await until(async () => (await hover(document, 0)) !== undefined, 'the shared chat to be known');
    assert.match((await hover(document, 0)) ?? '', /“Begin with two”[^]*Step 1 · .* · ana\n/u);

    // Bob goes on in the chat of Ana.
    await bob.write('chat', 'Make it double', START, DOUBLED);
    type(DOUBLED);
    assert.match((await hover(document, 1)) ?? '', /“Make it double”[^]*Step 1 · .* · bob\n/u);
    assert.match((await hover(document, 0)) ?? '', /“Begin with two”[^]* · ana\n/u);
    origins.dispose();
  });

  it('is told of sessions that another person imported', async () => {
    const session = `${START}const third = 3;\n`;
    const edited = ['const third = 3;', 'const third = three();'] as const;
    const file = '/home/ana/elsewhere/src/a.ts';
    const imported = importedEdits('Of a terminal', file, session, edited);
    const [chatId = ''] = await ana.store.importChats('ana', [imported]);
    await ana.store.shareChat(chatId, 'read');
    await bob.checkout.put('src/a.ts', session.replace(...edited));
    const { origins, hover } = await bob.window();
    const { document } = documentOf(`${bob.checkout.uri}/src/a.ts`, session.replace(...edited));
    assert.match(
      (await hover(document, 2)) ?? '',
      /“Write it”[^]*Step 2 · .* · ana · imported from Claude Code\n/u,
    );
    origins.dispose();
  });

  it('is told to programs, by tool and by server, in the folder that they are in', async () => {
    await ana.store.shareChat('chat', 'write');
    await bob.write('chat', 'Make it double', START, DOUBLED);
    const { store, checkout } = bob;
    const files = { folders: () => [checkout.uri], text: () => Promise.resolve(DOUBLED) };
    const authors = { authorsOf: (id: string, ids: readonly string[]) => store.getAuthors(id, ids) };
    const reading = { store, userId: 'bob', files, authors };
    const { text } = await explainLine.run(reading, { path: 'src/a.ts', line: 1, endLine: 2 });
    assert.match(text, /^Line 1: .*, of ana$/mu);
    assert.match(text, /^Line 2: .*, of bob$/mu);

    const storage = await mkdtemp(path.join(tmpdir(), 'offshoot-mcp-'));
    try {
      const shared = ['--shared', url('bob')];
      const machine = ['--machine', 'the machine of bob'];
      // In the folder, and elsewhere on the machine where runs changed files.
      await using inside = await McpClient.start({ ...serverOf(storage, ...shared), cwd: checkout.folder });
      await using outside = await McpClient.start(serverOf(storage, ...shared, ...machine));
      for (const agent of [inside, outside]) {
        const answer = await agent.call('explain_line', { path: 'src/a.ts', line: 1, endLine: 2 });
        assert.match(answer.text, /^Line 1: .*, of ana$/mu);
        assert.match(answer.text, /^Line 2: .*, of bob$/mu);
      }
    } finally {
      await rm(storage, { recursive: true, force: true });
    }
  });
});
