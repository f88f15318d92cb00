// Only the rows that are in view are drawn: a long list in its own scrolling box, with rows as tall as they turn out to be.
import {
  defaultRangeExtractor,
  elementScroll,
  measureElement,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualItem,
} from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useLayoutEffect, useReducer, useRef } from "preact/hooks";

export interface WindowOptions {
  count: number;
  scroller: RefObject<HTMLElement | null>; // the box that scrolls
  estimate: number; // a row's likely height
  keyOf: (index: number) => string | number;
  kept?: readonly number[]; // rows that stay although they are out of view: the one that holds the focus
  head?: number; // the height of what stands above the rows in the box and stays in view
}

export interface Windowed {
  rows: VirtualItem[]; // `start`: from the top of the rows
  total: number;
  measure: (row: HTMLElement | null) => void; // the row's ref; it carries its number as `data-index`
  show: (index: number) => void; // scroll no further than is needed
}

export function useWindow({ count, scroller, estimate, keyOf, kept = [], head = 0 }: WindowOptions): Windowed {
  const [, redraw] = useReducer((drawn: number) => drawn + 1, 0);
  const held = useRef<Virtualizer<HTMLElement, HTMLElement> | null>(null);
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimate,
    getItemKey: keyOf,
    scrollMargin: head,
    scrollPaddingStart: head,
    overscan: 8,
    initialRect: { width: 600, height: 600 },
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    measureElement,
    onChange: () => redraw(0),
    rangeExtractor: (range: Parameters<typeof defaultRangeExtractor>[0]) => {
      const inView = defaultRangeExtractor(range);
      const others = kept.filter((index) => index >= 0 && index < count && !inView.includes(index));
      return [...inView, ...others].sort((one, other) => one - other);
    },
  };
  held.current ??= new Virtualizer<HTMLElement, HTMLElement>(options);
  const virtualizer = held.current;
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => virtualizer._willUpdate());
  return {
    rows: virtualizer.getVirtualItems().map((row) => ({ ...row, start: row.start - head })),
    total: virtualizer.getTotalSize(),
    measure: virtualizer.measureElement,
    show: (index) => virtualizer.scrollToIndex(index, { align: "auto" }),
  };
}
