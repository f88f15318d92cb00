// The list's box: no taller than what is left of the window below it, and scrolled to the current row. The page is never scrolled.
import { type RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { scrollers } from "../shared/scroll";

const LEAST = 200; // px: the lanes' heads and three rows
const MARGIN = 8;

/** Keep the current row of a list in sight: with each drawing in which `seen` changes, when sizes change, and when a scroll ends. */
export function useInSight(box: RefObject<HTMLElement | null>, seen: readonly unknown[]): void {
  useLayoutEffect(() => {
    if (box.current) {
      fit(box.current);
      keepInView(box.current);
    }
  }, seen);
  useLayoutEffect(() => {
    const element = box.current!;
    const again = () => {
      fit(element);
      keepInView(element);
    };
    const scrolled = (event: Event) => {
      if (event.target !== element) {
        fit(element); // the row that somebody scrolled away from is not brought back
      }
    };
    const stop = new AbortController();
    const { signal } = stop;
    addEventListener("resize", again, { signal });
    document.addEventListener("scrollend", scrolled, { capture: true, passive: true, signal });
    const sizes = new ResizeObserver(again); // it is drawn, or what stands in it was measured
    sizes.observe(element);
    return () => {
      sizes.disconnect();
      stop.abort();
    };
  }, []);
}

/** Tell the style sheet how much room the box has, and how much of it lies below what is in sight all the same. */
function fit(box: HTMLElement): void {
  const { top } = box.getBoundingClientRect();
  const room = bottomOfSight(box) - top - MARGIN;
  const height = Math.max(LEAST, room);
  set(box, "--room", `${Math.round(height)}px`);
  set(box, "--hidden", `${Math.round(Math.max(0, Math.min(LEAST, box.clientHeight - room)))}px`);
}

function set(box: HTMLElement, name: string, value: string): void {
  if (box.style.getPropertyValue(name) !== value) {
    box.style.setProperty(name, value);
  }
}

function bottomOfSight(box: HTMLElement): number {
  let bottom = innerHeight;
  for (const at of scrollers(box)) {
    if (at !== document.scrollingElement) {
      bottom = Math.min(bottom, at.getBoundingClientRect().bottom);
    }
  }
  return bottom;
}

/** Scroll the box no further than it takes to see the current row and the one after it. */
function keepInView(box: HTMLElement): void {
  const row = box.querySelector("[aria-current]")?.getBoundingClientRect();
  if (row) {
    const { top, bottom } = box.getBoundingClientRect();
    const controls = box.closest(".walk")?.querySelector(".controls"); // they stick to the window, over the box
    const heads = top + (box.querySelector(".heads")?.clientHeight ?? 0);
    const above = row.top - Math.max(heads, controls?.getBoundingClientRect().bottom ?? 0);
    const below = row.bottom + row.height - Math.min(bottom, bottomOfSight(box));
    box.scrollTop += above < 0 ? above : Math.max(0, Math.min(below, above));
  }
}
