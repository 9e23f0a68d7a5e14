/** What a drag that comes from the tree says it holds; VS Code makes it of the tree's name. */
export const DRAGGED_FROM_TREE = 'application/vnd.code.tree.offshoot.tree';
