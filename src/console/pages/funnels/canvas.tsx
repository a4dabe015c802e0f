import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../parts/controls.tsx';
import type { Point } from './layout.ts';

type CanvasProps = {
  readonly label: string;
  /** The size of the content at 100 %, in px. */
  readonly width: number;
  readonly height: number;
  /** The point that is in the middle of the view at first. */
  readonly first: Point;
  readonly children: ReactNode;
};

const SMALLEST = 0.15;
const LARGEST = 1.6;
const STEP = 1.2;
/** A high flow opens no smaller than this, so that its cards are read; it is panned from top to bottom. */
const READABLE = 0.75;
/** A wide flow opens no smaller than this. Between the two it fits the window's width. */
const LEAST = 0.5;

const within = (zoom: number) => Math.min(LARGEST, Math.max(SMALLEST, zoom));

/**
 * Shows content that is larger than its window. Panning is the browser's own scrolling, so it works by touch,
 * wheel and arrow keys, and a focused part scrolls into view. Zooming: buttons, `+` `-` `0`, pinch, Ctrl with
 * the wheel. The pointer drags the background.
 */
export function Canvas({ label, width, height, first, children }: CanvasProps) {
  const view = useRef<HTMLElement>(null);
  // Unknown until the view's width is known.
  const [fitted, setZoom] = useState<number>();
  const zoom = fitted ?? 1;
  const by = useCallback((factor: number) => setZoom((now = 1) => within(now * factor)), []);
  const scales = useCallback(() => {
    const { clientWidth = width, clientHeight = height } = view.current ?? {};
    const toWidth = Math.min(1, clientWidth / width);
    return { toWidth, toWhole: Math.min(toWidth, clientHeight / height) };
  }, [width, height]);
  const fitWhole = useCallback(() => setZoom(within(scales().toWhole)), [scales]);
  useLayoutEffect(() => {
    const { toWidth, toWhole } = scales();
    setZoom(Math.min(Math.max(READABLE, toWhole), Math.max(LEAST, toWidth)));
  }, [scales]);
  useSteadyCenter(view, zoom);
  useFirst(view, first, fitted);
  useGestures(view, by);
  useKeys(view, by, fitWhole);
  return (
    <div className="canvas">
      <section className="canvas-view" aria-label={label} ref={view}>
        <div className="canvas-space" style={{ width: width * zoom, height: height * zoom }}>
          <div className="canvas-plane" style={{ width, height, transform: `scale(${zoom})` }}>
            {children}
          </div>
        </div>
      </section>
      <fieldset className="canvas-zoom">
        <legend className="visually-hidden">Zoom</legend>
        <Button onPress={() => by(1 / STEP)}>
          <span aria-hidden="true">−</span>
          <span className="visually-hidden">Smaller</span>
        </Button>
        <Button onPress={fitWhole}>Whole flow</Button>
        <Button onPress={() => by(STEP)}>
          <span aria-hidden="true">+</span>
          <span className="visually-hidden">Larger</span>
        </Button>
      </fieldset>
    </div>
  );
}

type View = { readonly current: HTMLElement | null };

/** Shows a point in the middle of the view as soon as the zoom is known. */
function useFirst(view: View, { x, y }: Point, zoom: number | undefined): void {
  const isDone = useRef(false);
  useLayoutEffect(() => {
    const element = view.current;
    if (!element || zoom === undefined || isDone.current) return;
    isDone.current = true;
    const { clientWidth, clientHeight } = element;
    element.scrollTo(x * zoom - clientWidth / 2, y * zoom - clientHeight / 2);
  }, [view, x, y, zoom]);
}

/** Keeps what is in the middle of the view there when the zoom changes. */
function useSteadyCenter(view: View, zoom: number): void {
  const before = useRef(zoom);
  useLayoutEffect(() => {
    const element = view.current;
    const ratio = zoom / before.current;
    before.current = zoom;
    if (!element || ratio === 1) return;
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = element;
    const moved = (at: number, size: number) => (at === 0 ? 0 : (at + size / 2) * ratio - size / 2);
    element.scrollTo(moved(scrollLeft, clientWidth), moved(scrollTop, clientHeight));
  }, [view, zoom]);
}

/** Zooms by keys that are pressed within the view. */
function useKeys(view: View, by: (factor: number) => void, fitWhole: () => void): void {
  useEffect(() => {
    const element = view.current;
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === '+' || event.key === '=') by(STEP);
      else if (event.key === '-') by(1 / STEP);
      else if (event.key === '0') fitWhole();
      else return;
      event.preventDefault();
    };
    element?.addEventListener('keydown', press);
    return () => element?.removeEventListener('keydown', press);
  }, [view, by, fitWhole]);
}

/** Zooms by pinch and by Ctrl with the wheel, and pans by dragging the background with a mouse. */
function useGestures(view: View, by: (factor: number) => void): void {
  useEffect(() => {
    const element = view.current;
    if (!element) return;
    const ended = new AbortController();
    const on = <Kind extends keyof HTMLElementEventMap>(
      kind: Kind,
      handle: (event: HTMLElementEventMap[Kind]) => void,
    ) => element.addEventListener(kind, handle, { signal: ended.signal, passive: false });

    on('wheel', (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      by(Math.exp(-event.deltaY / 300));
    });

    let spread = 0;
    on('touchmove', (event) => {
      const [one, other] = event.touches;
      if (!one || !other) return;
      event.preventDefault();
      const now = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
      if (spread > 0) by(now / spread);
      spread = now;
    });
    on('touchend', () => {
      spread = 0;
    });

    let drag: { readonly x: number; readonly y: number } | undefined;
    on('pointerdown', (event) => {
      const isOnCard = (event.target as Element).closest('button, a') !== null;
      if (event.pointerType !== 'mouse' || event.button !== 0 || isOnCard) return;
      drag = { x: event.clientX + element.scrollLeft, y: event.clientY + element.scrollTop };
      element.setPointerCapture(event.pointerId);
      element.dataset.drag = '';
    });
    on('pointermove', (event) => {
      if (drag) element.scrollTo(drag.x - event.clientX, drag.y - event.clientY);
    });
    on('lostpointercapture', () => {
      drag = undefined;
      delete element.dataset.drag;
    });
    return () => ended.abort();
  }, [view, by]);
}
