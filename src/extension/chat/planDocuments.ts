import * as vscode from 'vscode';
import { z } from 'zod';
import { MAX_PLAN } from '../../agent/plans/planFacts.ts';
import type { Conversations } from '../../conversation/conversations.ts';
import type { PlanBranch } from '../../conversation/plans.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { logFailure } from '../ui/failures.ts';
import { PLAN_SCHEME } from './planScheme.ts';
import { VirtualFiles } from '../ui/virtualFiles.ts';

const planBranch = z.object({ chatId: z.string(), branchId: z.string() });

/** What an editor was last given: what it saves is an edit of that. */
interface Given {
  readonly text: string;
  readonly version: number;
}

/**
 * The plans of branches as Markdown documents: saving one adds a version on its branch, and what is ticked shows in
 * editors without unsaved changes.
 */
export class PlanDocuments extends VirtualFiles {
  private readonly given = new Map<string, Given>();
  private readonly subscriptions = new DisposableStore();

  constructor(
    private readonly deps: {
      readonly conversations: Pick<Conversations, 'plans'>;
      readonly store: Pick<ReadonlyStore, 'onDidChange'>;
      readonly log: vscode.LogOutputChannel;
    },
  ) {
    super();
    this.subscriptions.addAll(
      vscode.workspace.registerFileSystemProvider(PLAN_SCHEME, this, { isCaseSensitive: true }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.given.delete(uri.toString())),
      deps.store.onDidChange(({ chatId }) => {
        for (const { uri, isDirty } of vscode.workspace.textDocuments) {
          if (!isDirty && planBranchOf(uri)?.chatId === chatId) this.look(uri);
        }
      }),
    );
  }

  async open(on: PlanBranch, how: vscode.TextDocumentShowOptions = {}): Promise<void> {
    const path = `/${vscode.l10n.t('Plan')}.md`;
    const uri = vscode.Uri.from({ scheme: PLAN_SCHEME, path, query: JSON.stringify(on) });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: false, ...how });
  }

  async close(uri: vscode.Uri): Promise<void> {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const own = tabs.filter(
      ({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
    );
    await vscode.window.tabGroups.close(own, true);
  }

  override async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { text, version } = await this.current(uri);
    const size = new TextEncoder().encode(text).byteLength;
    return { type: vscode.FileType.File, ctime: 0, mtime: version, size };
  }

  override async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return new TextEncoder().encode((await this.current(uri)).text);
  }

  override async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const on = require(uri);
    const after = new TextDecoder().decode(content);
    if (after.length > MAX_PLAN) {
      throw vscode.FileSystemError.Unavailable(
        vscode.l10n.t('A plan has at most {0} characters. Shorten it and save again.', MAX_PLAN),
      );
    }
    const plans = await this.deps.conversations.plans();
    const before = this.given.get(uri.toString());
    if (after !== before?.text) {
      await plans.edit(
        on,
        { before: before?.text ?? (await plans.read(on)), after },
        vscode.l10n.t('I edited the plan.'),
      );
    }
    this.given.set(uri.toString(), { text: after, version: (before?.version ?? 0) + 1 });
    // What was ticked since then is shown as well.
    this.look(uri);
  }

  override dispose(): void {
    super.dispose();
    this.subscriptions.dispose();
    this.given.clear();
  }

  /** As it is now; with unsaved changes as it was given, because those are merged with it when they are saved. */
  private async current(uri: vscode.Uri): Promise<Given> {
    const on = require(uri);
    const key = uri.toString();
    const before = this.given.get(key);
    const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === key);
    if (before && document?.isDirty === true) return before;
    const text = await this.read(uri, on);
    if (before?.text === text) return before;
    const now = { text, version: (before?.version ?? 0) + 1 };
    this.given.set(key, now);
    return now;
  }

  private async read(uri: vscode.Uri, on: PlanBranch): Promise<string> {
    try {
      return await (await this.deps.conversations.plans()).read(on);
    } catch (error) {
      logFailure(this.deps.log, 'A plan could not be read', error);
      throw vscode.FileSystemError.FileNotFound(uri);
    }
  }

  private look(uri: vscode.Uri): void {
    this.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }
}

/** The branch whose plan a document is; undefined for other documents. */
export function planBranchOf(uri: vscode.Uri): PlanBranch | undefined {
  if (uri.scheme !== PLAN_SCHEME) return undefined;
  try {
    return planBranch.safeParse(JSON.parse(uri.query)).data;
  } catch {
    return undefined;
  }
}

/** @throws FileSystemError */
function require(uri: vscode.Uri): PlanBranch {
  const on = planBranchOf(uri);
  if (!on) throw vscode.FileSystemError.FileNotFound(uri);
  return on;
}
