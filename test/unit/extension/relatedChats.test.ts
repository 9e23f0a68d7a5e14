import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { BannerView } from '../../../src/protocol/chatFromHost.ts';
import type { Projects, RelatedStore } from '../../../src/store/projects/projects.ts';
import type { RelatedChats as Chats } from '../../../src/extension/storage/relatedChats.ts';
import type { Banners } from '../../../src/extension/ui/banners.ts';
import { projectFolder, projectRecord } from '../../fixtures/projectFolders.ts';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';

let RelatedChats: typeof Chats;
before(async () => {
  ({ RelatedChats } = await withVsCodeStub(() => import('../../../src/extension/storage/relatedChats.ts')));
});

type Deps = ConstructorParameters<typeof Chats>[0];

const [app, api] = [projectFolder('app'), projectFolder('api')];

const related = (id: string, kind: RelatedStore['kind'], ...folders: (typeof app)[]): RelatedStore => ({
  store: id,
  kind,
  record: projectRecord(id, folders),
});

/** What is there of other stores, in a window whose own has no chats unless `more` says so. */
function make(found: readonly RelatedStore[], more: Partial<Deps> = {}) {
  const banners = new Map<string, BannerView>();
  const noted: string[] = [];
  const logged: string[] = [];
  const projects = {
    related: () => Promise.resolve(found),
    note: (store: string) => Promise.resolve(void noted.push(store)),
  } as unknown as Projects;
  const folder = { toString: () => 'own' } as vscode.Uri;
  const project = { given: folder, folder, others: [], projects, from: undefined };
  const log = (text: string): void => void logged.push(text);
  const chats = new RelatedChats({
    banners: {
      show: (banner: BannerView) => banners.set(banner.id, banner),
      hide: (id: string) => banners.delete(id),
    } as unknown as Banners,
    log: { warn: log, error: log } as unknown as vscode.LogOutputChannel,
    project,
    mayLook: Promise.resolve(),
    readTitles: (store) => Promise.resolve([{ id: `chat of ${store}`, title: 'one', updatedAt: 1 }]),
    hasOwnChats: () => Promise.resolve(false),
    join: undefined,
    storeOf: () => Promise.resolve(undefined),
    isShared: false,
    ...more,
  });
  return { banners, chats, logged, noted, project };
}

describe('chats of this project that are elsewhere', () => {
  it('are listed and offered in a window without chats, and not offered once they are refused', async () => {
    const { banners, chats } = make([related('1', 'same', app), related('2', 'likely', app)]);
    let changes = 0;
    chats.onDidChange(() => (changes += 1));
    await chats.start();
    assert.deepEqual(
      chats.all.map(({ store, name }) => [store, name]),
      [
        ['1', 'app'],
        ['2', 'app'],
      ],
    );
    assert.deepEqual(
      [...banners.values()].map(({ offer }) => offer),
      ['1', '2'],
    );
    chats.forget('1');
    assert.deepEqual(
      [...banners.values()].map(({ offer }) => offer),
      ['2'],
    );
    assert.equal(changes, 2);
  });

  it('are listed where there are own ones only if there is no doubt, and offered no more', async () => {
    const found = [related('1', 'same', app), related('2', 'part', app, api), related('3', 'likely', app)];
    const { banners, chats, noted } = make(found, { hasOwnChats: () => Promise.resolve(true) });
    await chats.start();
    assert.deepEqual(
      chats.all.map(({ store }) => store),
      ['1', '2'],
    );
    assert.equal(banners.size, 0);
    assert.deepEqual(noted, ['own']);
  });

  it('are joined where they were made with one of several folders, and listed if that fails', async () => {
    const join = (store: string): Promise<void> =>
      store === '2' ? Promise.reject(new Error('locked')) : Promise.resolve();
    const found = [related('1', 'part', app), related('2', 'part', api), related('3', 'part', app, api)];
    const { chats, logged } = make(found, { join, storeOf: () => Promise.resolve('1') });
    await chats.start();
    assert.deepEqual(chats.joined, [{ store: '1', name: 'app' }]);
    assert.equal(await chats.storeOf('any'), '1');
    assert.deepEqual(
      chats.all.map(({ store }) => store),
      ['2', '3'],
    );
    assert.equal(logged.length, 1);
  });

  it('are left out where they can’t be read, or there are none', async () => {
    const { chats, logged } = make([related('1', 'same', app), related('2', 'same', app)], {
      readTitles: (store) => (store === '1' ? Promise.reject(new Error('damaged')) : Promise.resolve([])),
    });
    await chats.start();
    assert.deepEqual([chats.all.length, logged.length], [0, 1]);
  });

  it('are not looked for without a folder, nor where chats are in a shared store', async () => {
    const found = [related('1', 'same', app)];
    const { project } = make([]);
    for (const more of [{ isShared: true }, { project: { ...project, given: undefined } }]) {
      const { chats, noted } = make(found, { ...more, hasOwnChats: () => Promise.resolve(true) });
      await chats.start();
      await chats.looked();
      assert.deepEqual([chats.all, noted], [[], []]);
    }
  });

  it('are gone from the list one by one as they are moved, and with the last one what offers them', async () => {
    const { banners, chats } = make([related('1', 'same', app)]);
    await chats.start();
    chats.forgetChat('1', 'chat of 1');
    assert.deepEqual([chats.all.length, banners.size], [0, 0]);
  });

  it('notes once that this window has chats', async () => {
    const { chats, noted } = make([]);
    await chats.start();
    assert.deepEqual(noted, []);
    await chats.used();
    await chats.used();
    assert.deepEqual(noted, ['own']);
  });
});
