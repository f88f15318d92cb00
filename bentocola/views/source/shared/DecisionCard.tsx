// One write decision: what was asked, the verdict, and the item before and after with what changed marked.
import { type ComponentChildren, Fragment } from "preact";
import { value } from "./formats";
import { Glyph } from "./glyphs";
import { useWords } from "./root";
import type { Decision } from "./trace";

interface Props {
  decision: Decision;
  title?: ComponentChildren; // before the verdict: a heading
  children?: ComponentChildren; // after the verdict, on its line: who and when, a button
  foot?: ComponentChildren; // under the card
  gone?: boolean; // the table exists no more
}

/** Whether before and after are the same item. */
export const isUnchanged = ({ before, after }: Decision): boolean => sameValue(before, after);

function sameValue(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) {
    return one === other;
  }
  const keys = Object.keys(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === Object.keys(other).length &&
    keys.every((key) => key in other && sameValue((one as Item)[key], (other as Item)[key]))
  );
}

type Item = Record<string, unknown>;

export function DecisionCard({ decision, title, children, foot, gone = false }: Props) {
  const { say } = useWords();
  const unchanged = isUnchanged(decision);
  return (
    <div class={`decision ${decision.result} ${gone ? "gone" : ""}`}>
      <div class="head">
        {title}
        <span class="verdict">
          <Glyph name={decision.result} />
          {decision.result === "accepted" ? say("Accepted") : say("Refused")}
        </span>
        <code translate={false}>
          {decision.op} {decision.table}
        </code>
        {children}
      </div>
      <p class="condition">
        {say("Condition")}
        {say(": ")}
        {decision.condition ? <code translate={false}>{decision.condition}</code> : say("no condition")}
        {decision.error && (
          <>
            {" → "}
            <code translate={false}>{decision.error}</code>
          </>
        )}
      </p>
      <div class="sides">
        <Side label={say("Before")} item={decision.before} other={decision.after} />
        <span aria-hidden="true">{unchanged ? "=" : "→"}</span>
        <Side
          label={unchanged ? say("After (unchanged)") : say("After")}
          item={decision.after}
          other={decision.before}
        />
      </div>
      {foot}
    </div>
  );
}

function Side({ label, item, other }: { label: string; item: Item | null; other: Item | null }) {
  return (
    <div class="side">
      <small>{label}</small>
      <ItemText item={item} other={other} />
    </div>
  );
}

/** An item on one line; what the other one has otherwise, or not at all, is marked. */
export function ItemText({ item, other }: { item: Item | null; other?: Item | null }) {
  const { say } = useWords();
  if (!item) {
    return <span class="mono">{say("does not exist")}</span>;
  }
  return (
    <span class="mono" translate={false}>
      {Object.entries(item).map(([name, stored], index) => {
        const text = `${name}: ${value(stored)}`;
        const marked = other !== undefined && !(other && name in other && sameValue(other[name], stored));
        return (
          <Fragment key={name}>
            {index > 0 && ", "}
            {marked ? <mark>{text}</mark> : text}
          </Fragment>
        );
      })}
    </span>
  );
}
