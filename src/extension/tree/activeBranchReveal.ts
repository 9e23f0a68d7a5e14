/** Reveals the active branch when another one becomes active, not each time something is said on it. */
export function activeBranchReveal<Node extends { readonly id?: string | undefined }>(view: {
  readonly isVisible: () => boolean;
  readonly activeBranch: () => Promise<Node | undefined>;
  readonly reveal: (node: Node) => Promise<void>;
}): () => Promise<void> {
  let revealed: string | undefined;
  return async () => {
    if (!view.isVisible()) return;
    const node = await view.activeBranch();
    // To reveal a row of a view that was left during the read would bring its side bar back.
    if (!node || !view.isVisible() || node.id === revealed) return;
    revealed = node.id;
    await view.reveal(node);
  };
}
