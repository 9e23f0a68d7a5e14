import * as vscode from 'vscode';
import { DRAGGED_FROM_TREE } from '../../protocol/pageFacts.ts';
import type { TreeNode } from './treeNodes.ts';

/** How long a dragged item may still be dropped, in milliseconds: nobody holds a button for longer. */
const LIFETIME_MS = 60_000;

/**
 * A page gets none of the data an extension puts into a drag, only that it comes from the tree; so the data waits here.
 */
export class TreeDrag implements vscode.TreeDragAndDropController<TreeNode>, vscode.Disposable {
  readonly dragMimeTypes: readonly string[] = [DRAGGED_FROM_TREE];
  readonly dropMimeTypes: readonly string[] = [];
  private readonly started = new vscode.EventEmitter<void>();
  /** The item is droppable; there is no event for the end. */
  readonly onDidStart = this.started.event;
  private dragged: { readonly node: TreeNode; readonly at: number } | undefined;

  constructor(private readonly now: () => number = Date.now) {}

  handleDrag(source: readonly TreeNode[], data: vscode.DataTransfer): void {
    const node = source.find(({ kind }) => kind === 'branch' || kind === 'checkpoint');
    this.dragged = node && source.length === 1 ? { node, at: this.now() } : undefined;
    if (!this.dragged) return;
    data.set(DRAGGED_FROM_TREE, new vscode.DataTransferItem(node));
    this.started.fire();
  }

  /** The item dragged last, once; undefined if none could be dropped. */
  take(): TreeNode | undefined {
    const { dragged } = this;
    this.dragged = undefined;
    return dragged && this.now() - dragged.at < LIFETIME_MS ? dragged.node : undefined;
  }

  dispose(): void {
    this.started.dispose();
  }
}
