// The event source mappings, each with AWS's own word for its state.
import { Glyph } from "../shared/glyphs";
import { useWords } from "../shared/root";
import { useView } from "./context";
import { Section } from "./Section";

export function Mappings() {
  const { session } = useView();
  const { say } = useWords();
  const mappings = [...session.model.mappings.values()];
  if (mappings.length === 0) {
    return null;
  }
  return (
    <Section title={say("Event source mapping")} attributes={{ "data-section": "mappings" }}>
      <ul class="mappings">
        {mappings.map((mapping) => (
          <li key={mapping.id} data-mapping={mapping.id} data-mapping-state={mapping.state}>
            <code translate={false}>
              {mapping.queue} → {mapping.function}
            </code>
            <span class={mapping.state === "Enabled" ? "on" : "off"} translate={false} lang="en">
              <Glyph name="plug" /> {mapping.state}
            </span>
            <span>{say("batch: {size}", { size: mapping.batch_size })}</span>
            {mapping.partial_responses && <span>{say("partial batch responses")}</span>}
            {mapping.last_result && (
              <span>
                {say("last result")}
                {say(": ")}
                <span translate={false} lang="en">
                  {mapping.last_result}
                </span>
              </span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
