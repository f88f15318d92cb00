// Rows never shift under the reader: the row that holds the focus stays where it is on the screen, and so does the one under the
// pointer in a list that somebody scrolled. Of a list at its top the list itself stays, and what is new comes into sight in it.
// When something above grows or goes, what scrolls is scrolled by as much; where nothing can scroll so far, room is made.
import { scrollers } from "../shared/scroll";

const READER_MS = 400; // a wheel turns on for a while
const OURS_MS = 150; // a scroll so soon after a correction is that correction

export interface Anchor {
  /** Put the reader's row back to where it was. To be called after each drawing, before it is painted. */
  restore(): void;
  end(): void;
}

/** Watch `root` (inside a shadow root), whose rows are `[data-row]`. */
export function anchorRows(root: HTMLElement): Anchor {
  const host = (root.getRootNode() as ShadowRoot).host as HTMLElement; // room is made around the view
  let row: HTMLElement | null = null; // that the reader used last, or its list
  let top = 0; // where it is to stay on the screen: where the reader left it
  let last = -READER_MS; // when the reader did something
  let corrected = -OURS_MS;

  const rowOf = (event?: Event) => {
    const target = event?.composedPath()[0];
    const left = event?.type === "pointerleave" || !(target instanceof Element);
    return left ? null : target.closest<HTMLElement>("[data-row]");
  };
  const use = (event?: Event) => {
    const focused = (root.getRootNode() as ShadowRoot).activeElement?.closest<HTMLElement>("[data-row]") ?? null;
    const hovered = rowOf(event) ?? root.querySelector<HTMLElement>("[data-row]:hover");
    row = focused && hovered?.closest(".scroll") === focused.closest(".scroll") ? focused : hovered ? held(hovered, focused) : focused;
    note();
  };
  /** The row itself where it is in use or its list was scrolled; else the list, which stays at its top. */
  const held = (hovered: HTMLElement, focused: HTMLElement | null) => {
    const list = hovered.closest<HTMLElement>(".scroll");
    return hovered === focused || !list || list.scrollTop > 0 ? hovered : list;
  };
  const note = () => {
    top = row?.getBoundingClientRect().top ?? 0;
  };
  const restore = () => {
    if (!row?.checkVisibility({ visibilityProperty: true })) {
      release();
      return;
    }
    if (Math.abs(row.getBoundingClientRect().top - top) >= 1) {
      corrected = performance.now();
    }
    for (const scroller of scrollers(row)) {
      const moved = row.getBoundingClientRect().top - top;
      if (Math.abs(moved) < 1) {
        return;
      }
      scroller.scrollTop += moved;
    }
    const moved = row.getBoundingClientRect().top - top;
    if (moved >= 1) {
      host.style.paddingBottom = `${(parseFloat(host.style.paddingBottom) || 0) + moved}px`;
      for (const scroller of scrollers(row)) {
        scroller.scrollTop += row.getBoundingClientRect().top - top;
      }
    } else if (moved <= -1) {
      host.style.paddingTop = `${(parseFloat(host.style.paddingTop) || 0) - moved}px`;
    }
  };
  const release = () => {
    host.style.paddingTop = host.style.paddingBottom = "";
  };

  // Sizes are measured after a drawing; what then moves is put back as well.
  const sizes = new ResizeObserver(restore);
  sizes.observe(root);
  const stop = new AbortController();
  const { signal } = stop;
  root.addEventListener("pointerover", use, { signal });
  root.addEventListener("focusin", use, { signal });
  root.addEventListener("pointerleave", use, { signal });
  // What the reader does moves rows on purpose. A scroll is theirs if they did something just before, or nothing was corrected.
  const acted = () => {
    last = performance.now();
    note();
  };
  const scrolled = () => {
    const now = performance.now();
    if (now - last < READER_MS || now - corrected > OURS_MS) {
      use();
    }
  };
  const options = { capture: true, passive: true, signal };
  for (const type of ["wheel", "touchmove", "pointerdown", "click", "keydown", "keyup", "input"]) {
    document.addEventListener(type, acted, options);
  }
  document.addEventListener("scroll", scrolled, options);
  root.addEventListener("scroll", scrolled, options); // of a list: it does not leave the shadow root
  addEventListener("resize", note, { signal });
  return {
    restore,
    end() {
      sizes.disconnect();
      stop.abort();
    },
  };
}

