import { useState } from 'preact/hooks';
import { usePage } from './pageContext.ts';

/**
 * How far an element is opened, and a function to change that; remembered even while it is not drawn.
 * @param id unique in the page
 * @param atFirst 0 for closed, 1 for open, more for further expansion
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
