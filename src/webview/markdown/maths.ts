import type katex from 'katex';
import { hasHiddenCharacters } from '../../base/hiddenCharacters.ts';
import { RecentlyUsed } from '../code/recentlyUsed.ts';
import { t } from '../state/texts.ts';
import { isWithinBounds, MAX_ELEMENTS_IN_ANSWER, weightOf } from './mathsBounds.ts';

/** The size of the cache of rendered formulas, in elements. */
const KEPT = 200_000;

/** How long formulas are rendered before the page may draw and respond, in milliseconds. */
const SLICE_MS = 8;

/** A rendered formula, or its source with the reason where it is too large or invalid. */
interface Shown {
  readonly element: Element;
  /** Its number of elements. */
  readonly weight: number;
}

/** Cached formulas are shown at once, others are rendered in slices; beyond the limits, the source is shown. */
export class Maths {
  private readonly kept = new RecentlyUsed<Shown>(KEPT);
  private readonly waiting = new Set<Element>();
  private library: Promise<typeof katex> | undefined;
  private isWorking = false;

  /** @param fail is called when the library could not be loaded */
  constructor(private readonly fail: (error: unknown) => void) {}

  get isIdle(): boolean {
    return !this.isWorking;
  }

  show(root: Element): void {
    const weights = new AnswerWeights();
    for (const place of root.querySelectorAll('span[data-tex]:not([data-shown])')) {
      const known = this.kept.get(keyOf(place));
      if (known) put(place, known, weights);
      else if (isWithinBounds(texOf(place)) && !hasHiddenCharacters(texOf(place))) this.waiting.add(place);
      else leave(place);
    }
    if (this.waiting.size > 0 && !this.isWorking) void this.work();
  }

  private async work(): Promise<void> {
    this.isWorking = true;
    try {
      this.library ??= load();
      const { render } = await this.library;
      let until = performance.now() + SLICE_MS;
      let weights = new AnswerWeights();
      for (const place of this.waiting) {
        this.waiting.delete(place);
        // A redrawn block has another element for it.
        if (!place.isConnected) continue;
        if (performance.now() > until) {
          await new Promise(requestAnimationFrame);
          until = performance.now() + SLICE_MS;
          weights = new AnswerWeights();
        }
        if (weights.isFull(place)) {
          leave(place);
          continue;
        }
        const shown = laidOut(render, place);
        this.kept.set(keyOf(place), shown, shown.weight);
        put(place, shown, weights);
      }
    } catch (error) {
      // Formulas stay as source.
      this.waiting.clear();
      this.library = undefined;
      this.fail(error);
    } finally {
      this.isWorking = false;
    }
  }
}

/** The number of elements in the formulas of each answer; counted again for each slice, as blocks change. */
class AnswerWeights {
  private readonly weights = new Map<Element, number>();

  isFull(place: Element, more = 0): boolean {
    return this.of(answerOf(place)) + more > MAX_ELEMENTS_IN_ANSWER;
  }

  add(place: Element, weight: number): void {
    const answer = answerOf(place);
    this.weights.set(answer, this.of(answer) + weight);
  }

  private of(answer: Element): number {
    const known = this.weights.get(answer);
    if (known !== undefined) return known;
    let sum = 0;
    for (const each of answer.querySelectorAll('span[data-shown]'))
      sum += Number(each.getAttribute('data-shown'));
    this.weights.set(answer, sum);
    return sum;
  }
}

function answerOf(place: Element): Element {
  return place.closest('.message, .aside, .try') ?? place;
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

function laidOut(render: typeof katex.render, place: Element): Shown {
  const element = document.createElement('span');
  try {
    render(texOf(place), element, {
      displayMode: place.hasAttribute('data-display'),
      errorColor: 'var(--vscode-errorForeground)',
      // No links, no classes, no addresses.
      trust: false,
      strict: 'ignore',
      maxSize: 20,
      maxExpand: 200,
    });
  } catch (error) {
    return asWritten(place, error instanceof Error ? error.message : '');
  }
  // Checked before it is inserted into the page: layout by the browser is what costs most, and can crash the process.
  const weight = weightOf(element);
  return weight === undefined ? asWritten(place, tooLarge()) : { element, weight };
}

function asWritten(place: Element, reason: string): Shown {
  const element = document.createElement('span');
  element.textContent = place.textContent;
  element.title = reason;
  return { element, weight: 1 };
}

function tooLarge(): string {
  return t('Formula too large to render');
}

function leave(place: Element): void {
  place.setAttribute('data-shown', '1');
  place.setAttribute('title', tooLarge());
}

function put(place: Element, { element, weight }: Shown, weights: AnswerWeights): void {
  if (weights.isFull(place, weight)) {
    leave(place);
    return;
  }
  weights.add(place, weight);
  place.setAttribute('data-shown', String(weight));
  place.replaceChildren(element.cloneNode(true));
}

function texOf(place: Element): string {
  return place.getAttribute('data-tex') ?? '';
}

function keyOf(place: Element): string {
  return `${place.getAttribute('data-display') ?? ''} ${texOf(place)}`;
}
