import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ConversationKeeper } from '../../../src/extension/chat/conversationKeeper.ts';
import { LastConversation, type LastFile } from '../../../src/extension/chat/lastConversation.ts';
import { uriOf } from '../../../src/host/node/fileUris.ts';
import { KeptFile } from '../../../src/host/node/keptFile.ts';
import { soon } from '../../fixtures/soon.ts';

describe('the conversation that is kept for the next start', () => {
  let folder: string;
  let file: string;
  let failures: unknown[];
  let keepers: ConversationKeeper[];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'offshoot-last-'));
    file = path.join(folder, 'storage', 'last.jsonl');
    failures = [];
    keepers = [];
  });
  afterEach(async () => {
    for (const each of keepers) each.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const last = (made = 'version en'): LastConversation =>
    new LastConversation(
      new KeptFile(uriOf(file)),
      () => made,
      (error) => failures.push(error),
    );
  const start = (): ConversationKeeper => {
    const keeper = new ConversationKeeper(last(), 1);
    keepers.push(keeper);
    return keeper;
  };
  const written = (): Promise<string> => readFile(file, 'utf8').catch(() => '');
  const keep = async (keeper: ConversationKeeper, text: string): Promise<void> => {
    keeper.keep(() => Promise.resolve([{ type: 'first' }, { type: 'second', text }]));
    await soon.equal(async () => (await written()).includes(text), true);
  };

  it('is taken once, as it was kept, from a file for this user alone', async () => {
    const keeper = start();
    const messages = [{ type: 'first' }, { type: 'second', text: 'line\nof text' }];
    keeper.keep(() => Promise.resolve(messages));
    await soon.equal(async () => (await written()).split('\n').length, 3);
    if (process.platform !== 'win32') assert.equal((await stat(file)).mode & 0o777, 0o600);
    const next = last();
    assert.deepEqual(await next.take(), messages);
    assert.deepEqual(await next.take(), []);
    assert.deepEqual(failures, []);
  });

  it('is what was given last', async () => {
    const keeper = start();
    keeper.keep(() => Promise.resolve([{ text: 'old' }]));
    await keep(keeper, 'new');
    assert.doesNotMatch(await written(), /old/u);
  });

  it('is written where it differs from what is kept, and after a failure', async () => {
    const writes: string[] = [];
    let fails = false;
    const counted: LastFile = {
      begin: () => undefined,
      read: () => Promise.resolve(undefined),
      write: (text: string) => {
        if (fails) return Promise.reject(new Error('no space'));
        return Promise.resolve(void writes.push(text.split('\n')[1] ?? ''));
      },
      remove: () => Promise.resolve(),
    };
    const failed = (error: unknown): void => void failures.push(error);
    const keeper = new ConversationKeeper({ file: counted, made: () => '', failed }, 1);
    keepers.push(keeper);
    let reads = 0;
    const keepAndRead = async (text: string): Promise<void> => {
      const before = reads;
      keeper.keep(() => Promise.resolve([{ text }]).finally(() => (reads += 1)));
      await soon.equal(() => Promise.resolve(reads > before), true);
    };
    await keepAndRead('a');
    await keepAndRead('a');
    await keepAndRead('b');
    await soon.equal(() => Promise.resolve(writes.length), 2);
    fails = true;
    await keepAndRead('c');
    await soon.equal(() => Promise.resolve(failures.length), 1);
    fails = false;
    await keepAndRead('c');
    await soon.equal(() => Promise.resolve(writes.length), 3);
    assert.deepEqual(writes, ['{"text":"a"}', '{"text":"b"}', '{"text":"c"}']);
  });

  it('is not that of another version or another language', async () => {
    await keep(start(), 'text');
    assert.deepEqual(await last('version de').take(), []);
  });

  it('is gone once it is forgotten, at once and for the next start', async () => {
    const keeper = start();
    await keep(keeper, 'secret');
    keeper.forget();
    await soon.equal(() => written(), '');
    assert.deepEqual(await last().take(), []);
    assert.deepEqual(failures, []);
  });

  it('is forgotten by a start that has not shown anything yet', async () => {
    await keep(start(), 'secret');
    start().forget();
    await soon.equal(() => written(), '');
  });

  it('is not kept if it was forgotten before', async () => {
    const keeper = start();
    await keep(keeper, 'old');
    keeper.keep(() => Promise.resolve([{ text: 'secret' }]));
    keeper.forget();
    await soon.equal(() => written(), '');
  });

  it('is not kept if it is long', async () => {
    const keeper = start();
    await keep(keeper, 'short');
    keeper.keep(() => Promise.resolve([{ text: 'x'.repeat(300_000) }]));
    await soon.equal(() => written(), '');
  });

  it('is none where the file is damaged, which is said', async () => {
    await keep(start(), 'text');
    await writeFile(file, (await written()).slice(0, -3));
    assert.deepEqual(await last().take(), []);
    assert.equal(failures.length, 1);
  });

  it('says what can’t be written', async () => {
    await writeFile(path.join(folder, 'storage'), 'no folder');
    start().keep(() => Promise.resolve([{}]));
    await soon.equal(() => failures.length, 1);
  });
});
