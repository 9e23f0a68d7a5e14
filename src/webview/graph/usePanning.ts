import { useLayoutEffect } from 'preact/hooks';

/** How far the pointer must move until a press is a drag and not a click, in pixels. */
const PULL = 4;

/** Pans the view by dragging. */
export function usePanning(scroller: { readonly current: HTMLElement | null }): void {
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
