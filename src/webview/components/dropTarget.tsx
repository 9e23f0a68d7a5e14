import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { DRAGGED_FROM_TREE } from '../../protocol/treeDrag.ts';
import { t } from '../state/texts.ts';
import { Icon } from './icon.tsx';
import { usePage } from './pageContext.ts';

/** Takes a branch or a checkpoint of the tree that is dropped anywhere on the page, and says so while it is held above. */
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
  if (!isOver) return null;
  return (
    <div class="drop-target" role="status">
      <Icon name="discard" /> {t('Drop to go on from here')}
    </div>
  );
}
