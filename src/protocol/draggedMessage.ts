/** The data type of a drag from the tree; VS Code derives it from the tree's name. */
export const DRAGGED_FROM_TREE = 'application/vnd.code.tree.offshoot.tree';
