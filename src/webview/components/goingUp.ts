/** The maximum delay between a wheel, touch or key event and the scroll it causes, in milliseconds. */
const BEGINS_WITHIN_MS = 150;

const KEYS: ReadonlySet<string> = new Set(['ArrowUp', 'PageUp', 'Home']);

/** Notified when the user is about to scroll up, and a moment after the last such event. */
interface GoingUpListener {
  begins(): void;
  ends(): void;
}

/**
 * Detects that the user is about to scroll up. The scroll comes later than its cause and, when smooth or by touch, in
 * small steps: following an end that grows with each frame would undo each step.
 * @returns stops listening
 */
export function watchGoingUp(element: HTMLElement, listener: GoingUpListener): () => void {
  const listening = new AbortController();
  const options = { passive: true, signal: listening.signal };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const goUp = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => listener.ends(), BEGINS_WITHIN_MS);
    listener.begins();
  };
  element.addEventListener('wheel', ({ deltaY }) => deltaY < 0 && goUp(), options);
  element.addEventListener('touchmove', goUp, options);
  element.addEventListener('keydown', ({ key }) => KEYS.has(key) && goUp(), options);
  return () => {
    listening.abort();
    clearTimeout(timer);
  };
}
