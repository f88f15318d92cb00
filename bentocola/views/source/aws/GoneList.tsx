// What exists no more, with the time: deleted resources leave the lists of what is there, and are kept here.
import { useState } from "preact/hooks";
import { Glyph } from "../shared/glyphs";
import { useWords } from "../shared/root";
import { useView } from "./context";
import type { Gone } from "./model";
import { Messages } from "./Queues";
import { Section } from "./Section";

export function GoneList() {
  const { session } = useView();
  const { say } = useWords();
  const { gone } = session.model;
  if (gone.length === 0) {
    return null;
  }
  return (
    <Section title={say("No longer there")} attributes={{ "data-section": "gone" }}>
      <ul class="gone-list">
        {gone.toReversed().map((each) => (
          <GoneRow key={each.id} gone={each} />
        ))}
      </ul>
    </Section>
  );
}

function GoneRow({ gone }: { gone: Gone }) {
  const { session, time } = useView();
  const { say } = useWords();
  const [opened, open] = useState(false);
  const chosen = gone.messages.some(({ id }) => id === session.chosen);
  const isOpen = opened || chosen;
  const kinds = {
    queue: say("Queue"),
    mapping: say("Event source mapping"),
    table: say("Table"),
    function: say("Function"),
    log_group: say("Log group"),
    bucket: say("Bucket"),
  };
  return (
    <li data-gone-resource={`${gone.kind}/${gone.name}`}>
      <div class="line">
        <span class="tag gone">
          <Glyph name="gone" />
          {say("deleted at {time}", { time: time(gone.t) })}
        </span>
        <span>{kinds[gone.kind]}</span>
        <code translate={false}>{gone.name}</code>
        {gone.messages.length > 0 && (
          <button type="button" class="link end" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
            {gone.messages.length === 1 ? say("its 1 message") : say("its {count} messages", { count: gone.messages.length })}
          </button>
        )}
      </div>
      {isOpen && <Messages messages={gone.messages} queue={gone.name} />}
    </li>
  );
}
