// On a live cloud: make the next call fail, from the view itself. The kernel plans the fault and says so, or why it does not.
import { useId, useState } from "preact/hooks";
import { Glyph } from "../shared/glyphs";
import { useWords } from "../shared/root";
import { msg } from "../shared/words";

export const FAULTS = {
  throttle: msg("it is refused: too many calls"),
  lost_response: msg("its answer gets lost"),
  stop_before: msg("whoever calls it stops just before"),
  stop_after: msg("whoever calls it stops just after"),
  deliver_again: msg("SQS delivers the message once more"),
} as const;

export type FaultKind = keyof typeof FAULTS;

const RECEIVE = "sqs:ReceiveMessage";
const OPERATIONS = ["dynamodb:PutItem", "dynamodb:UpdateItem", RECEIVE, "sqs:DeleteMessage", "sqs:SendMessage", "s3:PutObject"];

export interface InjectProps {
  inject: (kind: FaultKind, operation: string) => void;
  said: string;
}

export function Inject({ inject, said }: InjectProps) {
  const { say } = useWords();
  const id = useId();
  const [kind, setKind] = useState<FaultKind>("throttle");
  const [operation, setOperation] = useState(OPERATIONS[0] ?? "");
  // Delivering again befalls a receive, and nothing else.
  const operations = kind === "deliver_again" ? [RECEIVE] : OPERATIONS;
  const chosen = operations.includes(operation) ? operation : (operations[0] ?? "");
  return (
    <form
      class="inject"
      data-inject
      onSubmit={(event) => {
        event.preventDefault();
        inject(kind, chosen);
      }}
    >
      <fieldset>
        <legend>
          <Glyph name="bolt" /> {say("Make the next call fail")}
        </legend>
        <span class="field">
          <label for={`${id}operation`}>{say("Call")}</label>
          <select id={`${id}operation`} value={chosen} onChange={(event) => setOperation(event.currentTarget.value)} translate={false}>
            {operations.map((each) => (
              <option key={each} value={each}>
                {each.split(":")[1]}
              </option>
            ))}
          </select>
        </span>
        <span class="field">
          <label for={`${id}kind`}>{say("What happens")}</label>
          <select id={`${id}kind`} value={kind} onChange={(event) => setKind(event.currentTarget.value as FaultKind)}>
            {Object.entries(FAULTS).map(([each, label]) => (
              <option key={each} value={each}>
                {say(label)}
              </option>
            ))}
          </select>
        </span>
        <button type="submit" data-do="inject">
          {say("Prepare the fault")}
        </button>
      </fieldset>
      <p class="said" role="status">
        {said}
      </p>
    </form>
  );
}
