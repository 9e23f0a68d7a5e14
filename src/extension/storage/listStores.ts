import * as vscode from 'vscode';
import type { Host } from '../../host/hostMachine.ts';
import type { ProjectRecord } from '../../store/projects/projectRecord.ts';
import type { OpenedProject } from './openProject.ts';
import { shownPlace } from './relatedChats.ts';
import { readTitles } from './storeTitles.ts';

/** Of how many the chats are counted: each has to be read for that. */
const MOST_COUNTED = 30;

/** A store as the list shows it. */
export interface ListedStore {
  /** Of its folder. */
  readonly uri: string;
  readonly name: string;
  /** The folders of the workspaces that used it. */
  readonly paths: readonly string[];
  /** The workspace that it is opened with; undefined for that of windows without a folder. */
  readonly record: ProjectRecord | undefined;
  readonly isHere: boolean;
  /** None of those folders is there. */
  readonly isMissing: boolean;
  readonly size: number;
  /** In milliseconds since 1970; undefined where it is not known. */
  readonly usedAt: number | undefined;
  /** Undefined where they were not counted, or can't be. */
  readonly chats: number | undefined;
}

export interface Listing {
  readonly globalStorage: vscode.Uri;
  readonly host: Pick<Host, 'folderFacts' | 'isLocal' | 'pathOf' | 'platformFor'>;
  readonly project: OpenedProject;
}

/** That of this window first, then the last used. */
export async function listStores(deps: Listing): Promise<ListedStore[]> {
  const { globalStorage, host, project } = deps;
  const records = new Map<string, ProjectRecord[]>();
  for (const record of await project.projects.all()) {
    records.set(record.store, [...(records.get(record.store) ?? []), record]);
  }
  const shared = globalStorage.toString();
  const found = await Promise.all(
    [shared, ...records.keys()].map(async (uri) =>
      (await project.projects.hasStore(uri)) ? listed(deps, uri, records.get(uri) ?? []) : undefined,
    ),
  );
  const stores = found
    .filter((store) => store !== undefined)
    .sort(
      (one, other) => Number(other.isHere) - Number(one.isHere) || (other.usedAt ?? 0) - (one.usedAt ?? 0),
    );
  const counted: ListedStore[] = [];
  for (const store of stores) {
    const isCounted = counted.length < MOST_COUNTED;
    const chats = isCounted
      ? await readTitles(host, store.uri).then(
          ({ length }) => length,
          // It is listed without: opening it says what is wrong.
          () => undefined,
        )
      : undefined;
    counted.push({ ...store, chats });
  }
  return counted;
}

async function listed(
  { host, project }: Listing,
  uri: string,
  records: readonly ProjectRecord[],
): Promise<ListedStore> {
  // The one that the store is the own one of names it best.
  const record = records.find(({ place }) => place === uri) ?? records[0];
  const folders = records.flatMap((each) => each.folders);
  const { files } = host.platformFor(uri);
  const path = host.pathOf(uri);
  const own = await files.list(path);
  const blobs = await files.list(files.join(path, 'blobs'));
  const ages = own
    .filter(({ name }) => /^offshoot\.db(?:\.\d+\.journal)?$/u.test(name))
    .map(({ age }) => age);
  const isThere = await Promise.all(folders.map((folder) => isReachable(host, folder.uri)));
  const paths = [
    ...new Set([...folders.map((folder) => folder.uri), ...records.flatMap(({ file }) => file ?? [])]),
  ];
  return {
    uri,
    name: nameOf(record),
    paths: paths.map(shownPlace),
    record,
    isHere: uri === project.folder.toString(),
    isMissing: folders.length > 0 && !isThere.includes(true),
    size: [...own, ...blobs].reduce((sum, { size }) => sum + size, 0),
    usedAt: ages.length === 0 ? undefined : Date.now() - Math.min(...ages),
    chats: undefined,
  };
}

function nameOf(record: ProjectRecord | undefined): string {
  if (!record) return vscode.l10n.t('No folder');
  return record.name === '' ? vscode.l10n.t('Unknown project') : record.name;
}

/** A folder of another extension may be anywhere: it does not count as gone. */
async function isReachable(host: Listing['host'], uri: string): Promise<boolean> {
  return !host.isLocal(uri) || (await host.folderFacts(uri)).file !== undefined;
}
