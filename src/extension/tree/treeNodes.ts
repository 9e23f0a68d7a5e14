import type { BranchData, CheckpointData } from '../../engine/graph.ts';

/**
 * A node of the tree. VS Code identifies nodes as objects, so one object stands for the same thing as long as that
 * exists; its look is requested each time. Commands get the node as their argument.
 */
export type TreeNode = ConversationNode | ProjectNode | OtherChatNode;

/** A node of a chat of this window. */
export type ConversationNode = ChatNode | BranchNode | CheckpointNode | MoreNode | TasksNode;

export interface ChatNode {
  readonly kind: 'chat';
  readonly chatId: string;
}

export interface BranchNode {
  readonly kind: 'branch';
  readonly chatId: string;
  readonly id: string;
  readonly name: string;
}

export interface CheckpointNode {
  readonly kind: 'checkpoint';
  readonly chatId: string;
  readonly id: string;
  readonly name: string;
  readonly messageId: string;
}

/** Stands for branches that are shown on demand: more than a few hundred at once would be slow and unreadable. */
export interface MoreNode {
  readonly kind: 'more';
  readonly chatId: string;
  /** The branch they fork from; undefined: at the top. */
  readonly parentId: string | undefined;
  readonly hidden: number;
}

/** Tasks explored for answers on a branch: details, shown on demand. */
export interface TasksNode {
  readonly kind: 'tasks';
  readonly chatId: string;
  /** The branch whose answers started them; undefined: it is gone. */
  readonly parentId: string | undefined;
}

/** Chats of this project in another store. */
export interface ProjectNode {
  readonly kind: 'project';
  /** The URI of its folder. */
  readonly store: string;
  /** Of no chat. */
  readonly chatId: '';
}

export interface OtherChatNode {
  readonly kind: 'otherChat';
  readonly store: string;
  /** In that store. */
  readonly chatId: string;
}

/** Returns the same object for the same node until it is forgotten, even after it was renamed. */
export class NodeCache {
  private readonly nodes = new Map<string, ConversationNode>();

  chat(chatId: string): ChatNode {
    return this.same({ kind: 'chat', chatId }, '');
  }

  branch({ chatId, id, name }: BranchData): BranchNode {
    return this.same({ kind: 'branch', chatId, id, name }, id);
  }

  checkpoint({ chatId, id, name, messageId }: CheckpointData): CheckpointNode {
    return this.same({ kind: 'checkpoint', chatId, id, name, messageId }, id);
  }

  more(chatId: string, parentId: string | undefined, hidden: number): MoreNode {
    return this.same({ kind: 'more', chatId, parentId, hidden }, parentId ?? '');
  }

  tasks(chatId: string, parentId: string | undefined): TasksNode {
    return this.same({ kind: 'tasks', chatId, parentId }, parentId ?? '');
  }

  forget(chatId: string): void {
    for (const [key, node] of this.nodes) if (node.chatId === chatId) this.nodes.delete(key);
  }

  private same<N extends ConversationNode>(node: N, id: string): N {
    const key = JSON.stringify([node.kind, node.chatId, id]);
    // The key contains the kind.
    const known = this.nodes.get(key) as N | undefined;
    if (known) return Object.assign(known, node);
    this.nodes.set(key, node);
    return node;
  }
}
