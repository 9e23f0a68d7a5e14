export interface BackgroundTimer {
  stop(): void;
}

/** Does not keep a program running. */
export function every(milliseconds: number, work: () => void): BackgroundTimer {
  const timer = setInterval(work, milliseconds);
  letGo(timer);
  return { stop: () => clearInterval(timer) };
}

/** Does not keep a program running, in which case the work never runs. */
export function later(milliseconds: number, work: () => void): BackgroundTimer {
  const timer = setTimeout(work, milliseconds);
  letGo(timer);
  return { stop: () => clearTimeout(timer) };
}

/** In Node a timer keeps the process running unless it is unreferenced; elsewhere it is a plain number. */
function letGo(timer: unknown): void {
  if (isLiving(timer)) timer.unref();
}

function isLiving(timer: unknown): timer is { unref(): void } {
  const isObject = typeof timer === 'object' && timer !== null;
  return isObject && 'unref' in timer && typeof timer.unref === 'function';
}
