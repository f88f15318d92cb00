// The history of write decisions, newest first. It stays when the table is gone.
import { DecisionCard } from "../shared/DecisionCard";
import { number } from "../shared/formats";
import { Glyph } from "../shared/glyphs";
import { useWords } from "../shared/root";
import { useView } from "./context";
import type { DecisionRow } from "./model";
import { Section } from "./Section";
import { Choose, GoTo, Ties } from "./Ties";
import { VirtualList } from "./VirtualList";

export function Decisions() {
  const { session, shown } = useView();
  const { say, language } = useWords();
  const { decisions } = session.model;
  const rows = shown ? decisions.filter((decision) => shown.has(decision.id)) : decisions;
  const at = (index: number) => rows[rows.length - 1 - index]!;
  const kept = say("kept when the table is deleted");
  return (
    <Section
      title={say("Write decisions")}
      small={rows.length > 0 ? `${number(language, rows.length)} · ${kept}` : ""}
      attributes={{ "data-section": "decisions", "data-total": decisions.length }}
    >
      {rows.length === 0 ? (
        <p class="none">{decisions.length ? say("None of them is shown.") : say("No write yet.")}</p>
      ) : (
        <VirtualList
          name="decisions"
          label={say("Write decisions")}
          count={rows.length}
          idOf={(index) => at(index).id}
          estimate={170}
          gap={8}
          row={(index, inUse) => {
            const row = at(index);
            return {
              attributes: {
                "data-decision": row.n,
                "data-result": row.result,
                "data-gone": row.gone !== null || undefined,
              },
              stamp: String(row.gone),
              content: () => <OneDecision row={row} inUse={inUse} />,
            };
          }}
        />
      )}
    </Section>
  );
}

function OneDecision({ row, inUse }: { row: DecisionRow; inUse: boolean }) {
  const { time, openStepper, isLab } = useView();
  const { say } = useWords();
  return (
    <DecisionCard
      decision={row}
      gone={row.gone !== null}
      title={<Choose id={row.id} text={`#${row.n}`} inUse={inUse} />}
      foot={<Ties id={row.id} inUse={inUse} />}
    >
      <span class="muted num by">
        {row.run ? <GoTo id={row.run} inUse={inUse} /> : isLab ? say("from your terminal") : say("from your code")} · {time(row.t)}
      </span>
      {row.gone !== null && (
        <span class="tag gone">
          <Glyph name="gone" />
          {say("table deleted at {time}", { time: time(row.gone) })}
        </span>
      )}
      <button type="button" class="link end" data-stepper={row.id} tabIndex={inUse ? 0 : -1} onClick={() => openStepper(row.id)}>
        {say("See it step by step")}
      </button>
    </DecisionCard>
  );
}
