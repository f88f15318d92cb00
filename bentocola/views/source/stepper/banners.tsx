// What stands above the steps: what was chosen and predicted, how it ended, or which rule a counterexample breaks.
import { Glyph } from "../shared/glyphs";
import { useWords } from "../shared/root";
import type { Verdict } from "../shared/trace";
import type { Question, Story } from "./story";
import { isAbout, textOf } from "./tiles";

interface ChosenProps {
  fault: { id: string; label: string } | undefined;
  question: Question | undefined;
  prediction: string;
  onChange: () => void;
}

const answered = (question: Question, prediction: string): string | undefined =>
  question.options.find(({ id }) => id === prediction)?.text;

/** What was chosen before the steps, and the way back to the choice. */
export function Chosen({ fault, question, prediction, onChange }: ChosenProps) {
  const { say } = useWords();
  return (
    <div class="chosen">
      {fault && (
        <span>
          <Glyph name={fault.id === "none" ? "none" : "bolt"} /> {say("Fault: ")}
          <b>{fault.label}</b>
        </span>
      )}
      {question && (
        <span>
          {say("Your prediction: ")}
          <b>{answered(question, prediction) ?? say("no prediction")}</b>
        </span>
      )}
      <button type="button" data-do="change" onClick={onChange}>
        {say("Change")}
      </button>
    </div>
  );
}

/** The prediction beside what came, at the last step. */
export function Ending({ question, prediction, go }: { question: Question; prediction: string; go: (n: number) => void }) {
  const { say } = useWords();
  const held = prediction === question.answer;
  const state = prediction ? (held ? "held" : "failed") : "none";
  return (
    <div class={`ending ${state}`} data-ending={state}>
      <p class="title">
        {prediction && <Glyph name={held ? "ok" : "no"} />}
        {state === "none" && say("You made no prediction.")}
        {state === "held" && say("It came as you predicted.")}
        {state === "failed" && say("It came otherwise than you predicted.")}
      </p>
      <p>{question.end}</p>
      <button type="button" class="link" data-do="decides" onClick={() => go(question.at)}>
        {say("Go to step {n}", { n: question.at })}
      </button>
    </div>
  );
}

interface BrokenProps {
  verdict: Verdict;
  story: Story | null | undefined;
  count: number;
  go: (n: number) => void;
}

/** The rule that a counterexample breaks, with what was expected and what came. */
export function Broken({ verdict, story, count, go }: BrokenProps) {
  const { say } = useWords();
  const path = verdict.path ?? "";
  const rule = story?.rules[verdict.rule]; // a story may say only what came of it
  const what = story?.tiles.find((tile) => isAbout(verdict, tile))?.label ?? path;
  const text = (value: unknown) => textOf(say, path, value);
  return (
    <div class="broken" data-rule={verdict.rule}>
      {(rule || !story?.why) && <p class="rule">{say("This does not hold: {rule}", { rule: rule ?? verdict.rule })}</p>}
      {"expected" in verdict && (
        <p class="values">
          <span>
            {say("Expected: ")}
            {what ? `${what} = ${text(verdict.expected)}` : text(verdict.expected)}
          </span>
          <b>
            {say("What came: ")}
            {text(verdict.got)}
          </b>
        </p>
      )}
      {story?.why && <p>{story.why}</p>}
      <p class="acts">
        {verdict.shrunk_from
          ? say("The shortest story that shows it: {count} steps, reduced from {from}.", { count, from: verdict.shrunk_from })
          : say("The story that shows it: {count} steps.", { count })}
        {(verdict.blame ?? []).map((n) => (
          <button type="button" key={n} data-do="blame" onClick={() => go(n)}>
            {say("Go to step {n}", { n })}
          </button>
        ))}
      </p>
    </div>
  );
}
