import type katex from 'katex';
import { RecentlyUsed } from '../code/recentlyUsed.ts';

/** How many formulas are kept laid out. */
const KEPT = 1_000;

/** How long formulas are laid out before the page may draw and answer, in milliseconds. */
const SLICE_MS = 8;

/**
 * Lays out formulas, with a library that is loaded when the first one comes. One that was laid out before is there at
 * once; others come in slices.
 */
export class Maths {
  private readonly kept = new RecentlyUsed<Element>(KEPT);
  private readonly waiting = new Set<Element>();
  private library: Promise<typeof katex> | undefined;
  private isWorking = false;

  /** @param fail is told when the library could not be loaded */
  constructor(private readonly fail: (error: unknown) => void) {}

  /** Shows the formulas in a piece of an answer. */
  show(root: Element): void {
    for (const place of root.querySelectorAll('span[data-tex]:not([data-shown])')) {
      const known = this.kept.get(keyOf(place));
      if (known) put(place, known);
      else this.waiting.add(place);
    }
    if (this.waiting.size > 0 && !this.isWorking) void this.work();
  }

  private async work(): Promise<void> {
    this.isWorking = true;
    try {
      this.library ??= load();
      const { render } = await this.library;
      let until = performance.now() + SLICE_MS;
      for (const place of this.waiting) {
        this.waiting.delete(place);
        // A block that was drawn anew has another place for it.
        if (!place.isConnected) continue;
        if (performance.now() > until) {
          await new Promise(requestAnimationFrame);
          until = performance.now() + SLICE_MS;
        }
        const shown = laidOut(render, place);
        this.kept.set(keyOf(place), shown, 1);
        put(place, shown);
      }
    } catch (error) {
      // Formulas stay as they were written.
      this.waiting.clear();
      this.library = undefined;
      this.fail(error);
    } finally {
      this.isWorking = false;
    }
  }
}

async function load(): Promise<typeof katex> {
  const styles = document.createElement('link');
  styles.rel = 'stylesheet';
  styles.href = new URL('maths.css', import.meta.url).href;
  const loaded = new Promise((resolve, reject) => {
    styles.onload = resolve;
    styles.onerror = () => reject(new Error('The styles of formulas could not be loaded.'));
  });
  document.head.append(styles);
  const [library] = await Promise.all([import('katex'), loaded]);
  return library.default;
}

function laidOut(render: typeof katex.render, place: Element): Element {
  const element = document.createElement('span');
  try {
    render(place.getAttribute('data-tex') ?? '', element, {
      displayMode: place.hasAttribute('data-display'),
      errorColor: 'var(--vscode-errorForeground)',
      // No links, no classes, no addresses.
      trust: false,
      strict: 'ignore',
      maxSize: 20,
      maxExpand: 200,
    });
  } catch (error) {
    // It stays as it was written, and says what is wrong with it.
    element.textContent = place.textContent;
    if (error instanceof Error) element.title = error.message;
  }
  return element;
}

function put(place: Element, shown: Element): void {
  place.setAttribute('data-shown', '');
  place.replaceChildren(shown.cloneNode(true));
}

function keyOf(place: Element): string {
  return `${place.getAttribute('data-display') ?? ''} ${place.getAttribute('data-tex') ?? ''}`;
}
