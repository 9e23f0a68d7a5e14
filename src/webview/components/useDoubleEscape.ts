import { useEffect } from 'preact/hooks';
import { usePage } from './pageContext.ts';

/** The maximum time between the two presses, in milliseconds. */
const TWICE_MS = 700;

/**
 * Escape, pressed twice while nothing is being written and nothing else handles it, lists the questions to rewind to.
 */
export function useDoubleEscape(): void {
  const page = usePage();
  useEffect(() => {
    let last = -Infinity;
    const onKeyDown = (event: KeyboardEvent): void => {
      const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
      const isFree = event.key === 'Escape' && isPlain && !event.isComposing && !event.defaultPrevented;
      const { messageCount = 0, isReadOnly = true } = page.conversation.value ?? {};
      if (!isFree || event.repeat || page.runningId.value !== undefined || messageCount === 0 || isReadOnly) {
        last = -Infinity;
        return;
      }
      if (event.timeStamp - last > TWICE_MS) {
        last = event.timeStamp;
        return;
      }
      last = -Infinity;
      page.host.send({ type: 'runCommandHere', command: 'rewind' });
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [page]);
}
