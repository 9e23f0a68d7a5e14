import * as vscode from 'vscode';
import { Emitter } from '../../base/emitter.ts';
import { delay } from '../../host/timers.ts';
import type { RelatedStore } from '../../store/projects/projects.ts';
import type { Banners } from '../ui/banners.ts';
import { logFailure } from '../ui/failures.ts';
import { shownName } from '../ui/shownName.ts';
import type { OpenedProject } from './openProject.ts';

/** How long the tree may wait before it says that there is nothing, in milliseconds: git may take longer. */
const LOOK_MS = 2_000;

/** How many are shown; Find Conversations lists the others. */
const MOST = 10;

/** A chat in another store, as much as a row shows. */
export interface TitledChat {
  readonly id: string;
  readonly title: string | undefined;
  readonly updatedAt: number;
}

export interface RelatedChatsOfStore extends RelatedStore {
  /** The workspace they were made in, for display. */
  readonly name: string;
  readonly chats: readonly TitledChat[];
}

/** A store that was made with one of the folders alone, and whose chats are among those of this window. */
export interface JoinedProject {
  /** The URI of its folder. */
  readonly store: string;
  /** The name of the folder. */
  readonly name: string;
}

/**
 * Conversations of this project that are in other stores. Those of one of several open folders are joined to those of
 * this window. Those of the same folders, or of some, are always shown; those that are likely of the same project are
 * offered while there are no others.
 */
export class RelatedChats implements vscode.Disposable {
  private readonly changed = new Emitter<undefined>();
  private found: readonly RelatedChatsOfStore[] = [];
  private joinedProjects: readonly JoinedProject[] = [];
  private looking: Promise<void> | undefined;
  private noting: Promise<void> | undefined;

  readonly onDidChange = this.changed.event;

  constructor(
    private readonly deps: {
      readonly banners: Banners;
      readonly log: vscode.LogOutputChannel;
      readonly project: OpenedProject;
      /** Resolves when there is time: what is shown first does not wait for this. */
      readonly mayLook: Promise<unknown>;
      readonly readTitles: (store: string) => Promise<readonly TitledChat[]>;
      readonly hasOwnChats: () => Promise<boolean>;
      /** Where several folders are open: joins a store to that of this window. */
      readonly join: ((store: string) => Promise<void>) | undefined;
      /** The store that a chat of this window is in, if it is a joined one. */
      readonly storeOf: (chatId: string) => Promise<string | undefined>;
      /** The conversations are in a shared store: those of this machine do not matter. */
      readonly isShared: boolean;
    },
  ) {
    const { banners, project } = deps;
    if (project.from) {
      const title = vscode.l10n.t('Chats of “{0}”', shownName(project.from.name));
      banners.show({ id: 'same-project', severity: 'info', title, text: usedText(project.from) });
    }
  }

  /** Surest first. */
  get all(): readonly RelatedChatsOfStore[] {
    return this.found;
  }

  get joined(): readonly JoinedProject[] {
    return this.joinedProjects;
  }

  /** The joined store that a chat of this window is in. */
  storeOf(chatId: string): Promise<string | undefined> {
    return this.joinedProjects.length === 0 ? Promise.resolve(undefined) : this.deps.storeOf(chatId);
  }

  /** Resolves when it is known what there is, or when that takes long. */
  async looked(): Promise<void> {
    await Promise.race([this.look(), delay(LOOK_MS)]);
  }

  /** Looks once. Never fails; later calls wait for the same. */
  async start(): Promise<void> {
    await this.look();
    if (await this.deps.hasOwnChats().catch(() => false)) await this.used();
  }

  /** There are chats here: notes once which store is in use, so that they are found again. Never fails. */
  async used(): Promise<void> {
    await (this.noting ??= this.attempt(async () => {
      const { isShared, mayLook, project } = this.deps;
      if (!project.given || isShared) return;
      await mayLook;
      await project.projects.note(project.folder.toString());
    }));
  }

  /** @param store the URI of one that is not shown any more */
  forget(store: string): void {
    this.found = this.found.filter((each) => each.store !== store);
    this.deps.banners.hide(bannerOf(store));
    this.changed.fire(undefined);
  }

  /** @param chatId of a chat that is not there any more */
  forgetChat(store: string, chatId: string): void {
    this.found = this.found.map((each) =>
      each.store === store ? { ...each, chats: each.chats.filter(({ id }) => id !== chatId) } : each,
    );
    if (this.found.some((each) => each.store === store && each.chats.length === 0)) this.forget(store);
    else this.changed.fire(undefined);
  }

  dispose(): void {
    this.changed.dispose();
  }

  private look(): Promise<void> {
    return (this.looking ??= this.attempt(() => this.lookNow()));
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      logFailure(this.deps.log, 'Conversations of this project', error);
    }
  }

  private async lookNow(): Promise<void> {
    const { banners, project, mayLook, readTitles, hasOwnChats, isShared } = this.deps;
    if (!project.given || isShared) return;
    await mayLook;
    const related = await project.projects.related(project.folder.toString());
    if (related.length === 0) return;
    const joined = await this.joinAll(related);
    const isEmpty = !(await hasOwnChats());
    const left = related.filter(({ store }) => !joined.some((each) => each.store === store));
    const found: RelatedChatsOfStore[] = [];
    for (const each of left.filter(({ kind }) => isEmpty || kind !== 'likely').slice(0, MOST)) {
      const chats = await readTitles(each.store).catch((error: unknown) => {
        logFailure(this.deps.log, 'Conversations of another store', error);
        return [];
      });
      if (chats.length === 0) continue;
      found.push({ ...each, name: each.record.name, chats });
    }
    this.found = found;
    if (isEmpty) {
      for (const { store, name } of found) {
        const text = vscode.l10n.t('This project has conversations from “{0}”.', name);
        const title = vscode.l10n.t('Chats found elsewhere');
        banners.show({ id: bannerOf(store), severity: 'info', title, text, offer: store });
      }
    }
    this.changed.fire(undefined);
  }

  /** What can't be opened is listed as that of other projects is. */
  private async joinAll(related: readonly RelatedStore[]): Promise<readonly JoinedProject[]> {
    const { join, log } = this.deps;
    if (!join) return [];
    for (const { kind, record, store } of related) {
      const [folder, ...others] = record.folders;
      if (kind !== 'part' || !folder || others.length > 0) continue;
      try {
        await join(store);
        this.joinedProjects = [...this.joinedProjects, { store, name: folder.name }];
      } catch (error) {
        logFailure(log, 'Conversations of a folder', error);
      }
    }
    return this.joinedProjects;
  }
}

function bannerOf(store: string): string {
  return `related ${store}`;
}

function usedText({ name, folders, file }: NonNullable<OpenedProject['from']>): string {
  const where = file ?? folders[0]?.uri;
  const shown = where === undefined ? name : shownPlace(where);
  return vscode.l10n.t('The chats of {0} are shown here: it is the same project.', shown);
}

/** A folder or a file as a user knows it. */
export function shownPlace(uri: string): string {
  try {
    return vscode.Uri.parse(uri, true).fsPath;
  } catch {
    // It is shown, not opened.
    return uri;
  }
}
