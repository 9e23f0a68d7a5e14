/** How long after a wheel, a finger or a key the scroll that it brings may begin, in milliseconds. */
const BEGINS_WITHIN_MS = 150;

const KEYS: ReadonlySet<string> = new Set(['ArrowUp', 'PageUp', 'Home']);

/** Who is told that somebody is about to go up, and a moment after they last were. */
interface GoingUpListener {
  begins(): void;
  ends(): void;
}

/**
 * Tells when somebody is about to go up. The scroll comes later than what brings it and, where it is smooth or of a
 * finger, bit by bit: an end that grows with each frame would take each bit back.
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
