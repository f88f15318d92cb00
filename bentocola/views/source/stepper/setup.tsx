// Before the steps: choose what goes wrong, and say what will come of it. Nobody has to predict.
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Glyph } from "../shared/glyphs";
import { useWords } from "../shared/root";
import { LaneHeads } from "./lanes";
import type { Question, Story } from "./story";

export interface SetupProps {
  faults: Story["faults"]; // none where there is nothing to choose
  fault: string;
  question: Question | undefined;
  prediction: string;
  takesFocus: boolean; // the button that led back here is gone
  onFault: (fault: string) => void;
  onRun: (prediction: string) => void;
}

export function Setup({ faults, fault, question, prediction, takesFocus, onFault, onRun }: SetupProps) {
  const { say } = useWords();
  const name = useId();
  const form = useRef<HTMLFormElement>(null);
  const [chosen, choose] = useState(prediction);
  const [refusal, refuse] = useState("");
  useLayoutEffect(() => {
    if (takesFocus) {
      (form.current?.querySelector<HTMLElement>("input:checked") ?? form.current?.querySelector("input"))?.focus();
    }
  }, []);
  const run = (event: Event) => {
    event.preventDefault();
    if (question && !chosen) {
      refuse(say("Choose an answer before you run it."));
      form.current?.querySelector<HTMLElement>("[data-options='prediction'] input")?.focus();
      return;
    }
    onRun(chosen);
  };
  return (
    <>
      <form class="setup" noValidate onSubmit={run} ref={form}>
        {faults.length > 0 && (
          <fieldset>
            <legend>{say("1. Choose what goes wrong")}</legend>
            <div class="options" data-options="fault">
              {faults.map(({ id, label }) => (
                <Option
                  key={id}
                  name={`${name}fault`}
                  value={id}
                  checked={id === fault}
                  onChoose={() => {
                    choose("");
                    refuse("");
                    onFault(id);
                  }}
                >
                  <Glyph name={id === "none" ? "none" : "bolt"} />
                  <span>{label}</span>
                </Option>
              ))}
            </div>
          </fieldset>
        )}
        {question && (
          <fieldset>
            <legend>
              {faults.length > 0 ? say("2. Predict") : say("Predict")}
              <small>{question.question}</small>
            </legend>
            <div class="options wide" data-options="prediction">
              {question.options.map(({ id, text }) => (
                <Option
                  key={`${fault}.${id}`}
                  name={`${name}prediction`}
                  value={id}
                  checked={id === chosen}
                  onChoose={() => {
                    choose(id);
                    refuse("");
                  }}
                >
                  <span>{text}</span>
                </Option>
              ))}
            </div>
          </fieldset>
        )}
        <div class="acts">
          <button type="submit" class="primary" data-do="run">
            {say("Run it")}
          </button>
          {question && (
            <button type="button" class="link" data-do="skip" onClick={() => onRun("")}>
              {say("See it without predicting")}
            </button>
          )}
          <p class="refusal" role="alert">
            {refusal}
          </p>
        </div>
      </form>
      <div class="idle">
        <div class="sketch" aria-hidden="true">
          <LaneHeads />
        </div>
        <p>{say("Here the story will stand, step by step.")}</p>
      </div>
    </>
  );
}

interface OptionProps {
  name: string;
  value: string;
  checked: boolean;
  onChoose: () => void;
  children: ComponentChildren;
}

const Option = ({ name, value, checked, onChoose, children }: OptionProps) => (
  <label>
    <input type="radio" name={name} value={value} checked={checked} onChange={onChoose} />
    <span class="option">{children}</span>
  </label>
);
