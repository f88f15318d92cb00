// Rows never shift under the reader: what stands under the pointer, or holds the focus, stays where it is on the screen.
// When something above it grows or goes, what scrolls is scrolled by as much; where nothing can scroll so far, room is made.

const READER_MS = 400; // a wheel turns on for a while

export interface Anchor {
  /** Put the reader's row back to where it was. To be called after each drawing, before it is painted. */
  restore(): void;
  end(): void;
}

/** Watch `root` (inside a shadow root), whose rows are `[data-row]`. */
export function anchorRows(root: HTMLElement): Anchor {
  const host = (root.getRootNode() as ShadowRoot).host as HTMLElement; // room is made around the view
  let row: HTMLElement | null = null; // that the reader used last
  let top = 0; // where it is to stay on the screen: where the reader left it
  let last = -READER_MS; // when the reader did something

  const rowOf = (event: Event) => {
    const target = event.composedPath()[0];
    const left = event.type === "pointerleave" || !(target instanceof Element);
    return left ? null : target.closest<HTMLElement>("[data-row]");
  };
  const use = (event: Event) => {
    const focused = (root.getRootNode() as ShadowRoot).activeElement?.closest<HTMLElement>("[data-row]");
    row = rowOf(event) ?? focused ?? root.querySelector<HTMLElement>("[data-row]:hover");
    note();
  };
  const note = () => {
    top = row?.getBoundingClientRect().top ?? 0;
  };
  const restore = () => {
    if (!row?.checkVisibility()) {
      release();
      return;
    }
    for (const scroller of scrollers(row, root)) {
      const moved = row.getBoundingClientRect().top - top;
      if (Math.abs(moved) < 1) {
        return;
      }
      scroller.scrollTop += moved;
    }
    const moved = row.getBoundingClientRect().top - top;
    if (moved >= 1) {
      host.style.paddingBottom = `${(parseFloat(host.style.paddingBottom) || 0) + moved}px`;
      for (const scroller of scrollers(row, root)) {
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
  // What the reader does moves rows on purpose. A scroll is theirs if they did something just before.
  const acted = () => {
    last = performance.now();
    note();
  };
  const scrolled = () => {
    if (performance.now() - last < READER_MS) {
      note();
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

/** What scrolls around a row, innermost first: in the view, in the page, and the page itself. */
function* scrollers(row: HTMLElement, root: HTMLElement): Generator<Element> {
  for (let at: Element | null = row.parentElement; at; at = at.parentElement ?? hostOf(at)) {
    const { overflowY } = getComputedStyle(at);
    if (at !== root && (overflowY === "auto" || overflowY === "scroll") && at.scrollHeight > at.clientHeight) {
      yield at;
    }
  }
  if (document.scrollingElement) {
    yield document.scrollingElement;
  }
}

function hostOf(element: Element): Element | null {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}
