import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { BranchData } from '../../engine/graph.ts';
import type { ShownChat, CurrentChat } from '../commands/currentChat.ts';
import type { FileMoves } from '../files/fileMoves.ts';
import type { SelectedMode } from '../tools/selectedMode.ts';
import { requireMoveInOwnFiles, type MoveInOwnFilesParts } from '../branches/moveInOwnFiles.ts';
import { PlanDocuments, planBranchOf } from './planDocuments.ts';

/** What is done with plans; loaded with the first one. */
export class PlansWork implements Disposable {
  private readonly documents: PlanDocuments;

  constructor(
    private readonly deps: MoveInOwnFilesParts & {
      readonly current: CurrentChat;
      readonly log: vscode.LogOutputChannel;
      readonly mode: SelectedMode;
      readonly moves: FileMoves;
      readonly store: ReadonlyStore;
    },
    private readonly chat: ShownChat,
  ) {
    this.documents = new PlanDocuments(deps);
  }

  /** @param messageId of an answer that is the plan, if the branch keeps none yet */
  async open(messageId: string | undefined): Promise<void> {
    const branch = await this.activeBranch();
    if (!branch) return;
    const on = { chatId: branch.chatId, branchId: branch.id };
    await (await this.deps.conversations.plans()).ensure(on, messageId);
    await this.documents.open(on);
  }

  /** @param argument the address of its document; else the one in the active editor */
  async implementOpen(argument: unknown): Promise<void> {
    const { conversations, current, store } = this.deps;
    const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
    const on = uri && planBranchOf(uri);
    if (!on) return;
    const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
    if (document?.isDirty === true && !(await document.save())) return;
    await current.open(on.chatId);
    const branches = await store.listBranches(on.chatId, { includeArchived: true });
    const branch = branches.find(({ id }) => id === on.branchId);
    if (branch?.isActive === false) await conversations.switchBranch(branch.name);
    await this.implement(undefined, false);
    const now = await this.activeBranch();
    // The editor follows the plan to its branch, where it is ticked.
    if (!now || now.chatId !== on.chatId || now.id === on.branchId) return;
    await this.documents.close(uri);
    await this.documents.open({ chatId: now.chatId, branchId: now.id }, { preserveFocus: true });
  }

  /** Goes on with a plan that was begun; any other is implemented on a branch of its own, so that others can be tried. */
  async implement(given: string | undefined, isInOwnFiles: boolean): Promise<void> {
    const { conversations, mode, moves } = this.deps;
    const plans = await conversations.plans();
    const branch = await this.activeBranch();
    if (!branch) return;
    const { chatId } = branch;
    const { messageId, isBegun } = await plans.toImplement(branch, given);
    if (!isBegun || isInOwnFiles) {
      const title = vscode.l10n.t('Implement Plan');
      const inOwnFiles = isInOwnFiles ? await requireMoveInOwnFiles(this.deps, chatId, title) : undefined;
      const moved = await moves.go({
        chatId,
        messageId,
        title,
        inOwnFiles,
        isInOwnFiles,
        move: () => conversations.rewind(messageId),
      });
      if (!moved) return;
    }
    const question = isBegun
      ? vscode.l10n.t('Implement the open steps of the plan.')
      : vscode.l10n.t('Implement this plan.');
    const parts = await plans.partsFor((await this.activeBranch()) ?? branch);
    await mode.select('agent');
    await conversations.ask(question, parts);
    await this.chat.focus();
  }

  dispose(): void {
    this.documents.dispose();
  }

  /** Undefined where nothing was asked yet. */
  private async activeBranch(): Promise<BranchData | undefined> {
    const { current, store } = this.deps;
    const chatId = await current.chatId();
    return (await store.getChat(chatId)) && store.getActiveBranch(chatId);
  }
}
