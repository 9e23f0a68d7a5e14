import * as vscode from 'vscode';
import type { ViewId } from '../manifest/ids.ts';
import { inertText, plainText } from './inertText.ts';

/** A tree whose rows, message and description are shown as text, no matter which names they contain. */
export class TreeView<T extends object> implements vscode.Disposable {
  private readonly view: vscode.TreeView<T>;

  constructor(id: ViewId, options: vscode.TreeViewOptions<T>) {
    this.view = vscode.window.createTreeView(id, {
      ...options,
      treeDataProvider: plainRows(options.treeDataProvider),
    });
  }

  get visible(): boolean {
    return this.view.visible;
  }

  get selection(): readonly T[] {
    return this.view.selection;
  }

  /**
   * The rows that a key acts on: the selected ones, if one of them has the focus, or else the focused one. VS Code
   * reports only the selection to extensions, so the focused row is selected for a moment.
   */
  async rowsUnderKey(): Promise<readonly T[]> {
    const before = this.selection;
    await vscode.commands.executeCommand('list.toggleSelection');
    const added = this.selection.find((row) => !before.includes(row));
    await vscode.commands.executeCommand('list.toggleSelection');
    return added ? [added] : before;
  }

  /** Shown above the rows; '' for none. */
  set message(message: string) {
    this.view.message = inertText(message);
  }

  /** Shown next to the title; '' for none. */
  set description(description: string) {
    this.view.description = plainText(description);
  }

  onDidChangeVisibility(listener: (event: vscode.TreeViewVisibilityChangeEvent) => void): vscode.Disposable {
    return this.view.onDidChangeVisibility(listener);
  }

  async reveal(
    node: T,
    options: { readonly select: boolean; readonly focus: boolean; readonly expand: boolean },
  ): Promise<void> {
    await this.view.reveal(node, options);
  }

  dispose(): void {
    this.view.dispose();
  }
}

/** VS Code checks which of the optional methods exist. */
function plainRows<T>(provider: vscode.TreeDataProvider<T>): vscode.TreeDataProvider<T> {
  return {
    ...(provider.onDidChangeTreeData ? { onDidChangeTreeData: provider.onDidChangeTreeData } : {}),
    getChildren: (node) => provider.getChildren(node),
    getTreeItem: (node) => {
      const item = provider.getTreeItem(node);
      // An item that is available is passed on synchronously.
      return 'then' in item ? item.then(plainRow) : plainRow(item);
    },
    ...(provider.getParent ? { getParent: (node: T) => provider.getParent?.(node) } : {}),
    ...(provider.resolveTreeItem
      ? {
          resolveTreeItem: async (item: vscode.TreeItem, node: T, token: vscode.CancellationToken) => {
            const resolved = await provider.resolveTreeItem?.(item, node, token);
            return resolved && plainRow(resolved);
          },
        }
      : {}),
  };
}

/** A row interprets none of its texts; the positions of highlights in them stay valid. */
function plainRow(item: vscode.TreeItem): vscode.TreeItem {
  const { label, description, tooltip, accessibilityInformation } = item;
  const row = Object.assign(new vscode.TreeItem(plainLabel(label ?? '')), item);
  if (label !== undefined) row.label = plainLabel(label);
  if (typeof description === 'string') row.description = plainText(description);
  if (typeof tooltip === 'string') row.tooltip = plainText(tooltip);
  if (accessibilityInformation) {
    row.accessibilityInformation = {
      ...accessibilityInformation,
      label: plainText(accessibilityInformation.label),
    };
  }
  return row;
}

function plainLabel(label: string | vscode.TreeItemLabel): string | vscode.TreeItemLabel {
  return typeof label === 'string' ? plainText(label) : { ...label, label: plainText(label.label) };
}
