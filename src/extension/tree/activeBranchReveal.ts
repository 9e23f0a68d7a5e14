/** Reveals the active branch when another one becomes active, not on each new message. */
export function activeBranchReveal<Node>(view: {
  readonly isVisible: () => boolean;
  readonly activeBranch: () => Promise<Node | undefined>;
  readonly reveal: (node: Node) => Promise<void>;
}): () => Promise<void> {
  let revealed: Node | undefined;
  return async () => {
    if (!view.isVisible()) return;
    const node = await view.activeBranch();
    // Revealing a row of a view that was hidden during the read would reopen its side bar.
    if (!node || !view.isVisible() || node === revealed) return;
    revealed = node;
    await view.reveal(node);
  };
}
