// The stepper: choose a fault, predict, and walk through what happened, forwards and back. Also for a plain session and for the
// shortest story that breaks a rule. What it shows comes from the trace and, for a lesson, from its story.
import { useMemo, useState } from "preact/hooks";
import { Heading, useWords } from "../shared/root";
import { type Store, storeOf } from "../shared/store";
import { SCHEMA, type Trace } from "../shared/trace";
import { Broken, Chosen, Ending } from "./banners";
import { Inject, type InjectProps } from "./inject";
import { Setup } from "./setup";
import type { Mode, Standing, Story } from "./story";
import { hasModifier } from "./keys";
import { Walk } from "./Walk";

export interface StepperProps {
  mode: Mode;
  story?: Story | null;
  traces?: Record<string, Trace>; // by fault in a lesson; else the only one
  store?: Store; // instead of traces: steps that may still grow
  fault?: string;
  prediction?: string;
  step?: number; // where to begin; in a lesson, beyond 0 the choice is made already
  isLab?: boolean; // what nobody's function did was typed in a terminal
  only?: readonly number[]; // the steps that are shown, of all that happened: those of one message, say. What is around it has a title
  live?: InjectProps;
  onChange?: (standing: Standing) => void;
  walk?: { current: ((n: number) => void) | null }; // is given what goes to a step
}

export function Stepper(props: StepperProps) {
  const { mode, story, traces = {}, store: given, onChange = () => {} } = props;
  const faults = mode === "lesson" ? (story?.faults ?? []) : [];
  const [fault, setFault] = useState(props.fault || (faults[0]?.id ?? ""));
  const [prediction, setPrediction] = useState(props.prediction ?? "");
  const trace = given ? undefined : (traces[fault] ?? traces[mode] ?? (faults.length ? undefined : Object.values(traces)[0]));
  const question = story?.questions[mode === "lesson" ? fault : (trace?.predict?.id ?? "")];
  const [isWalking, walk] = useState((props.step ?? 0) > 0 || !(question || faults.length > 1));
  // Where it begins holds for what was open first, and no longer once something else is chosen.
  const [start, setStart] = useState(props.step ?? 0);
  const readable = given !== undefined || trace?.schema === SCHEMA;
  const store = useMemo(() => given ?? (readable && trace ? storeOf(trace) : undefined), [given, trace, readable]);
  const [hasChosen, setHasChosen] = useState(false);
  const title = useTitle(props);

  if (!store) {
    return <Unreadable schema={trace?.schema} />;
  }
  const choose = (chosen: string) => {
    setFault(chosen);
    setPrediction("");
    onChange({ step: 0, fault: chosen, prediction: "" });
  };
  return (
    <section class="stepper" onKeyDown={keepsScrolling} aria-label={title} data-mode={mode} data-phase={isWalking ? "steps" : "choose"}>
      {!props.only && <Head title={title} subtitle={story?.subtitle} />}
      {isWalking ? (
        <Walk
          key={`${fault}.${trace?.id ?? ""}`}
          store={store}
          story={story}
          start={start}
          only={props.only}
          isLab={props.isLab ?? false}
          folds={mode === "session"}
          veils={question !== undefined}
          follows={given !== undefined}
          takesFocus={hasChosen}
          walk={props.walk}
          verdict={trace?.verdict ?? null}
          onStep={(step) => onChange({ step, fault, prediction })}
          above={(go) =>
            mode === "counterexample" && trace?.verdict ? (
              <Broken verdict={trace.verdict} story={story} count={store.last} go={go} />
            ) : question || faults.length > 1 ? (
              <Chosen
                fault={faults.find(({ id }) => id === fault)}
                question={question}
                prediction={prediction}
                onChange={() => {
                  setHasChosen(true);
                  setStart(0);
                  walk(false);
                }}
              />
            ) : null
          }
          ending={question && ((go) => <Ending question={question} prediction={prediction} go={go} />)}
        />
      ) : (
        <Setup
          key="setup"
          faults={faults.length > 1 ? faults : []}
          fault={fault}
          question={question}
          prediction={prediction}
          takesFocus={hasChosen}
          onFault={choose}
          onRun={(predicted) => {
            setPrediction(predicted);
            setHasChosen(true);
            setStart(0);
            walk(true);
            onChange({ step: 0, fault, prediction: predicted });
          }}
        />
      )}
      {props.live && <Inject {...props.live} />}
    </section>
  );
}

const SCROLLING = ["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "Home", "End"];

/** Arrows, Home and End scroll nothing around the stepper; a slider, a choice and a box of text have them for themselves. */
function keepsScrolling(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  if (!SCROLLING.includes(event.key) || hasModifier(event) || target.closest("input[type='range'], select")) {
    return;
  }
  const box = target.closest("pre");
  if (box && (event.key === "Home" || event.key === "End")) {
    box.scrollTop = event.key === "Home" ? 0 : box.scrollHeight;
  }
  const isOwn = target.closest("input[type='radio']") ? event.key.startsWith("Arrow") : box && event.key.startsWith("Arrow");
  if (!isOwn) {
    event.preventDefault();
  }
}

function useTitle({ mode, story }: StepperProps): string {
  const { say } = useWords();
  const title = story?.title ?? say("What happened, step by step");
  return mode === "counterexample" ? `${say("Counterexample")} · ${title}` : title;
}

function Head({ title, subtitle }: { title: string; subtitle?: string }) {
  return (
    <header class="titled">
      <Heading>{title}</Heading>
      {subtitle && <code translate={false}>{subtitle}</code>}
    </header>
  );
}

/** A trace of another kind than these sources know; what came is named. */
function Unreadable({ schema }: { schema: unknown }) {
  const { say } = useWords();
  return (
    <section class="stepper" aria-label={say("This trace cannot be drawn")}>
      <div class="unreadable" role="alert">
        <Heading>{say("This trace cannot be drawn")}</Heading>
        <p>{say("Expected bentocola.trace/1, got «{schema}». Run the cell again.", { schema: String(schema ?? "∅") })}</p>
      </div>
    </section>
  );
}
