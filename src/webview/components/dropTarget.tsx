import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { DRAGGED_FROM_TREE } from '../../protocol/draggedMessage.ts';
import { t } from '../state/texts.ts';
import { Icon } from './icon.tsx';
import { usePage } from './pageContext.ts';

/** How long the hint may stay when nothing tells that the drag has ended, in milliseconds. */
const HINT_MS = 10_000;

/**
 * Takes a branch or a checkpoint of the tree that is dropped anywhere on the page, and says so while it is held above.
 * VS Code lets a page see a drag only while Shift is held, so the page says that from the beginning of the drag.
 */
export function DropTarget(): JSX.Element | null {
  const page = usePage();
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const isOurs = ({ dataTransfer }: DragEvent): boolean =>
      dataTransfer?.types.includes(DRAGGED_FROM_TREE) ?? false;
    const over = (event: DragEvent): void => {
      if (!isOurs(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      // It leaves one part of the page for another all the time.
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      setOver(false);
      if (!isOurs(event)) return;
      event.preventDefault();
      page.host.send({ type: 'dropTreeItem' });
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
    // The page gets no moves of the mouse while something is dragged: one without a button says that it has ended.
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
  if (!isOver && !isDragged) return null;
  if (!isOver) {
    return (
      <div class="drop-hint" role="status">
        <Icon name="discard" /> {t('Hold Shift to drop it here')}
      </div>
    );
  }
  return (
    <div class="drop-target" role="status">
      <Icon name="discard" /> {t('Drop to continue from here')}
    </div>
  );
}
