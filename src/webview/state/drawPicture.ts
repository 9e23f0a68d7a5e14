import { flushSync } from 'preact/compat';

/** What can be read in the conversation. */
const PARTS = '.message, .message .block, .message .said, .message tr';

export interface KnownPicture {
  readonly address: string;
  /**
   * Its own, in pixels; 0 for a broken one. An element that is drawn again later is given its room by them: the browser
   * may have dropped the picture, and then reads it only after the layout.
   */
  readonly width: number;
  readonly height: number;
}

/**
 * Draws a picture that has come, and keeps in place what is read. The browser alone keeps the first element in view,
 * even one of which only the end is left: a picture that comes there would push away all below it.
 * @param draw changes the state of the page
 */
export async function drawPicture(
  address: string | undefined,
  draw: (picture: KnownPicture | undefined) => void,
): Promise<void> {
  const known = address === undefined ? undefined : await measure(address);
  const scroller = document.querySelector('.scroller');
  const read = scroller && firstWhole(scroller);
  const before = read?.getBoundingClientRect().top ?? 0;
  flushSync(() => draw(known));
  if (!scroller || !read?.isConnected) return;
  const moved = read.getBoundingClientRect().top - before;
  if (Math.abs(moved) >= 1) scroller.scrollTop += moved;
}

async function measure(address: string): Promise<KnownPicture> {
  const picture = new Image();
  picture.src = address;
  // Once decoded, it is drawn with its height at once. A broken one is drawn as such.
  await picture.decode().catch(() => undefined);
  return { address, width: picture.naturalWidth, height: picture.naturalHeight };
}

/** The first part of the conversation that begins in view. */
function firstWhole(scroller: Element): Element | undefined {
  const { top, bottom } = scroller.getBoundingClientRect();
  for (const part of scroller.querySelectorAll(PARTS)) {
    const box = part.getBoundingClientRect();
    if (box.top >= bottom) return undefined;
    if (box.top >= top) return part;
  }
  return undefined;
}
