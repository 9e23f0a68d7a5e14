import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { ConversationTree } from '../../src/extension/tree/conversationTree.ts';
import type { TreeNode } from '../../src/extension/tree/treeNodes.ts';
import { offshoot } from './support.ts';

/** A new chat before each test, and a tree of its own that shows it. */
export interface ShownTree {
  readonly api: Offshoot;
  /** The one that {@link reopen} made last. */
  readonly tree: ConversationTree;
  /** Another tree, as a view that was closed and opened has one. */
  readonly reopen: () => void;
  /** The node of the chat that is open. */
  readonly openChat: () => Promise<TreeNode>;
  /** Everything below a node, each line with its icon, indented by two spaces per level. */
  readonly outline: (node: TreeNode) => Promise<string[]>;
}

export function useShownTree(): () => ShownTree {
  let shown: ShownTree | undefined;
  before(async () => {
    shown = makeShown(await offshoot());
  });
  beforeEach(async () => {
    await shown?.api.parts.current.startNew();
    shown?.reopen();
  });
  afterEach(() => shown?.tree.dispose());
  return () => {
    assert.ok(shown, 'there is a tree once the tests run');
    return shown;
  };
}

function makeShown(api: Offshoot): ShownTree {
  let tree = new ConversationTree(api.parts);
  const outline = async (node: TreeNode, indent: string): Promise<string[]> => {
    const lines: string[] = [];
    for (const child of await tree.getChildren(node)) {
      const { iconPath, label } = await tree.getTreeItem(child);
      const icon = iconPath instanceof vscode.ThemeIcon ? iconPath.id : '';
      const text = typeof label === 'string' ? label : (label?.label ?? '');
      lines.push(`${indent}${text} [${icon}]`, ...(await outline(child, `${indent}  `)));
    }
    return lines;
  };
  return {
    api,
    get tree() {
      return tree;
    },
    reopen: () => {
      tree.dispose();
      tree = new ConversationTree(api.parts);
    },
    openChat: async () => {
      const chatId = await api.parts.current.chatId();
      const node = (await tree.getChildren()).find((each) => each.chatId === chatId);
      assert.ok(node, 'the chat is in the tree');
      return node;
    },
    outline: (node) => outline(node, ''),
  };
}
