import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePage } from './pageContext.ts';

/**
 * The height, in pixels, that an element had when it went far out of sight; undefined while it is near, and while the
 * keyboard is in it.
 */
export function useFar(element: RefObject<HTMLElement | null>, canGo: boolean): number | undefined {
  const { distance } = usePage();
  const [height, setHeight] = useState<number>();
  useEffect(() => {
    const watched = element.current;
    if (!watched || !canGo) {
      setHeight(undefined);
      return;
    }
    return distance.watch(watched, (isFar) => {
      if (!isFar) setHeight(undefined);
      else if (!watched.contains(document.activeElement)) setHeight(watched.getBoundingClientRect().height);
    });
  }, [canGo]);
  return height;
}
