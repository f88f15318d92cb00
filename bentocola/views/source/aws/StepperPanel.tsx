// The stepper inside the view: on the steps that a row is tied to, at the row's own step. What comes meanwhile waits.
import { useEffect, useRef, useState } from "preact/hooks";
import { number } from "../shared/formats";
import { Glyph } from "../shared/glyphs";
import { Heading, useWords } from "../shared/root";
import { SCHEMA } from "../shared/trace";
import { mountStepper } from "../stepper/mount";
import { chainOf } from "./chain";
import { useView } from "./context";
import { useName } from "./Ties";

export function StepperPanel({ row }: { row: string }) {
  const { session, isLab } = useView();
  const { say, language, level } = useWords();
  const name = useName();
  const place = useRef<HTMLDivElement>(null);
  const back = useRef<HTMLButtonElement>(null);
  const [upto, show] = useState(session.store.last); // the last step that is known here
  const at = useRef<number | undefined>(undefined);
  const listed = useRef(0);
  const { store } = session;
  const fresh = store.last > upto ? chainOf(store.steps, session.model, row).only.length - listed.current : 0;
  useEffect(() => {
    const steps = store.steps.slice(0, upto);
    const { only, step } = chainOf(steps, session.model, row);
    listed.current = only.length;
    const { story: id, actors, initial } = store;
    const trace = { schema: SCHEMA, id, mode: "session" as const, fault: null, predict: null, actors, initial, steps, verdict: null };
    const theme = place.current!.closest<HTMLElement>("[data-theme]")!.dataset.theme as "light" | "dark";
    const mounted = mountStepper(place.current!, {
      ...{ language, traces: { session: trace }, only, mode: "session", step: at.current ?? step, theme, level: level + 1, isLab },
      onChange: (standing) => {
        at.current = standing.step;
      },
    });
    back.current!.focus();
    // A panel may be low: what was asked for is to be seen.
    const drawn = place.current!.querySelector(".bentocola-view")?.shadowRoot;
    drawn?.querySelector("[aria-current='step']")?.scrollIntoView({ block: "nearest" });
    return () => mounted.destroy();
  }, [row, upto]);
  return (
    <section class="stepper-panel" aria-labelledby="stepper-title" data-panel="stepper">
      <div class="title">
        <button
          type="button"
          ref={back}
          data-back
          onClick={() => session.show({ stepper: null })}
        >
          <Glyph name="prev" /> {say("Back to the view")}
        </button>
        <Heading below={1} id="stepper-title">
          {say("Step by step")}
          {say(": ")}
          {name(row)}
        </Heading>
      </div>
      <div role="status" class="fresh">
        {fresh > 0 && (
          <>
            {fresh === 1 ? say("1 new step.") : say("{count} new steps.", { count: number(language, fresh) })}{" "}
            <button type="button" class="link" data-fresh={fresh} onClick={() => show(store.last)}>
              {fresh === 1 ? say("Show it") : say("Show them")}
            </button>
          </>
        )}
      </div>
      <div ref={place} />
    </section>
  );
}
