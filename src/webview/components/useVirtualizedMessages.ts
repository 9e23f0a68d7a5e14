import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Page } from '../state/page.ts';

/** How far above and below what one sees messages are drawn, in pixels; further than the second they are taken away. */
const NEAR = 2_000;
const FAR = 4_000;

/** What a message says is asked for from this far away on, in pixels, and held up to the second distance. */
const ASKED = 6_000;
const HELD = 12_000;

/** How many messages are asked for at once on the way down; on the way up the host tells some more by itself. */
const PIECE = 50;

/** Before a conversation is painted for the first time, only this much more than what one sees is drawn, in pixels. */
const NEAR_AT_FIRST = 200;

/** How many messages from the end are drawn before anything is known of their heights. */
const DRAWN_AT_FIRST = 6;

/** What is far is let go of after this long, in milliseconds: what has only just come may be on the way to be shown. */
const LET_GO_MS = 200;

/** The height of a message as long as none was measured, in pixels. */
const USUAL_HEIGHT = 120;

/** How often it is looked in one frame what is near. */
const MAX_LOOKS = 50;

/** Scrolling by less than this changes nothing of note, in pixels. */
const STEP = 200;

/** Which messages are drawn. For the others there are gaps as high as they are. */
export interface Drawn {
  readonly ids: ReadonlySet<string>;
  /** How much room messages take that are not drawn, in pixels. */
  readonly heightOf: (ids: readonly string[]) => number;
  /** Measures what is drawn, and draws what is near by now; `isForced` also where one has hardly moved. */
  readonly look: (isForced?: boolean) => void;
  /** Draws a message wherever it stands, as soon as the host has sent its content. */
  readonly require: (id: string) => void;
}

interface Known {
  /** Of the chat and branch that heights and ids are of. */
  place: string;
  isPainted: boolean;
  readonly heights: Map<string, number>;
  /** What is to be drawn though nobody is there yet. */
  readonly required: Set<string>;
  /** What is not too far away for what it says to be held. */
  held: ReadonlySet<string>;
  lookedAt: number;
  lettingGo: ReturnType<typeof setTimeout> | undefined;
  /** In this frame. */
  looks: number;
}

/**
 * Draws the messages near to what one sees and no others, and has the page hold what those say and of others little
 * more than their names: a chat costs no more than what one sees of it, however long it is and however much was read.
 *
 * No library of virtual lists fitted: they place rows absolutely and move the scroll position themselves for each
 * height that turned out other than guessed. Here messages stay in the flow of the document, so that the browser keeps
 * what one reads in its place (scroll anchoring), also while answers stream and blocks are laid out late.
 */
export function useVirtualizedMessages(
  page: Page,
  scroller: RefObject<HTMLDivElement | null>,
  place: string,
  kept: readonly (string | undefined)[],
): Drawn {
  const all = page.ids.value;
  const known = useRef<Known>(nothingOf(place));
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  let drawn = ids;
  if (known.current.place !== place) {
    // What both branches share keeps its elements.
    const shared = all.slice(-DRAWN_AT_FIRST * 5).filter((id) => ids.has(id));
    drawn = new Set([...shared, ...all.slice(-DRAWN_AT_FIRST)]);
    clearTimeout(known.current.lettingGo);
    known.current = { ...nothingOf(place), heights: heightsOf(shared, known.current.heights) };
    setIds(drawn);
  }

  const heightOf = (wanted: readonly string[]): number => {
    const { heights } = known.current;
    return wanted.reduce((sum, id) => sum + height(heights, id), 0);
  };

  const look = (isForced = true): void => {
    const list = scroller.current;
    const state = known.current;
    if (!list || list.clientHeight === 0) return;
    if (!isForced && Math.abs(list.scrollTop - state.lookedAt) < STEP) return;
    if (hasLookedOften(state)) return;
    state.lookedAt = list.scrollTop;
    const wanted = page.ids.peek();
    const contents = page.messages.peek();
    const runningId = page.runningId.peek();
    const elements = measure(list, state.heights);
    const top = list.scrollTop + list.offsetTop;
    const bottom = top + list.clientHeight;
    const near = state.isPainted ? NEAR : NEAR_AT_FIRST;
    const forced = forcedIn(list, [...kept, ...state.required]);
    const next = new Set<string>();
    const held = new Set<string>();
    let firstMissing: number | undefined;
    let lastMissing = 0;
    let y = list.querySelector<HTMLElement>('.messages')?.offsetTop ?? 0;
    wanted.forEach((id, index) => {
      const element = elements.get(id);
      const end = element ? element.offsetTop + element.offsetHeight : y + height(state.heights, id);
      const away = Math.max(top - end, y - bottom);
      y = end;
      const has = contents.has(id) || id === runningId;
      const isWanted = away < near || forced.has(id);
      if (away < HELD || isWanted) held.add(id);
      if (has && (isWanted || (element && away < FAR))) next.add(id);
      if (!has && (isWanted || away < ASKED)) {
        firstMissing ??= index;
        lastMissing = index;
      }
    });
    if (firstMissing !== undefined && state.isPainted) ask(page, wanted, firstMissing, lastMissing);
    if (state.heights.size > 2 * wanted.length) {
      const left = new Set(wanted);
      for (const id of state.heights.keys()) if (!left.has(id)) state.heights.delete(id);
    }
    state.held = held;
    state.lettingGo ??= setTimeout(() => {
      state.lettingGo = undefined;
      for (const id of state.required) if (elements.has(id)) state.required.delete(id);
      page.holdOnly((id) => state.held.has(id));
    }, LET_GO_MS);
    setIds((before) => (isSame(before, next) ? before : next));
    if (state.isPainted) return;
    afterPaint(() => {
      if (known.current !== state || state.isPainted) return;
      state.isPainted = true;
      look();
    });
  };

  const require = (id: string): void => {
    known.current.required.add(id);
    look();
  };

  return { ids: drawn, heightOf, look, require };
}

function nothingOf(place: string): Known {
  return {
    place,
    isPainted: false,
    heights: new Map(),
    required: new Set(),
    held: new Set(),
    lookedAt: 0,
    lettingGo: undefined,
    looks: 0,
  };
}

/** Each look may lead to the next, as what is drawn has its own height; a page that never came to rest would hang. */
function hasLookedOften(state: Known): boolean {
  if (state.looks === 0) requestAnimationFrame(() => (state.looks = 0));
  state.looks += 1;
  return state.looks > MAX_LOOKS;
}

function heightsOf(ids: readonly string[], heights: ReadonlyMap<string, number>): Map<string, number> {
  return new Map(
    ids.flatMap((id) => {
      const known = heights.get(id);
      return known === undefined ? [] : [[id, known] as const];
    }),
  );
}

/** As it was measured, or else as those that were: once guessed it stays so, until it is drawn. */
function height(heights: Map<string, number>, id: string): number {
  const known = heights.get(id);
  if (known !== undefined) return known;
  let sum = 0;
  let count = 0;
  for (const each of heights.values()) {
    sum += each;
    count += 1;
    if (count === 50) break;
  }
  const guessed = count === 0 ? USUAL_HEIGHT : Math.round(sum / count);
  heights.set(id, guessed);
  return guessed;
}

/** The drawn messages, with the room that each takes from the end of what stands before it. */
function measure(list: HTMLElement, heights: Map<string, number>): ReadonlyMap<string, HTMLElement> {
  const elements = new Map<string, HTMLElement>();
  let before: HTMLElement | undefined;
  for (const element of list.querySelectorAll<HTMLElement>('.messages > li')) {
    const id = element.dataset['messageId'];
    if (id !== undefined) {
      elements.set(id, element);
      const start = before ? before.offsetTop + before.offsetHeight : element.offsetTop;
      heights.set(id, element.offsetTop + element.offsetHeight - start);
    }
    before = element;
  }
  return elements;
}

/** What stays drawn wherever one is: what the keyboard is in, what is being edited, and where text is selected. */
function forcedIn(list: HTMLElement, kept: readonly (string | undefined)[]): ReadonlySet<string> {
  const selection = document.getSelection();
  const nodes = [document.activeElement, ...list.querySelectorAll('.edit-box')];
  if (selection && !selection.isCollapsed)
    nodes.push(...[selection.anchorNode, selection.focusNode].map(elementOf));
  const messages = nodes.map((node) => node?.closest<HTMLElement>('.message')?.dataset['messageId']);
  return new Set([...kept, ...messages].filter((id) => id !== undefined));
}

function elementOf(node: Node | null): Element | null {
  return node instanceof Element ? node : (node?.parentElement ?? null);
}

/** Asks for what is not held of these, from the first to the last and what one comes to next. */
function ask(page: Page, ids: readonly string[], first: number, last: number): void {
  const contents = page.messages.peek();
  let end = last + 1;
  while (end - first < PIECE && end < ids.length && !contents.has(ids[end] ?? '')) end += 1;
  const [from, before] = [ids[first], ids[end]];
  if (from !== undefined && before !== undefined) page.load(before, from);
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((id) => other.has(id));
}

function afterPaint(then: () => void): void {
  requestAnimationFrame(() => setTimeout(then, 0));
}
