// A list of which only the rows in sight are drawn, and the one in use; the rows' heights are measured. One tab stop: arrows move on.
import {
  defaultRangeExtractor,
  elementScroll,
  measureElement,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from "@tanstack/virtual-core";
import { type ComponentChildren, options } from "preact";
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from "preact/hooks";
import { useWords } from "../shared/root";
import { useView } from "./context";

const DRAWN_ALL = 40; // a list of so many rows is drawn whole: it can be searched and printed as it is

interface Row {
  class?: string;
  attributes: Record<string, unknown>;
  stamp: string; // another one when the content is to be drawn anew
  content(): ComponentChildren;
}

interface Props {
  name: string; // the list's, for those who look for it
  label: string; // what a screen reader calls it
  count: number;
  idOf(index: number): string;
  row(index: number, inUse: boolean): Row;
  estimate: number; // a row's height until it is measured
  gap?: number;
  head?: ComponentChildren; // cells of a table's head; with them the rows are a table's
}

let atWork = false;

/** Have drawn at once what `change` leads to, and what follows from that; not within a drawing, but after it. */
export function atOnce(change: () => void): void {
  if (atWork) {
    change(); // whoever is at work draws it
    return;
  }
  const later = options.debounceRendering;
  const due: (() => void)[] = [];
  options.debounceRendering = (draw) => void due.push(draw);
  atWork = true;
  try {
    change();
    for (const draw of due) {
      draw();
    }
  } finally {
    atWork = false;
    options.debounceRendering = later;
  }
}

/** A row's height when the browser has laid it out; until then the one that it is taken to have: asking would lay out each by itself. */
const measured: typeof measureElement<HTMLDivElement> = (element, entry, list) => {
  const index = list.indexFromElement(element);
  const known = list.itemSizeCache.get(list.options.getItemKey(index)) ?? list.options.estimateSize(index);
  return entry ? measureElement(element, entry, list) : known;
};

export function VirtualList({ name, label, count, idOf, row, estimate, gap = 0, head }: Props) {
  const { say } = useWords();
  const { session, lists, marked, restore } = useView();
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const made = useRef<Virtualizer<HTMLDivElement, HTMLDivElement> | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const inUse = useRef<string | null>(null); // the row whose controls the Tab key reaches
  const now = useRef({ count, idOf });
  const first = useRef("");
  const seen = useRef("");
  const drawn = useRef(new Map<string, { stamp: string; content: ComponentChildren }>());
  now.current = { count, idOf };

  const top = count ? idOf(0) : "";
  const bottom = count ? idOf(count - 1) : "";
  const getItemKey = useMemo(() => (index: number) => now.current.idOf(index), [top, bottom, count]);
  const indexOf = (id: string | null) => {
    for (let index = 0; id !== null && index < now.current.count; index++) {
      if (now.current.idOf(index) === id) {
        return index;
      }
    }
    return -1;
  };
  const used = useMemo(() => Math.max(0, indexOf(inUse.current)), [getItemKey, inUse.current]);

  // New rows come above. They push down what is there in a list at its top, and nobody who reads further down or is in the list.
  const isLeft = session.stepper !== null && session.stepper.row === inUse.current; // for the stepper, and is come back to
  const stays = (scroller.current?.scrollTop ?? 0) > 0 || isLeft || scroller.current?.matches(":focus-within");
  const came = first.current !== "" && first.current !== top;
  first.current = top;
  // The top row when the list was last seen from there: what is above it now is new.
  if (!stays || seen.current === "") {
    seen.current = top;
  }
  const above = Math.max(0, indexOf(seen.current));
  const settings = {
    ...{ count, getItemKey, gap, overscan: 3, estimateSize: () => estimate, initialRect: { width: 600, height: 400 } },
    ...{ anchorTo: came && stays ? ("end" as const) : ("start" as const), getScrollElement: () => scroller.current },
    ...{ scrollToFn: elementScroll, observeElementRect, observeElementOffset, measureElement: measured },
    onChange: (_: unknown, sync: boolean) => (sync ? atOnce(() => redraw(0)) : redraw(0)),
    rangeExtractor(range: Parameters<typeof defaultRangeExtractor>[0]) {
      if (count <= DRAWN_ALL) {
        return Array.from({ length: count }, (_, index) => index);
      }
      const inSight = defaultRangeExtractor(range);
      return inSight.includes(used) ? inSight : [...inSight, used].sort((a, b) => a - b);
    },
  };
  const virtualizer = (made.current ??= new Virtualizer<HTMLDivElement, HTMLDivElement>(settings));
  virtualizer.setOptions(settings);
  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => {
    virtualizer._willUpdate();
    restore(); // measured rows move the others
  });

  /** Bring the focus to a row. `stays`: it is in sight already, and nothing scrolls. */
  const use = (index: number, stays = false) => {
    const id = now.current.idOf(index);
    inUse.current = id;
    if (!stays) {
      virtualizer.scrollToIndex(index, { align: "auto" });
    }
    atOnce(() => redraw(0));
    const element = scroller.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`);
    element?.querySelector<HTMLElement>("[data-primary]")?.focus({ preventScroll: true });
    if (!stays) {
      element?.scrollIntoView({ block: "nearest" });
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("pre")) {
      return;
    }
    const page = 8;
    const to = {
      ArrowDown: used + 1,
      ArrowUp: used - 1,
      PageDown: used + page,
      PageUp: used - page,
      Home: 0,
      End: count - 1,
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      use(Math.max(0, Math.min(count - 1, to)));
    }
  };
  const toTop = () => {
    seen.current = top;
    use(0);
    scroller.current?.scrollTo({ top: 0 });
  };
  const onScroll = () => {
    if (above > 0 && scroller.current!.scrollTop <= 0) {
      seen.current = now.current.idOf(0);
      redraw(0);
    }
  };
  const onFocusIn = (event: FocusEvent) => {
    const id = (event.target as HTMLElement).closest<HTMLElement>("[data-row]")?.dataset.row ?? null;
    if (id !== null && id !== inUse.current) {
      inUse.current = id;
      redraw(0);
    }
  };
  useEffect(() => {
    const list = {
      reveal(id: string, stays = false) {
        const index = indexOf(id);
        if (index >= 0) {
          use(index, stays);
        }
        return index >= 0;
      },
    };
    lists.add(list);
    return () => void lists.delete(list);
  }, []);

  // A row whose stamp is the same is the same: Preact then passes over it.
  const before = drawn.current;
  drawn.current = new Map();
  const contentOf = (id: string, isUsed: boolean, { stamp, content }: Row) => {
    if (session.chosen === id) {
      return content();
    }
    const its = `${session.store.story} ${stamp} ${isUsed} ${marked.has(id) ? session.chosen : ""}`;
    const known = before.get(id);
    const now = known?.stamp === its ? known : { stamp: its, content: content() };
    drawn.current.set(id, now);
    return now.content;
  };

  const isTable = head !== undefined;
  const rows = virtualizer.getVirtualItems().map(({ index, key, start }) => {
    const isUsed = index === used;
    const its = row(index, isUsed);
    const { class: kind = "", attributes } = its;
    const place = isTable
      ? { role: "row" as const, "aria-rowindex": index + 2 }
      : { role: "listitem" as const, "aria-setsize": count, "aria-posinset": index + 1 };
    return (
      <div
        key={key}
        ref={virtualizer.measureElement}
        class={`virtual ${kind} ${marked.has(String(key)) ? "marked" : ""}`}
        style={{ transform: `translateY(${start}px)` }}
        data-index={index}
        data-row={key}
        {...place}
        {...attributes}
      >
        {contentOf(String(key), isUsed, its)}
      </div>
    );
  });
  const body = (
    <div
      ref={scroller}
      class="scroll"
      data-list={name}
      role={isTable ? "rowgroup" : "list"}
      aria-label={isTable ? undefined : label}
      onKeyDown={onKeyDown}
      onFocusIn={onFocusIn}
      onScroll={onScroll}
    >
      <div class="sizer" role="presentation" style={{ height: `${virtualizer.getTotalSize()}px` }}>
        {rows}
      </div>
    </div>
  );
  return (
    <div class="rows">
      {above > 0 && (
        <button type="button" class="news" data-news={above} onClick={toTop}>
          {above === 1 ? say("↑ 1 new") : say("↑ {count} new", { count: above })}
        </button>
      )}
      {isTable ? (
        <div role="table" aria-label={label} aria-rowcount={count + 1}>
          <div role="rowgroup">
            <div class="heads" role="row" aria-rowindex={1}>
              {head}
            </div>
          </div>
          {body}
        </div>
      ) : (
        body
      )}
      {count > 1 && (
        <span class="keys" aria-hidden="true">
          {say("↑ ↓: next row")}
        </span>
      )}
    </div>
  );
}
