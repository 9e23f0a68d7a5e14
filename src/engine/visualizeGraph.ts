import type { GraphData, GraphNode } from './graph.ts';

/** How much of a message is shown, in UTF-16 units. */
const MAX_TEXT = 60;

/**
 * A chat as text: one line a message, root first, further in only where paths part, so that the picture of a chat
 * without branches grows with its length. Heads stand in brackets (the active one with a star), checkpoints in braces.
 * @example
 * ● q1 user: What is 2 + 2?
 * ├─● a1 assistant: 5 [main]
 * ● a2 assistant: 4 [main-v2*]
 */
export function visualizeGraph(graph: GraphData): string {
  const children = childrenByParent(graph.nodes);
  const marks = marksByMessage(graph);
  const lines = graph.branches
    .filter(({ headMessageId }) => headMessageId === null)
    .map(({ name, isActive }) => `(empty) [${name}${isActive ? '*' : ''}]`);
  // What comes last in here is drawn next; a stack of its own, because a chat may be deeper than the machine's.
  const pending = fork(children.get(null) ?? [], '');
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node, indent, isFork } = next;
    lines.push(`${isFork ? `${indent.slice(0, -2)}├─` : indent}${describe(node, marks.get(node.id) ?? '')}`);
    pending.push(...fork(children.get(node.id) ?? [], indent));
  }
  return lines.join('\n');
}

interface Pending {
  readonly node: GraphNode;
  readonly indent: string;
  readonly isFork: boolean;
}

/** The last child goes straight on; the others stand before it, further in. In the order of a stack. */
function fork(nodes: readonly GraphNode[], indent: string): Pending[] {
  return nodes
    .map((node, index) =>
      index === nodes.length - 1
        ? { node, indent, isFork: false }
        : { node, indent: `${indent}│ `, isFork: true },
    )
    .reverse();
}

function childrenByParent(nodes: readonly GraphNode[]): Map<string | null, GraphNode[]> {
  const children = new Map<string | null, GraphNode[]>();
  for (const node of nodes) {
    const siblings = children.get(node.parentId);
    if (siblings) siblings.push(node);
    else children.set(node.parentId, [node]);
  }
  return children;
}

function marksByMessage({ branches, checkpoints }: GraphData): Map<string, string> {
  const marks = new Map<string, string>();
  const add = (id: string, mark: string): void => void marks.set(id, `${marks.get(id) ?? ''} ${mark}`);
  for (const { name, headMessageId, isActive } of branches) {
    if (headMessageId !== null) add(headMessageId, `[${name}${isActive ? '*' : ''}]`);
  }
  for (const { name, messageId } of checkpoints) add(messageId, `{${name}}`);
  return marks;
}

function describe({ id, role, content }: GraphNode, marks: string): string {
  const line = content
    .slice(0, MAX_TEXT * 4)
    .replaceAll(/\s+/g, ' ')
    .trim();
  const text = line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT - 1).toWellFormed()}…` : line;
  return `● ${id} ${role}: ${text}${marks}`.trimEnd();
}
