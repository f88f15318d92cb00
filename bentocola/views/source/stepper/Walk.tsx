// Walking through the steps: the controls, the list with its lanes, and the detail of the current step.
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { useWords } from "../shared/root";
import { Spoken, useSpeaker } from "../shared/spoken";
import type { Store } from "../shared/store";
import type { Verdict } from "../shared/trace";
import type { Say } from "../shared/words";
import { Controls } from "./controls";
import { Detail } from "./detail";
import { hasOwnKeys, movedTo } from "./keys";
import { Lanes } from "./lanes";
import { StepList } from "./list";
import { isAside, lanesOf, repeatsOf, stepAt } from "./read";
import { longOf, shortOf, type Teller } from "./sentences";
import type { Story } from "./story";
import { changesAt, counters } from "./tiles";

/** From this width on, list and detail stand side by side. */
const WIDE = 720;
const MOVE_MS = 300;

type Go = (n: number) => void;

export interface WalkProps {
  store: Store;
  story: Story | null | undefined;
  start: number;
  only: readonly number[] | undefined;
  isLab: boolean;
  folds: boolean; // steps that only look or set up are folded away
  veils: boolean; // steps are veiled until they were gone to
  follows: boolean; // steps may still come: whoever is at the end stays there
  takesFocus: boolean; // *next* has the focus at first, since the button that led here is gone
  verdict: Verdict | null;
  walk: { current: Go | null } | undefined;
  onStep: (n: number) => void;
  above: (go: Go) => ComponentChildren;
  ending: ((go: Go) => ComponentChildren) | undefined;
}

export function Walk({ store, story, only, isLab, folds, veils, follows, verdict, ...props }: WalkProps) {
  const { language, say } = useWords();
  const [, redraw] = useReducer((drawn: number) => drawn + 1, 0);
  const [n, setN] = useState(Math.min(props.start, store.last));
  const [seen, setSeen] = useState(n);
  const [moving, setMoving] = useState(false);
  const [pretty, setPretty] = useState(false);
  const [isOpen, open] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  const isWide = useWide(body);
  const speaker = useSpeaker();
  const { places, repeats, folded, showsAll, showAll } = usePlaces(store, n, only, folds);
  const at = Math.max(0, places.findLastIndex((place) => place <= n));
  const teller: Teller = { language, say, store, isLab };
  const tiles = story?.tiles.length ? story.tiles : counters(say);

  const go = (to: number, byNext = false) => {
    const reached = Math.max(0, Math.min(store.last, to));
    setN(reached);
    setSeen((before) => Math.max(before, reached));
    setMoving(byNext && reached !== n && !matchMedia("(prefers-reduced-motion: reduce)").matches);
    speaker.say(spoken(teller, tiles, reached, placeOf(say, places, places.findLastIndex((place) => place <= reached), store.last)));
    props.onStep(reached);
  };
  useEffect(() => {
    const timer = moving ? setTimeout(() => setMoving(false), MOVE_MS) : undefined;
    return () => clearTimeout(timer);
  }, [moving, n]);
  useEffect(() => {
    if (props.takesFocus) {
      body.current?.querySelector<HTMLElement>("[data-do='next']")?.focus();
    }
  }, []);
  if (props.walk) {
    props.walk.current = go;
  }
  useFollowing(store, follows, places, n, body, { go, redraw: () => redraw(0) });

  const isEnd = at === places.length - 1;
  const near = nearBy(places, at);
  const isShort = !isWide && !isOpen;
  const listed = isShort ? near : places;
  // In the list the focus goes along; elsewhere it stays where it is.
  const onKeyDown = (event: KeyboardEvent) => {
    const to = movedTo(event, at, places.length);
    if (to !== undefined && !event.defaultPrevented && !hasOwnKeys(event.target)) {
      event.preventDefault();
      go(places[to] ?? 0);
    }
  };
  const drawn = lanesOf(store.steps).join();
  const lanes = useMemo(() => lanesOf(store.steps), [drawn]);
  return (
    <Lanes.Provider value={lanes}>
      <div class={`walk ${isWide ? "wide" : "narrow"}`} ref={body} onKeyDown={onKeyDown}>
        {props.above(go)}
        <Controls
          places={places}
          at={at}
          place={placeOf(say, places, at, store.last)}
          name={shortOf(teller, stepAt(store, n))}
          go={go}
          next={() => go(places[Math.min(at + 1, places.length - 1)] ?? 0, true)}
        />
        <div class="main">
          <div class="story">
            {(folded > 0 || showsAll) && (
              <button type="button" class="fold" data-do="fold" aria-pressed={showsAll} onClick={() => showAll(!showsAll, go)}>
                {only ? say("Show all that happened") : say("Show also what only looks or sets up")}
              </button>
            )}
            <StepList
              teller={teller}
              places={listed}
              at={listed.indexOf(places[at] ?? 0)}
              seen={veils ? seen : store.last}
              blame={verdict?.blame ?? []}
              repeats={repeats}
              moving={moving}
              go={go}
            />
            {!isWide && places.length > near.length && (
              <button type="button" class="more" data-do="more" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
                {isOpen ? say("Show only those nearby") : say("Show all {count} steps", { count: places.length - 1 })}
              </button>
            )}
          </div>
          <Detail
            teller={teller}
            n={n}
            tiles={tiles}
            broken={isEnd && verdict && !verdict.ok ? verdict : null}
            pretty={pretty}
            onPretty={setPretty}
            speak={speaker.say}
            go={go}
          >
            {isEnd && n > 0 && props.ending?.(go)}
          </Detail>
        </div>
        <Spoken speaker={speaker} />
      </div>
    </Lanes.Provider>
  );
}

/** Where one is among the steps that are listed; where some are left out, with the step's own number. */
function placeOf(say: Say, places: readonly number[], at: number, last: number): string {
  const [n, count] = [places[at] ?? 0, places.length - 1];
  const values = { at, count, n };
  return count === last || n === 0 ? say("Step {n} of {count}", { n: at, count }) : say("Step {at} of {count} (number {n})", values);
}

/** Where one is, what it is called, what is said of it, and what it changed: one text for each step that is gone to. */
function spoken(teller: Teller, tiles: Parameters<typeof changesAt>[2], n: number, place: string): string {
  const { say, store } = teller;
  const step = stepAt(store, n);
  const changes = changesAt(say, store, tiles, n).map(({ tile, now }) => `${tile.label} ${now}`);
  const told = say("{place}. {name}. {told}", {
    place,
    name: shortOf(teller, step),
    told: longOf(teller, step),
  });
  return changes.length ? `${told} ${say("Changed: {changes}.", { changes: changes.join(", ") })}` : told;
}

/** The three rows that a narrow view shows: previous, this, next. */
function nearBy(places: readonly number[], at: number): readonly number[] {
  const from = Math.max(0, Math.min(at - 1, places.length - 3));
  return places.slice(from, from + 3);
}

/** Which steps can be gone to, and how many are folded away. A step that is gone to although it is folded unfolds all. */
function usePlaces(store: Store, n: number, only: readonly number[] | undefined, folds: boolean) {
  const [showsAll, setShowsAll] = useState(false);
  // In a session, neighbours that are the same are one row.
  const repeats = useMemo(() => (folds ? repeatsOf(store.steps) : new Map<number, number>()), [store, store.last, folds]);
  const all = useMemo(() => {
    const every = Array.from({ length: store.last + 1 }, (_, index) => index);
    const again = new Set([...repeats].flatMap(([n, count]) => Array.from({ length: count - 1 }, (_, index) => n + 1 + index)));
    return every.filter((n) => !again.has(n));
  }, [repeats]);
  const shown = useMemo(() => {
    const chosen = only ?? store.steps.filter((step) => !(folds && isAside(step))).map((step) => step.n);
    const listed = new Set(all);
    return [0, ...chosen.filter((n) => listed.has(n))];
  }, [all, only, folds]);
  const isHidden = n > 0 && !shown.includes(all.findLast((place) => place <= n) ?? 0);
  useLayoutEffect(() => {
    if (isHidden) {
      setShowsAll(true);
    }
  }, [isHidden]);
  return {
    places: showsAll || isHidden ? all : shown,
    repeats,
    folded: all.length - shown.length,
    showsAll,
    showAll(shows: boolean, go: Go) {
      setShowsAll(shows);
      if (!shows && isHidden) {
        go(shown.findLast((place) => place <= n) ?? 0);
      }
    },
  };
}

/** Steps that come are listed; whoever is at the end goes on to the last one, unless they are in the list themselves. */
function useFollowing(
  store: Store,
  follows: boolean,
  places: readonly number[],
  n: number,
  body: RefObject<HTMLElement | null>,
  { go, redraw }: { go: Go; redraw: () => void },
) {
  const wants = useRef(false);
  const was = useRef({ places, n });
  was.current = { places, n };
  useEffect(() => {
    if (!follows) {
      return undefined;
    }
    return store.subscribe(({ steps, restarted }) => {
      const isAtEnd = was.current.n === was.current.places.at(-1);
      const root = body.current?.getRootNode();
      const isInList = root instanceof ShadowRoot && root.activeElement?.closest(".story") != null;
      wants.current ||= restarted || (steps.length > 0 && isAtEnd && !isInList);
      redraw();
    });
  }, [store, follows]);
  useLayoutEffect(() => {
    if (wants.current) {
      wants.current = false;
      const last = places.at(-1) ?? 0;
      if (last !== n) {
        go(last);
      }
    }
  });
}

function useWide(body: RefObject<HTMLElement | null>): boolean {
  const [isWide, setWide] = useState(true);
  useLayoutEffect(() => {
    const element = body.current;
    if (!element) {
      return undefined;
    }
    const measure = () => setWide(element.clientWidth >= WIDE);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return isWide;
}
