import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../state/texts.ts';
import { useGraph, type GraphPage } from './graphPage.ts';
import { GraphLines } from './graphLines.tsx';
import type { GraphModel } from './graphModel.ts';
import { GraphRow, rowId } from './graphRow.tsx';
import type { GraphKey } from './layout.ts';

/** Rows drawn above and below the viewport, so that fast scrolling shows no gap. */
const OVERSCAN = 8;

/** Room for the text of the rightmost lane, in pixels. */
const TEXT_WIDTH = 220;

/** Below this height, in pixels, a row has no room for text. */
const TEXT_HEIGHT = 13;

/** In pixels. */
interface Sight {
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

/** Only the visible rows are drawn. */
export function GraphView({ model }: { model: GraphModel }): JSX.Element {
  const page = useGraph();
  const scroller = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState<Sight>({ top: 0, left: 0, width: 0, height: 0 });
  const { layout, ids } = model;
  const rowHeight = page.rowHeight.value;
  const laneWidth = page.laneWidth.value;
  const look = (): void => {
    const element = scroller.current;
    if (!element) return;
    const { scrollTop: top, scrollLeft: left, clientWidth: width, clientHeight: height } = element;
    setSeen((before) =>
      before.top === top && before.left === left && before.width === width && before.height === height
        ? before
        : { top, left, width, height },
    );
  };
  const sight = useZoom(page, scroller, seen, model, look);
  const from = Math.max(0, Math.floor(sight.top / rowHeight) - OVERSCAN);
  const to = Math.min(layout.count, Math.ceil((sight.top + sight.height) / rowHeight) + OVERSCAN);
  const nodes = Array.from({ length: Math.max(0, to - from) }, (_, row) => layout.order[from + row] ?? 0);
  const focused = model.indexOf.get(page.focusedId.value ?? '') ?? -1;
  const hasText = rowHeight >= TEXT_HEIGHT;

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    look();
    const resized = new ResizeObserver(look);
    resized.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      resized.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  usePanning(scroller);
  useKeepVisible(scroller, page, model);
  useLayoutEffect(() => page.describe(nodes.map((node) => ids[node] ?? '')));

  // The focused row is always drawn, so that a screen reader keeps its position.
  const drawn = focused === -1 || nodes.includes(focused) ? nodes : [...nodes, focused];
  return (
    <div
      ref={scroller}
      class={hasText ? 'graph-scroller' : 'graph-scroller without-text'}
      role="listbox"
      aria-label={t('Messages of the conversation')}
      aria-multiselectable="true"
      aria-activedescendant={focused === -1 ? undefined : rowId(focused)}
      tabIndex={0}
      onKeyDown={(event) => onKey(event, page)}
      onPointerLeave={() => page.hover(undefined)}
    >
      <div
        class="graph-canvas"
        role="presentation"
        style={{
          height: `${layout.count * rowHeight}px`,
          minWidth: `${layout.laneCount * laneWidth + (hasText ? TEXT_WIDTH : 0)}px`,
          fontSize: `${Math.min(1.6, Math.max(0.75, page.zoom.value))}em`,
        }}
      >
        <GraphLines model={model} from={from} to={to} left={sight.left} right={sight.left + sight.width} />
        {drawn.map((node) => (
          <GraphRow key={ids[node]} model={model} node={node} hasText={hasText} />
        ))}
      </div>
    </div>
  );
}

const steps: Readonly<Record<string, GraphKey>> = {
  ArrowUp: 'ArrowUp',
  ArrowDown: 'ArrowDown',
  ArrowLeft: 'ArrowLeft',
  ArrowRight: 'ArrowRight',
  Home: 'Home',
  End: 'End',
};

function onKey(event: KeyboardEvent, page: GraphPage): void {
  const { key, ctrlKey, metaKey, altKey } = event;
  const id = page.focusedId.value;
  const step = steps[key];
  if (altKey) return;
  if (ctrlKey || metaKey) return;
  if (step) page.go(step);
  else if (key === 'PageUp') page.goRows(-20);
  else if (key === 'PageDown') page.goRows(20);
  else if (key === 'Enter' && id !== undefined) page.open(id);
  else if (key === ' ' && id !== undefined) page.toggle(id);
  else if (key === 'Escape') page.clearSelection();
  else if (key === 'c' && page.selected.value.length === 2) page.compare();
  else if (key === '+' || key === '=') page.zoomBy(1);
  else if (key === '-') page.zoomBy(-1);
  else if (key === '0') page.setZoom(1);
  else return;
  event.preventDefault();
}

/**
 * Zooms with Ctrl and the wheel (also sent for a pinch), around the pointer or the center.
 * @returns the visible part
 */
function useZoom(
  page: GraphPage,
  scroller: { readonly current: HTMLDivElement | null },
  seen: Sight,
  model: GraphModel,
  look: () => void,
): Sight {
  const anchor = useRef<{ readonly x: number; readonly y: number } | undefined>(undefined);
  const before = useRef(page.rowHeight.value);
  /** The visible part after the pending scroll. */
  const next = useRef<Sight | undefined>(undefined);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const turn = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = element.getBoundingClientRect();
      anchor.current = { x: event.clientX - box.left, y: event.clientY - box.top };
      page.zoomBy(-event.deltaY / 100);
    };
    element.addEventListener('wheel', turn, { passive: false });
    return () => element.removeEventListener('wheel', turn);
  }, []);
  const height = page.rowHeight.value;
  if (height !== before.current) {
    // Known before drawing, so that only rows that will be visible are drawn.
    const factor = height / before.current;
    const { x, y } = anchor.current ?? middleOf(page, seen, model, before.current);
    before.current = height;
    anchor.current = undefined;
    const top = Math.max(0, (seen.top + y) * factor - y);
    const left = Math.max(0, (seen.left + x) * factor - x);
    next.current = { ...seen, top, left };
  }
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || !next.current) return;
    element.scrollTop = next.current.top;
    element.scrollLeft = next.current.left;
    next.current = undefined;
    look();
  }, [height]);
  return next.current ?? seen;
}

/** The focused row if it is visible, otherwise the center. */
function middleOf(
  page: GraphPage,
  sight: Sight,
  { indexOf, layout }: GraphModel,
  rowHeight: number,
): { x: number; y: number } {
  const row = layout.rows[indexOf.get(page.focusedId.value ?? '') ?? -1];
  const y = row === undefined ? -1 : row * rowHeight - sight.top;
  return { x: 0, y: y >= 0 && y < sight.height ? y : sight.height / 2 };
}

/** Scrolls as needed when the focus moves, and keeps the focused row in place when rows are added above it. */
function useKeepVisible(
  scroller: { readonly current: HTMLDivElement | null },
  page: GraphPage,
  model: GraphModel,
): void {
  const id = page.focusedId.value;
  const index = model.indexOf.get(id ?? '');
  const row = index === undefined ? undefined : model.layout.rows[index];
  const last = useRef<{ readonly id: string | undefined; readonly row: number } | undefined>(undefined);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || row === undefined || index === undefined) return;
    const height = page.rowHeight.value;
    const before = last.current;
    last.current = { id, row };
    if (before?.id === id && before !== undefined) {
      const { scrollTop, clientHeight } = element;
      const wasVisible =
        before.row * height >= scrollTop - height && before.row * height <= scrollTop + clientHeight;
      if (wasVisible) element.scrollTop += (row - before.row) * height;
      return;
    }
    const top = row * height;
    const margin = Math.min(3 * height, element.clientHeight / 3);
    if (before === undefined) element.scrollTop = top - element.clientHeight / 2;
    else if (top - margin < element.scrollTop) element.scrollTop = top - margin;
    else if (top + height + margin > element.scrollTop + element.clientHeight)
      element.scrollTop = top + height + margin - element.clientHeight;
    const left = (model.layout.lanes[index] ?? 0) * page.laneWidth.value;
    if (left < element.scrollLeft) element.scrollLeft = left - page.laneWidth.value;
    else if (left + 160 > element.scrollLeft + element.clientWidth)
      element.scrollLeft = left + 160 - element.clientWidth;
  }, [id, row]);
}

/** How far the pointer must move until a press is a drag and not a click, in pixels. */
const PULL = 4;

function usePanning(scroller: { readonly current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let start: { x: number; y: number; left: number; top: number } | undefined;
    let isPulling = false;
    const press = (event: PointerEvent): void => {
      if (event.button > 1 || event.pointerType === 'touch') return;
      isPulling = false;
      start = { x: event.clientX, y: event.clientY, left: element.scrollLeft, top: element.scrollTop };
    };
    const move = (event: PointerEvent): void => {
      if (!start) return;
      if (event.buttons === 0) {
        start = undefined;
        return;
      }
      const [x, y] = [event.clientX - start.x, event.clientY - start.y];
      if (!isPulling && Math.hypot(x, y) < PULL) return;
      if (!isPulling) element.setPointerCapture(event.pointerId);
      isPulling = true;
      element.classList.add('pulling');
      element.scrollLeft = start.left - x;
      element.scrollTop = start.top - y;
    };
    const release = (): void => {
      start = undefined;
      element.classList.remove('pulling');
    };
    // The end of a drag is not a click.
    const click = (event: Event): void => {
      if (isPulling) event.stopPropagation();
      isPulling = false;
    };
    element.addEventListener('pointerdown', press);
    element.addEventListener('pointermove', move);
    element.addEventListener('pointerup', release);
    element.addEventListener('pointercancel', release);
    element.addEventListener('click', click, { capture: true });
    return () => {
      element.removeEventListener('pointerdown', press);
      element.removeEventListener('pointermove', move);
      element.removeEventListener('pointerup', release);
      element.removeEventListener('pointercancel', release);
      element.removeEventListener('click', click, { capture: true });
    };
  }, []);
}
