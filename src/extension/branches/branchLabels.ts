import * as vscode from 'vscode';
import { FIRST_BRANCH, isGivenName } from '../../engine/branchNames.ts';
import type { BranchData } from '../../engine/graph.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { Disposable } from '../../base/disposable.ts';
import { PromiseCache } from '../../base/promiseCache.ts';
import { BranchTitles } from './branchTitles.ts';
import type { ChatOutline, OutlinedBranch } from './outline.ts';
import { Outlines } from './outlines.ts';

const MAX_CHATS = 20;

/** Maps the name of a branch of a chat to the label users read. */
export type BranchLabeler = (name: string) => string;

interface KeptLabels {
  readonly labels: ReadonlyMap<string, string>;
  /** Branches without messages: the first message gives them another label. */
  readonly unnamed: ReadonlySet<string>;
}

/** Generated names are for scripts: users read labels. A chat is read again only after a change that affects them. */
export class BranchLabels implements Disposable {
  readonly outlines: Outlines;
  private readonly titles: BranchTitles;
  private readonly kept = new PromiseCache<KeptLabels>(MAX_CHATS);
  private readonly subscription: Disposable;

  constructor(private readonly store: ReadonlyStore) {
    this.outlines = new Outlines(store);
    this.titles = new BranchTitles(store, mainLine());
    this.subscription = store.onDidChange((change) => {
      // Which branch is active does not affect labels.
      if (change.kind === 'branch' && change.change === 'switched') return;
      if (change.kind === 'chat' || change.kind === 'branch') this.kept.forget(change.chatId);
      else if (change.kind === 'messages') this.follow(change.chatId, change.branch);
    });
  }

  /** A branch that does not exist held nothing, unless a user named it. */
  async of(chatId: string): Promise<BranchLabeler> {
    const { labels } = await this.kept.get(chatId, () => this.readLabels(chatId));
    return (name) => labels.get(name) ?? unknownLabel(name);
  }

  async label(chatId: string, name: string): Promise<string> {
    return (await this.of(chatId))(name);
  }

  /** The current labels of some branches of a chat that may have very many others. */
  async labelsOf(chatId: string, branches: readonly BranchData[]): Promise<string[]> {
    const outline = await this.outlines.of(chatId);
    return Promise.all(
      branches.map(async ({ id, name }) => {
        const outlined = outline?.find(id);
        return outline && outlined ? this.labelIn(outline, outlined) : unknownLabel(name);
      }),
    );
  }

  /** Another window may have changed anything. */
  forget(): void {
    this.outlines.forget();
    this.kept.clear();
  }

  dispose(): void {
    this.subscription.dispose();
    this.forget();
    this.outlines.dispose();
  }

  private async labelIn(outline: ChatOutline, outlined: OutlinedBranch): Promise<string> {
    const label = await this.titles.labelOf(outline, outlined);
    return label === '' ? vscode.l10n.t('New branch') : label;
  }

  private async readLabels(chatId: string): Promise<KeptLabels> {
    const labels = new Map<string, string>();
    const unnamed = new Set<string>();
    if (!this.outlines.has(chatId)) {
      const isThere = (await this.store.getChat(chatId)) !== undefined;
      const branches = isThere ? await this.store.listBranches(chatId, { includeArchived: true }) : [];
      // Most chats have only one branch, and may be long.
      if (branches.length < 2) {
        for (const { name } of branches) labels.set(name, isGivenName(name) ? name : mainLine());
        return { labels, unnamed };
      }
    }
    const outline = await this.outlines.of(chatId);
    for (const branch of outline?.branches ?? []) {
      const outlined = outline?.find(branch.id);
      if (!outline || !outlined) continue;
      labels.set(branch.name, await this.labelIn(outline, outlined));
      if (outlined.firstOwnId === undefined) unnamed.add(branch.name);
    }
    return { labels, unnamed };
  }

  private follow(chatId: string, branch: string): void {
    const known = this.kept.peek(chatId);
    void known?.then(
      ({ unnamed }) => {
        if (unnamed.has(branch) && this.kept.peek(chatId) === known) this.kept.forget(chatId);
      },
      () => undefined,
    );
  }
}

function unknownLabel(name: string): string {
  if (isGivenName(name)) return name;
  return name === FIRST_BRANCH ? mainLine() : vscode.l10n.t('New branch');
}

/** The label of the branch that a chat begins with, until a user names it. */
export function mainLine(): string {
  return vscode.l10n.t('Main line');
}
