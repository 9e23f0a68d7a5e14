import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { holdsVsCodeFiles } from '../attachments/droppedFiles.ts';
import { DRAGGED_FROM_TREE } from '../../protocol/pageFacts.ts';
import { t } from '../state/texts.ts';
import { Icon } from './icon.tsx';
import { usePage } from './pageContext.ts';

/** How long the hint may stay without an event that ends the drag, in milliseconds. */
const HINT_MS = 10_000;

type Held = 'tree' | 'files';

/**
 * Accepts a branch or a checkpoint of the tree, and files and folders, dropped anywhere on the page, and shows a hint
 * during the drag. VS Code lets a page see a drag only while Shift is held, so the page explains that from the
 * beginning of a drag from our tree; it does not learn of other drags earlier.
 */
export function DropTarget(): JSX.Element | null {
  const page = usePage();
  const [held, setHeld] = useState<Held>();
  useEffect(() => {
    const heldIn = ({ dataTransfer }: DragEvent): Held | undefined => {
      const types = dataTransfer?.types ?? [];
      if (types.includes(DRAGGED_FROM_TREE)) return 'tree';
      if (page.conversation.peek()?.isReadOnly !== false) return undefined;
      return types.includes('Files') || holdsVsCodeFiles(types) ? 'files' : undefined;
    };
    const over = (event: DragEvent): void => {
      const found = heldIn(event);
      if (found === undefined) return;
      event.preventDefault();
      setHeld(found);
    };
    const leave = (event: DragEvent): void => {
      // The drag often leaves one part of the page for another.
      if (event.relatedTarget === null) setHeld(undefined);
    };
    const drop = (event: DragEvent): void => {
      setHeld(undefined);
      const found = heldIn(event);
      if (found === undefined) return;
      event.preventDefault();
      if (found === 'tree') page.host.send({ type: 'dropTreeItem' });
      else if (event.dataTransfer) page.attachments.takeDropped(event.dataTransfer);
    };
    document.addEventListener('dragover', over);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('dragleave', leave);
      document.removeEventListener('drop', drop);
    };
  }, [page]);
  const isDragged = page.isTreeDragged.value;
  useEffect(() => {
    if (!isDragged) return undefined;
    const end = (): void => {
      page.isTreeDragged.value = false;
    };
    // The page gets no mouse moves during a drag: one without a button means that it has ended.
    const move = ({ buttons }: MouseEvent): void => {
      if (buttons === 0) end();
    };
    const timer = setTimeout(end, HINT_MS);
    document.addEventListener('mousemove', move);
    document.addEventListener('drop', end);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('mousemove', move);
      document.removeEventListener('drop', end);
    };
  }, [page, isDragged]);
  if (held === undefined && !isDragged) return null;
  if (held === undefined) {
    return (
      <div class="drop-hint" role="status">
        <Icon name="discard" /> {t('Hold Shift to drop it here')}
      </div>
    );
  }
  return (
    <div class="drop-target" role="status">
      {held === 'tree' ? (
        <>
          <Icon name="discard" /> {t('Drop to continue from here')}
        </>
      ) : (
        <>
          <Icon name="attach" /> {t('Drop to attach')}
        </>
      )}
    </div>
  );
}
