// The stepper inside the view: on the steps that a row is tied to, at the row's own step.
import { useEffect, useRef } from "preact/hooks";
import { Glyph } from "../shared/glyphs";
import { Heading, useWords } from "../shared/root";
import { mountStepper } from "../stepper/mount";
import { chainOf } from "./chain";
import { useView } from "./context";
import { useName } from "./Ties";

export function StepperPanel({ row }: { row: string }) {
  const { session } = useView();
  const { say, language, level } = useWords();
  const name = useName();
  const place = useRef<HTMLDivElement>(null);
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const { store } = session;
    const { only, step } = chainOf(store.steps, session.model, row);
    const theme = place.current!.closest<HTMLElement>("[data-theme]")!.dataset.theme as "light" | "dark";
    const mounted = mountStepper(place.current!, { language, store, only, mode: "session", step, theme, level: level + 1 });
    back.current!.focus();
    return () => mounted.destroy();
  }, [row]);
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
      <div ref={place} />
    </section>
  );
}
