import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Page } from '../state/page.ts';

/** Messages nearer than this to the viewport are drawn, beyond the second they are removed, in pixels. */
const NEAR = 1_500;
const FAR = 2_500;

/** The distance at which the content of messages is loaded, in pixels; it is held up to the second distance. */
const ASKED = 6_000;
const HELD = 12_000;

/** How many messages are requested at once downwards; upwards the host sends more without a request. */
const PIECE = 50;

/** Before the first paint of a conversation, only this much around the viewport is drawn, in pixels. */
const NEAR_AT_FIRST = 200;

/** How many messages from the end are drawn before any height is known. */
const DRAWN_AT_FIRST = 6;

/** Distant content is unloaded after this long, in milliseconds: just loaded content may be about to be shown. */
const LET_GO_MS = 200;

/** The assumed height of a message while none was measured, in pixels. */
const USUAL_HEIGHT = 120;

/** The maximum number of checks for near messages in one frame. */
const MAX_LOOKS = 50;

/** Scrolling by less than this is ignored, in pixels. */
const STEP = 200;

/** The drawn messages. The others are gaps of the same height. */
export interface Drawn {
  readonly ids: ReadonlySet<string>;
  /** The height of messages that are not drawn, in pixels. */
  readonly heightOf: (ids: readonly string[]) => number;
  /** Measures drawn messages, and draws near ones; `isForced` even after little scrolling. */
  readonly look: (isForced?: boolean) => void;
  /** Draws a message at any position, as soon as the host has sent its content. */
  readonly require: (id: string) => void;
}

interface Known {
  /** The chat and branch of the heights and ids. */
  place: string;
  isPainted: boolean;
  readonly heights: Map<string, number>;
  /** Messages to draw although they are not near. */
  readonly required: Set<string>;
  /** Messages near enough to hold their content. */
  held: ReadonlySet<string>;
  lookedAt: number;
  lettingGo: ReturnType<typeof setTimeout> | undefined;
  /** Checks in this frame. */
  looks: number;
}

/**
 * Draws only the messages near the viewport, and keeps only the ids of distant ones in memory: a chat costs no more
 * than its visible part, independent of its length and of how much was read.
 *
 * No library for virtual lists fits: they position rows absolutely and change the scroll position themselves for each
 * height that differs from the estimate. Here messages stay in the document flow, so that the browser keeps the
 * reading position (scroll anchoring), even while answers stream and blocks are laid out late.
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
    // Messages shared by both branches keep their elements.
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

/** Each check may cause another, as drawn messages have their own height; a page that never settles would hang. */
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

/** The measured height, or the average of measured ones: an estimate stays the same until the message is drawn. */
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

/** The drawn messages, each with the space from the end of the previous element. */
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

/** Messages that stay drawn anywhere: with the focus, an edit box, or selected text. */
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

/** Requests missing content of these, from the first to the last and the next ones in reading direction. */
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
