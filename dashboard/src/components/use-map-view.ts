/**
 * What part of the world a map shows, and every way of changing it: mouse and wheel, one finger and two, keys, and buttons for
 * whoever cannot drag (WCAG 2.5.7).
 */
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type RefObject } from 'react';
import { MAP_HEIGHT as HEIGHT, MAP_WIDTH as WIDTH } from './world-map.tsx';
import { MAX_ZOOM, type View } from './world-projection.ts';

interface Spot {
  x: number;
  y: number;
}

export interface MapView {
  view: View;
  /** Of the drawing. */
  svg: RefObject<SVGSVGElement | null>;
  show(view: View): void;
  zoomBy(factor: number): void;
  /** @param x as a share of what is shown, to the right; @param y downwards */
  panBy(x: number, y: number): void;
  reset(): void;
  /** Whether the press that ends now has moved the map: it is no press of what it is on. */
  wasDragged(): boolean;
  handlers: {
    onPointerDown(event: PointerEvent<SVGSVGElement>): void;
    onPointerMove(event: PointerEvent<SVGSVGElement>): void;
    onPointerUp(event: PointerEvent<SVGSVGElement>): void;
    onPointerCancel(event: PointerEvent<SVGSVGElement>): void;
    onKeyDown(event: KeyboardEvent<SVGSVGElement>): void;
  };
}

/** What one press of a button or a key does. */
export const ZOOM_STEP = 1.8;
export const PAN_STEP = 0.25;

/** A hand is not steady: less than this is a press. */
const DRAG_PX = 4;
/** What a notch of a wheel zooms by, as a power of two for each pixel, or line, of it. */
const WHEEL = [0.002, 0.05, 1] as const;

const KEYS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-PAN_STEP, 0],
  ArrowRight: [PAN_STEP, 0],
  ArrowUp: [0, -PAN_STEP],
  ArrowDown: [0, PAN_STEP],
};
const ZOOMS: Readonly<Record<string, number>> = {
  '+': ZOOM_STEP,
  '=': ZOOM_STEP,
  '-': 1 / ZOOM_STEP,
  _: 1 / ZOOM_STEP,
};

export const clampView = ({ x, y, zoom }: View): View => {
  const [halfWidth, halfHeight] = [WIDTH / zoom / 2, HEIGHT / zoom / 2];
  return {
    zoom,
    x: Math.min(Math.max(x, halfWidth), WIDTH - halfWidth),
    y: Math.min(Math.max(y, halfHeight), HEIGHT - halfHeight),
  };
};

/** @param at what stays where it is, as a share of what is shown; the middle unless given */
function zoomed(view: View, factor: number, at: Spot = { x: 0.5, y: 0.5 }): View {
  const zoom = Math.min(Math.max(1, view.zoom * factor), MAX_ZOOM);
  const shift = 1 / view.zoom - 1 / zoom;
  return clampView({
    zoom,
    x: view.x + (at.x - 0.5) * WIDTH * shift,
    y: view.y + (at.y - 0.5) * HEIGHT * shift,
  });
}

const panned = (view: View, x: number, y: number): View =>
  clampView({ ...view, x: view.x + (x * WIDTH) / view.zoom, y: view.y + (y * HEIGHT) / view.zoom });

const middle = (spots: readonly Spot[]): Spot => ({
  x: spots.reduce((sum, { x }) => sum + x, 0) / spots.length,
  y: spots.reduce((sum, { y }) => sum + y, 0) / spots.length,
});

const spread = ([a, b]: readonly Spot[]): number =>
  b === undefined ? 1 : Math.hypot(a!.x - b.x, a!.y - b.y);

/** @param first what is shown before anybody chooses, and again after a reset */
export function useMapView(first: View): MapView {
  const [chosen, setChosen] = useState<View | null>(null);
  const view = chosen ?? first;
  const svg = useRef<SVGSVGElement>(null);
  const fingers = useRef(new Map<number, Spot>());
  const pressedAt = useRef<Spot | null>(null);
  const hasMoved = useRef(false);
  const change = (next: (view: View) => View) => setChosen((before) => next(before ?? first));

  useEffect(() => {
    const element = svg.current!;
    // Of a page that is scrolled past, the map takes no wheel: only where it has the focus, or with Ctrl, which is also what a
    // pinch on a touchpad says.
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !element.contains(document.activeElement)) return;
      event.preventDefault();
      const { left, top, width, height } = element.getBoundingClientRect();
      const at = { x: (event.clientX - left) / width, y: (event.clientY - top) / height };
      const factor = 2 ** (-event.deltaY * (WHEEL[event.deltaMode] ?? WHEEL[0]));
      setChosen((before) => zoomed(before ?? first, factor, at));
    };
    // React listens passively, which cannot keep the page from scrolling.
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [first]);

  const lift = ({ pointerId }: PointerEvent<SVGSVGElement>) => {
    fingers.current.delete(pointerId);
  };
  return {
    view,
    svg,
    show: (next) => setChosen(clampView(next)),
    zoomBy: (factor) => change((before) => zoomed(before, factor)),
    panBy: (x, y) => change((before) => panned(before, x, y)),
    reset: () => setChosen(null),
    wasDragged: () => hasMoved.current,
    handlers: {
      onPointerDown({ pointerId, clientX: x, clientY: y }) {
        if (fingers.current.size === 0) {
          hasMoved.current = false;
          pressedAt.current = { x, y };
        }
        fingers.current.set(pointerId, { x, y });
      },
      onPointerMove({ pointerId, clientX: x, clientY: y, currentTarget }) {
        if (!fingers.current.has(pointerId)) return;
        const before = [...fingers.current.values()];
        const start = pressedAt.current!;
        if (!hasMoved.current && before.length === 1 && Math.hypot(x - start.x, y - start.y) < DRAG_PX)
          return;
        hasMoved.current = true;
        currentTarget.setPointerCapture(pointerId);
        fingers.current.set(pointerId, { x, y });
        const now = [...fingers.current.values()];
        const { left, top, width, height } = currentTarget.getBoundingClientRect();
        const [from, to] = [middle(before), middle(now)];
        const at = { x: (to.x - left) / width, y: (to.y - top) / height };
        const factor = spread(now) / Math.max(1, spread(before));
        change((last) => zoomed(panned(last, (from.x - to.x) / width, (from.y - to.y) / height), factor, at));
      },
      onPointerUp: lift,
      onPointerCancel: lift,
      onKeyDown(event) {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const { key } = event;
        const pan = KEYS[key];
        const factor = ZOOMS[key];
        if (pan !== undefined && view.zoom > 1) change((before) => panned(before, ...pan));
        else if (factor !== undefined) change((before) => zoomed(before, factor));
        else if ((key === '0' || key === 'Escape') && chosen !== null) setChosen(null);
        // Nothing to do here: the arrows scroll the page, Escape closes what is around.
        else return;
        event.preventDefault();
        event.stopPropagation();
      },
    },
  };
}
