// The steps as a list, which is the diagram too: a row is a number, a few words and the lanes. One tab stop, moved by the arrows.
import type { RefObject } from "preact";
import { useCallback, useLayoutEffect, useRef } from "preact/hooks";
import { Glyph } from "../shared/glyphs";
import { useWords } from "../shared/root";
import type { Step } from "../shared/trace";
import { useInSight } from "./fit";
import { movedTo } from "./keys";
import { useWindow } from "./useWindow";
import { LaneHeads, Track, useAt } from "./lanes";
import { type Bar, isLane, runBars, stepAt } from "./read";
import { shortOf, type Teller } from "./sentences";

/** How many rows are drawn as they are; of a longer list only those in view are. */
const LONG = 24;

export interface ListProps {
  teller: Teller;
  places: readonly number[]; // the numbers of the steps that are listed; 0 is the beginning
  at: number; // the current one's index in them
  seen: number; // the number up to which they are unveiled
  blame: readonly number[];
  repeats: ReadonlyMap<number, number>; // how often a step came, with the same ones that follow it
  moving: boolean; // the current step was reached by *next* just now
  go: (n: number) => void;
}

export function StepList(props: ListProps) {
  return props.places.length > LONG ? <LongList {...props} /> : <ShortList {...props} />;
}

function ShortList(props: ListProps) {
  const { places, at } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const onKeyDown = useKeys(props, list);
  const bars = useBars(props.teller.store.steps);
  useInSight(scroller, [at, places]);
  return (
    <div class="scroller" ref={scroller}>
      <div class="heads" aria-hidden="true">
        <LaneHeads />
      </div>
      <ol aria-label={useWords().say("Steps")} ref={list} onKeyDown={onKeyDown}>
        {places.map((n, index) => (
          <li key={n}>
            <Row {...props} n={n} current={index === at} bar={bars[n - 1]} />
          </li>
        ))}
      </ol>
    </div>
  );
}

const HEADS = 62;

function LongList(props: ListProps) {
  const { places, at } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const onKeyDown = useKeys(props, list);
  const bars = useBars(props.teller.store.steps);
  // The same one as long as the list is: else all rows are measured again.
  const keyOf = useCallback((index: number) => places[index] ?? index, [places]);
  const { rows, total, measure, show } = useWindow({
    count: places.length,
    scroller,
    estimate: 40,
    keyOf,
    kept: [at],
    head: HEADS,
  });
  useLayoutEffect(() => show(at), [at, places]);
  useInSight(scroller, [at, places]);
  return (
    <div class="scroller long" ref={scroller}>
      <div class="heads" aria-hidden="true" style={{ height: `${HEADS}px` }}>
        <LaneHeads />
      </div>
      <ol aria-label={useWords().say("Steps")} ref={list} onKeyDown={onKeyDown} style={{ height: `${total}px` }}>
        {rows.map(({ key, index, start }) => {
          const n = places[index] ?? 0;
          return (
            <li
              key={key}
              data-index={index}
              ref={measure}
              aria-setsize={places.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start}px)` }}
            >
              <Row {...props} n={n} current={index === at} bar={bars[n - 1]} />
            </li>
          );
        })}
      </ol>
    </div>
  );
}

/** The bars of the runs; steps are only ever added, so they are read again when there are more of them. */
function useBars(steps: readonly Step[]): Bar[] {
  const read = useRef<{ of: readonly Step[]; count: number; bars: Bar[] }>({ of: [], count: -1, bars: [] });
  if (read.current.of !== steps || read.current.count !== steps.length) {
    read.current = { of: steps, count: steps.length, bars: runBars(steps) };
  }
  return read.current.bars;
}

/** Arrows, Home and End move through the list, and the focus with them. */
function useKeys({ places, at, go }: ListProps, list: RefObject<HTMLOListElement | null>) {
  const moved = useRef(false);
  useLayoutEffect(() => {
    if (moved.current) {
      moved.current = false;
      list.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus({ preventScroll: places.length > LONG });
    }
  });
  return (event: KeyboardEvent) => {
    const to = movedTo(event, at, places.length);
    if (to === undefined) {
      return;
    }
    event.preventDefault();
    moved.current = true;
    go(places[to] ?? 0);
  };
}

interface RowProps extends ListProps {
  n: number;
  current: boolean;
  bar?: Bar;
}

function Row({ teller, n, current, bar, seen, blame, repeats, places, at, moving, go }: RowProps) {
  const { say } = teller;
  const lanes = useAt();
  const step = stepAt(teller.store, n);
  const veiled = n > seen;
  const state = [n <= (places[at] ?? 0) ? "done" : "", veiled ? "veiled" : "", step?.fault && !veiled ? "flt" : ""].join(" ");
  return (
    <button
      type="button"
      class={`row ${state}`}
      data-n={n}
      tabIndex={current ? 0 : -1}
      aria-current={current ? "step" : undefined}
      onClick={() => go(n)}
    >
      <span class="n" aria-hidden="true">
        <i>{n}</i>
      </span>
      <span class="tx">
        {veiled ? (
          <>
            <span aria-hidden="true">· · ·</span>
            <span class="vh">{say("Step {n}: not seen yet", { n })}</span>
          </>
        ) : (
          <>
            <span class="vh">{say("Step {n}: ", { n })}</span>
            {shortOf(teller, step)} <Tags step={step} blame={blame} n={n} />
            {repeats.has(n) && <span class="tag times">×{repeats.get(n)}</span>}
          </>
        )}
      </span>
      <span class="tk">
        {veiled ? <Track /> : <Track step={step} bar={bar} />}
        {current && moving && step && isLane(step.from) && isLane(step.to) && step.from !== step.to && (
          <i class="token" style={{ "--from": `${lanes[step.from]}%`, "--to": `${lanes[step.to]}%` }} />
        )}
      </span>
    </button>
  );
}

/** What is special about a step: a fault, or its part in a counterexample. */
export function Tags({ step, blame, n }: { step?: Step; blame: readonly number[]; n: number }) {
  const { say } = useWords();
  return (
    <>
      {step?.fault && (
        <span class="tag">
          <Glyph name="bolt" />
          {say("fault")}
        </span>
      )}
      {blame.includes(n) && (
        <span class="tag bad">
          <Glyph name={n === blame.at(-1) ? "no" : "none"} />
          {n === blame.at(-1) ? say("breaks here") : say("cause")}
        </span>
      )}
    </>
  );
}
