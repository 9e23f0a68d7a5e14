/** Reveals the active branch when another one becomes active, not on each new message. */
export function activeBranchReveal<Node extends { readonly id?: string | undefined }>(view: {
  readonly isVisible: () => boolean;
  readonly activeBranch: () => Promise<Node | undefined>;
  readonly reveal: (node: Node) => Promise<void>;
}): () => Promise<void> {
  let revealed: string | undefined;
  return async () => {
    if (!view.isVisible()) return;
    const node = await view.activeBranch();
    // Revealing a row of a view that was hidden during the read would reopen its side bar.
    if (!node || !view.isVisible() || node.id === revealed) return;
    revealed = node.id;
    await view.reveal(node);
  };
}
