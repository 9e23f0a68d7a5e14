import assert from 'node:assert/strict';
import type { MessageEffects } from '../../../../src/engine/effects.ts';
import { isOnNamedMachine } from '../../../../src/engine/machineFolder.ts';
import { storable } from '../../../../src/engine/storable.ts';
import { textMessage } from '../../../../src/engine/uiMessage.ts';
import { readEditsToReview } from '../../../../src/files/editsToReview.ts';
import { inspectPlan } from '../../../../src/files/inspectFiles.ts';
import { PostgresContextStore } from '../../../../src/store/postgres/postgresContextStore.ts';
import { databases } from '../../../fixtures/postgres/databases.ts';

const FOLDER = 'file:///home/ana/project';
const version = { hash: 'a'.repeat(64), size: 3 };
const effects: MessageEffects = {
  files: [{ folder: FOLDER, path: 'a.ts', before: null, after: version, at: 1 }],
};

describe('changes of files in a store that several machines share', () => {
  const opened: PostgresContextStore[] = [];
  let url: () => string;
  const storeOn = (machine?: string): PostgresContextStore => {
    const store = new PostgresContextStore({
      connectionString: url(),
      maxConnections: 2,
      ...(machine === undefined ? {} : { machine }),
    });
    opened.push(store);
    return store;
  };
  const foldersOf = async (store: PostgresContextStore): Promise<readonly (string | undefined)[]> => [
    (await store.getMessage('chat', 'm'))?.effects?.files?.[0]?.folder,
    (await store.getPath('chat', 'm'))[0]?.effects?.files?.[0]?.folder,
    (await store.listFileChanges('chat'))[0]?.files[0]?.folder,
  ];

  beforeEach(async () => {
    url = await databases.create();
    const desk = storeOn('desk');
    await desk.createChat({ id: 'chat', userId: 'ana' });
    const message = textMessage('m', 'assistant', 'done');
    await desk.saveMessages({
      chatId: 'chat',
      branch: 'main',
      expectedHead: null,
      onHeadConflict: 'error',
      newBranchAt: undefined,
      activate: false,
      messages: [
        {
          id: 'm',
          name: 'assistant',
          type: 'message',
          data: storable(message, 'message'),
          effects,
          invocationId: undefined,
          replaces: undefined,
        },
      ],
    });
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()));
    databases.giveBack(url());
  });

  it('are of the folder where they were made, and of none that is called the same elsewhere', async () => {
    assert.deepEqual(new Set(await foldersOf(storeOn('desk'))), new Set([FOLDER]));
    const elsewhere = await foldersOf(storeOn('laptop'));
    assert.equal(elsewhere.length, 3);
    for (const folder of elsewhere) assert.ok(folder !== undefined && isOnNamedMachine(folder), folder);
  });

  it('are to be reviewed where they were made only', async () => {
    const [desk, laptop] = [storeOn('desk'), storeOn('laptop')];
    assert.deepEqual(await readEditsToReview(laptop, 'chat'), []);
    const [edit] = await readEditsToReview(desk, 'chat');
    assert.equal(edit?.location.folder, FOLDER);
    const kept = { at: 2, files: [{ folder: FOLDER, path: 'a.ts' }] };
    await laptop.logEvent({ chatId: 'chat', kind: 'edits-reviewed', details: kept });
    assert.equal((await readEditsToReview(desk, 'chat')).length, 1, 'another machine decided about its own');
    await desk.logEvent({ chatId: 'chat', kind: 'edits-reviewed', details: kept });
    assert.deepEqual(await readEditsToReview(desk, 'chat'), []);
  });

  it('are not restored elsewhere, and it is said why', async () => {
    const laptop = storeOn('laptop');
    const [changed] = await laptop.listFileChanges('chat');
    const file = changed?.files[0];
    assert.ok(file);
    const never = (): never => assert.fail('no file is looked at');
    const planned = {
      location: { folder: file.folder, path: file.path },
      target: null,
      baseline: null,
      point: { messageId: null, decision: undefined },
      stand: { location: file, messageId: 'm', decision: undefined, version, baseline: version, at: 1 },
      isMixed: false,
      madeFolders: [],
    };
    const { files } = await inspectPlan(
      { branch: undefined, files: [planned] },
      {
        files: { read: never, isFolder: never, checkWrite: never } as never,
        blobs: laptop.blobs,
        editors: { unsavedText: never, discard: never, bringBack: never },
        maxFileSize: 1,
        isReadOnly: never,
      },
    );
    assert.equal(files[0]?.state, 'blocked');
    assert.match(files[0].problem ?? '', /another machine/u);
  });
});
