import { useState } from 'preact/hooks';
import { usePage } from './pageContext.ts';

/**
 * How far something is opened, and how to open it further; as the user left it, also when it was not drawn meanwhile.
 * @param id names it in the whole page
 * @param atFirst 0 for closed, 1 for open, more where there is more to show
 */
export function useOpened(id: string, atFirst: number): [number, (extent: number) => void] {
  const { opened } = usePage();
  const [extent, setExtent] = useState(() => opened.get(id, atFirst));
  return [
    extent,
    (next) => {
      opened.set(id, next);
      setExtent(next);
    },
  ];
}
