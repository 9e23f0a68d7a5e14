import * as vscode from 'vscode';
import { copyChat, moveChat } from '../../conversation/copyChat.ts';
import { LOCAL_USER } from '../../engine/users.ts';
import { listedChats } from '../commands/listedChats.ts';
import { messageOf } from '../ui/failures.ts';
import { dayText, sizeText, timeAgo } from '../ui/formats.ts';
import { runCommand } from '../manifest/runCommand.ts';
import { notify } from '../ui/notifications.ts';
import { pickMany, pickOne, type PickRow } from '../ui/quickPick.ts';
import { listStores, type ListedStore } from './listStores.ts';
import { openInNewWindow, useStore, type ProjectParts } from './projectActions.ts';
import { shownPlace } from './relatedChats.ts';
import { RemovedStores, type RemovedStore } from './removedStores.ts';
import { readTitles } from './storeTitles.ts';
import { transfer } from './transferChats.ts';

type Row = PickRow & { readonly act?: () => Promise<unknown> };

/** All stores of this machine, and what can be done with them. */
export async function findConversations(deps: ProjectParts): Promise<void> {
  const removed = new RemovedStores(deps.host, deps.globalStorage);
  const rows = async (): Promise<Row[]> => {
    const stores = await listStores(deps);
    const gone = stores.filter(({ isMissing, isHere }) => isMissing && !isHere);
    return [
      ...stores.map((store) => storeRow(deps, store, stores)),
      ...(gone.length > 0 ? [cleanUpRow(deps, gone, removed)] : []),
      ...(await removed.list()).map((each) => removedRow(deps, each, removed)),
      ...elsewhereRows(),
    ];
  };
  const picked = await pickOne(rows(), {
    title: titleText(deps),
    placeHolder: vscode.l10n.t('Select a project to open, copy or move its chats'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  await picked?.act?.();
}

/** What a window sees is what is on the machine of its extensions. */
function titleText({ host }: ProjectParts): string {
  if (host.isBrowser) return vscode.l10n.t('Conversations in This Browser');
  const { remoteName } = vscode.env;
  return remoteName === undefined
    ? vscode.l10n.t('Conversations on This Machine')
    : vscode.l10n.t('Conversations on the Remote Machine ({0})', remoteName);
}

/** A window on another machine, or in a container, has its extensions there, and they see nothing else. */
function elsewhereRows(): Row[] {
  if (vscode.env.remoteName === undefined) return [];
  return [
    {
      icon: 'remote',
      label: vscode.l10n.t('Import Conversations of Another Machine…'),
      detail: vscode.l10n.t(
        'Chats outside this remote machine can’t be reached from here. Export them there first.',
      ),
      act: () => runCommand('offshoot.import'),
    },
  ];
}

function storeRow(deps: ProjectParts, store: ListedStore, all: readonly ListedStore[]): Row {
  const { chats, isHere, isMissing, name, size, usedAt } = store;
  return {
    icon: isHere ? 'check' : isMissing ? 'warning' : store.record ? 'folder' : 'window',
    label: name,
    description: [
      ...(isHere ? [vscode.l10n.t('this window')] : []),
      ...(!chats ? [] : [chats === 1 ? vscode.l10n.t('1 chat') : vscode.l10n.t('{0} chats', chats)]),
      ...(usedAt === undefined ? [] : [timeAgo(usedAt)]),
      sizeText(size),
    ].join(' · '),
    detail: [...(isMissing ? [vscode.l10n.t('Folder missing')] : []), ...store.paths].join(' · '),
    act: () => actOn(deps, store, all),
  };
}

async function actOn(deps: ProjectParts, store: ListedStore, all: readonly ListedStore[]): Promise<void> {
  const { name, record, isHere, isMissing, uri } = store;
  const [folder] = record?.folders ?? [];
  const toOpen = record?.file ?? folder?.uri;
  const rows: Row[] = [
    ...(toOpen === undefined || isMissing || isHere
      ? []
      : [
          {
            icon: 'empty-window',
            label: vscode.l10n.t('Open “{0}” in a New Window', name),
            act: () => openInNewWindow(toOpen),
          },
        ]),
    ...(isHere || !deps.project.given
      ? []
      : [
          {
            icon: 'folder-opened',
            label: vscode.l10n.t('Use All Chats from “{0}” Here', name),
            detail: vscode.l10n.t('The window reloads. New chats are kept with them.'),
            act: () => useStore(deps.project, uri, name),
          },
        ]),
    { icon: 'copy', label: vscode.l10n.t('Copy Chats…'), act: () => take(deps, store, all, false) },
    { icon: 'arrow-right', label: vscode.l10n.t('Move Chats…'), act: () => take(deps, store, all, true) },
  ];
  await (await pickOne(rows, { title: name }))?.act?.();
}

/** From any store to any other one. */
async function take(
  deps: ProjectParts,
  from: ListedStore,
  all: readonly ListedStore[],
  isMove: boolean,
): Promise<void> {
  const { host, log, openStore, store: own, userId } = deps;
  const listed = from.isHere ? await listedChats({ store: own, userId }) : await readTitles(host, from.uri);
  const chats = listed.map(({ id, title, updatedAt }) => ({
    id,
    label: title ?? vscode.l10n.t('New chat'),
    description: timeAgo(updatedAt),
  }));
  const title = isMove
    ? vscode.l10n.t('Move Chats of “{0}”', from.name)
    : vscode.l10n.t('Copy Chats of “{0}”', from.name);
  const picked = await pickMany(chats, { title, placeHolder: vscode.l10n.t('Select chats') });
  if (!picked || picked.length === 0) return;
  const targets = all.filter(({ uri }) => uri !== from.uri);
  const to = await pickOne(
    // This window first: it is what is meant most often.
    [...targets.filter(({ isHere }) => isHere), ...targets.filter(({ isHere }) => !isHere)].map((target) => ({
      icon: target.isHere ? 'check' : 'folder',
      label: target.name,
      ...(target.isHere ? { description: vscode.l10n.t('this window') } : {}),
      detail: target.paths.join(' · '),
      target,
    })),
    { title, placeHolder: vscode.l10n.t('Select where they go') },
  );
  if (!to) return;
  const { conversations } = deps;
  // Each is closed again: what another window writes to is written through it.
  const source = from.isHere
    ? { store: own, remove: (id: string): Promise<unknown> => conversations.deleteChat(id), close: nothing }
    : opened(openStore(from.uri));
  const target = to.target.isHere ? undefined : openStore(to.target.uri);
  try {
    const takeOne = (id: string) => {
      if (!target)
        return isMove ? conversations.moveHere(source, id) : conversations.copyHere(source.store, id);
      const there = { store: target, userId: LOCAL_USER };
      return isMove ? moveChat(source, id, there) : copyChat(source.store, id, there);
    };
    const { failures } = await transfer(picked, takeOne, { title, log });
    const count = picked.length - failures;
    if (count > 0) {
      void notify.information(
        count === 1
          ? vscode.l10n.t('The chat is in “{0}” now.', to.label)
          : vscode.l10n.t('{0} chats are in “{1}” now.', count, to.label),
      );
    }
  } finally {
    await target?.close();
    await source.close();
  }
}

function opened(other: ReturnType<ProjectParts['openStore']>) {
  return {
    store: other,
    remove: (id: string): Promise<unknown> => other.deleteChat(id, { userId: LOCAL_USER }),
    close: () => other.close(),
  };
}

function nothing(): Promise<void> {
  return Promise.resolve();
}

function cleanUpRow(deps: ProjectParts, gone: readonly ListedStore[], removed: RemovedStores): Row {
  return {
    icon: 'trash',
    label: vscode.l10n.t('Remove Chats of Missing Folders…'),
    description: sizeText(gone.reduce((sum, { size }) => sum + size, 0)),
    act: async () => {
      const rows = gone.map((store) => ({
        label: store.name,
        description: sizeText(store.size),
        detail: store.paths.join(' · '),
        store,
      }));
      const title = vscode.l10n.t('Remove Chats of Missing Folders');
      const picked = await pickMany(rows, {
        title,
        placeHolder: vscode.l10n.t('A folder may be on a disk that is not connected'),
      });
      if (!picked || picked.length === 0) return;
      await removeAll(deps, picked, removed);
    },
  };
}

async function removeAll(
  { project }: ProjectParts,
  picked: readonly { readonly label: string; readonly store: ListedStore }[],
  removed: RemovedStores,
): Promise<void> {
  const failures: string[] = [];
  for (const { label, store } of picked) {
    try {
      await removed.remove(vscode.Uri.parse(store.uri, true));
      await project.projects.forget(store.uri);
    } catch (error) {
      failures.push(`${label}: ${messageOf(error)}`);
    }
  }
  if (failures.length > 0) {
    void notify.error(vscode.l10n.t('These chats could not be removed: {0}', failures.join(' · ')));
  }
  if (failures.length === picked.length) return;
  void notify.information(vscode.l10n.t('Chats removed. “Find Conversations” can restore them for 30 days.'));
}

function removedRow({ project }: ProjectParts, each: RemovedStore, removed: RemovedStores): Row {
  return {
    icon: 'trash',
    label: vscode.l10n.t('Restore Removed Chats'),
    description: vscode.l10n.t('removed {0}', dayText(each.removedAt)),
    detail: shownPlace(each.place.toString()),
    act: async () => {
      await removed.restore(each);
      await project.projects.rebuild();
      void notify.information(vscode.l10n.t('The chats are back. “Find Conversations” lists them.'));
    },
  };
}
