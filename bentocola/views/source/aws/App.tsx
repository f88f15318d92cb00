// The AWS view as a whole: its head, what is there now, and the history.
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { timeOfDay } from "../shared/formats";
import { useWords } from "../shared/root";
import { scrollers } from "../shared/scroll";
import { Spoken, useSpeaker } from "../shared/spoken";
import { Summary } from "./changes";
import { type Listed, type View, ViewContext } from "./context";
import { Decisions } from "./Decisions";
import { GoneList } from "./GoneList";
import { Empty, Header, Notices, standings, stateOf } from "./Header";
import { Mappings } from "./Mappings";
import { Queues } from "./Queues";
import { Runs } from "./Runs";
import type { Session } from "./session";
import { StepperPanel } from "./StepperPanel";
import { Tables } from "./Tables";
import { atOnce } from "./VirtualList";

export interface Lab {
  name: string;
  prefix: string;
  again?: string; // the command that starts it again, where it lives
}

interface Props {
  session: Session;
  lab: Lab | null;
  retry?: () => void; // try to connect now
  redraw(): void;
  restore(): void; // puts the reader's row back after a drawing
  onStep?: (step: number) => void;
}

export function App({ session, lab, retry, redraw, restore, onStep }: Props) {
  const { say, language } = useWords();
  const lists = useRef(new Set<Listed>()).current;
  const opener = useRef<string | null>(null);
  const place = useRef<HTMLElement>(null);
  const stood = useRef<(readonly [Element, number])[]>([]); // how far what is around the view was scrolled
  const speaker = useSpeaker(0);
  const { model, store, chosen, only } = session;
  const state = stateOf(session);

  const summary = useRef<Summary | null>(null);
  summary.current ??= new Summary(say, (text) => speaker.say(text));
  useEffect(() => {
    const forget = session.onFolded((steps) => summary.current!.add(steps));
    return () => {
      forget();
      summary.current!.end();
    };
  }, []);
  // How the view stands is said as well; that the connection is lost, its alert says by itself.
  const before = useRef(state);
  useEffect(() => {
    if (before.current !== state && state !== "disconnected" && state !== "waiting") {
      summary.current!.tell(standings(say)[state]);
    }
    before.current = state;
  }, [state]);

  // The same object at each drawing: a new one would have every part drawn twice.
  const view = useRef({} as View).current;
  Object.assign(view, {
    ...{ session, lists, restore, isLab: lab !== null },
    marked: new Set(chosen ? model.tied(chosen) : []),
    shown: only ? new Set([only, ...model.tied(only)]) : null,
    focused: () => (place.current?.getRootNode() as ShadowRoot | undefined)?.activeElement?.closest<HTMLElement>("[data-row]")?.dataset.row ?? null,
    time: (t: number) => timeOfDay(language, store.dateOf(t)),
    goTo(id: string) {
      const hidden = only !== null && only !== id && !model.tied(only).includes(id);
      Object.assign(session, { chosen: id, only: hidden ? null : only });
      atOnce(redraw);
      for (const list of lists) {
        if (list.reveal(id)) {
          return;
        }
      }
    },
    openStepper(row: string) {
      opener.current = row;
      stood.current = [...scrollers(place.current!)].map((scroller) => [scroller, scroller.scrollTop] as const);
      session.show({ stepper: { row } });
      onStep?.(model.decisionOf(row)?.n ?? 0);
    },
  } satisfies View);
  const open = session.stepper;
  useLayoutEffect(() => {
    if (!open && opener.current) {
      const row = opener.current;
      opener.current = null;
      for (const [scroller, top] of stood.current) {
        scroller.scrollTop = top;
      }
      for (const list of lists) {
        if (list.reveal(row, true)) {
          return;
        }
      }
    }
  }, [open]);

  return (
    <ViewContext.Provider value={view}>
      <section class="aws" ref={place} aria-labelledby="view-title" data-state={state} data-story={store.story} data-steps={store.last - session.waits}>
        <Header lab={lab} />
        <Notices lab={lab} retry={retry} />
        {open && <StepperPanel key={open.row} row={open.row} />}
        <div class="columns" hidden={open !== null}>
          <div>
            {model.queues.size === 0 && model.gone.length === 0 && <Empty lab={lab} />}
            <Queues />
            <Mappings />
            <Runs />
          </div>
          <div>
            <Tables />
            <Decisions />
            <GoneList />
          </div>
        </div>
        <Spoken speaker={speaker} />
      </section>
    </ViewContext.Provider>
  );
}
