// Forward, back and to any step: at the reader's own pace. Nothing plays by itself.
import { Glyph } from "../shared/glyphs";
import { useWords } from "../shared/root";

export interface ControlsProps {
  places: readonly number[]; // the numbers of the steps that can be gone to
  at: number; // the current one's index in them
  place: string; // where one is, in words
  name: string; // the current step's, for the slider
  go: (n: number) => void;
  next: () => void;
}

export function Controls({ places, at, place, name, go, next }: ControlsProps) {
  const { say } = useWords();
  const last = places.length - 1;
  const goTo = (index: number) => go(places[Math.max(0, Math.min(last, index))] ?? 0);
  return (
    <div class="controls" role="group" aria-label={say("Move through the steps")}>
      <button
        type="button"
        class="square"
        data-do="first"
        aria-label={say("To the beginning")}
        aria-disabled={at === 0}
        onClick={() => goTo(0)}
      >
        <Glyph name="first" />
      </button>
      <button type="button" class="previous" data-do="previous" aria-disabled={at === 0} onClick={() => goTo(at - 1)}>
        <Glyph name="prev" />
        <span class="label">{say("Previous")}</span>
      </button>
      <div class="slider">
        <output aria-hidden="true">{place}</output>
        <input
          type="range"
          min="0"
          max={last}
          step="1"
          value={at}
          aria-label={say("Current step")}
          aria-valuetext={`${place}${say(": ")}${name}`}
          onInput={(event) => goTo(Number(event.currentTarget.value))}
        />
      </div>
      <button type="button" class="next primary" data-do="next" aria-disabled={at === last} onClick={next}>
        <span class="label">{say("Next")}</span>
        <Glyph name="next" />
      </button>
      <button
        type="button"
        class="square"
        data-do="last"
        aria-label={say("To the end")}
        aria-disabled={at === last}
        onClick={() => goTo(last)}
      >
        <Glyph name="last" />
      </button>
    </div>
  );
}
