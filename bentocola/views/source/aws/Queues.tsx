// The queues: how many messages wait, are worked on, or failed; and each message with its state. Dead letters stand with their source.
import { useEffect, useReducer, useState } from "preact/hooks";
import { Glyph, type GlyphName } from "../shared/glyphs";
import { number } from "../shared/formats";
import { useWords } from "../shared/root";
import { useView } from "./context";
import type { Message, Queue } from "./model";
import { Section } from "./Section";
import { Choose, Ties } from "./Ties";
import { VirtualList } from "./VirtualList";

export function Queues() {
  const { session } = useView();
  return (
    <>
      {session.model.sections().map((queue) => (
        <QueueSection key={queue.name} queue={queue} />
      ))}
    </>
  );
}

function QueueSection({ queue }: { queue: Queue }) {
  const { session } = useView();
  const { say, language } = useWords();
  const dead = session.model.deadOf(queue);
  const { dead_letter_queue: to, max_receive_count: count } = queue;
  return (
    <Section title={say("Queue")} name={queue.name} attributes={{ "data-queue": queue.name }}>
      <dl class="counts">
        <Count id="visible" label={say("messages visible")} count={queue.visible} />
        <Count id="in_flight" label={say("messages in flight")} count={queue.in_flight} />
        {queue.delayed > 0 && <Count id="delayed" label={say("messages delayed")} count={queue.delayed} />}
        {dead !== null && <Count id="dead" label={say("dead letters (DLQ)")} count={dead} />}
      </dl>
      <p class="facts">
        {say("A received message stays hidden for {seconds} s.", { seconds: number(language, queue.visibility_timeout) })}{" "}
        {to && count && say("After {count} receives it moves to {queue}.", { count, queue: to })}
      </p>
      <Messages messages={session.model.messagesOf(queue)} queue={queue.name} />
    </Section>
  );
}

function Count({ id, label, count }: { id: GlyphName; label: string; count: number }) {
  const { language } = useWords();
  return (
    <div class={`${id} ${count > 0 ? "some" : ""}`} data-count={id}>
      <dt>{label}</dt>
      <dd class="num">
        <Glyph name={id} /> {number(language, count)}
      </dd>
    </div>
  );
}

const FEW = 2; // so many messages that are over stand with the others
const SHARED = 8; // characters; a shorter beginning is no worse to read
const LATEST = 100; // messages that are compared

const isOver = ({ state, gone }: Message): boolean => !gone && (state === "deleted" || state === "expired");

/** Return what the contents of the latest messages begin with, all of them, up to where a part ends; nothing where it is short. */
function sharedBy(messages: readonly Message[]): string {
  const [first = "", ...others] = new Set(messages.slice(-LATEST).map(({ label }) => label));
  let count = others.length ? first.length : 0;
  for (const other of others) {
    while (!other.startsWith(first.slice(0, count))) {
      count -= 1;
    }
  }
  const end = Math.max(...[", ", ",", "/"].map((part) => first.lastIndexOf(part, count - part.length) + part.length));
  return count > SHARED && end > SHARED ? first.slice(0, Math.min(end, count)) : "";
}

/** The messages of a queue, newest first; those that are over are one row, which opens. */
export function Messages({ messages, queue }: { messages: Message[]; queue: string }) {
  const { session, shown, focused } = useView();
  const { say, language } = useWords();
  const [opened, open] = useState(false);
  const used = focused();
  const over = messages.filter((message) => isOver(message) && message.id !== session.chosen && message.id !== used);
  const folds = !shown && over.length > FEW;
  const isOpen = opened || !folds;
  const folded = new Set(isOpen ? [] : over);
  const rows = messages.filter((message) => (shown ? shown.has(message.id) : !folded.has(message)));
  const shared = sharedBy(messages);
  const at = (index: number) => rows[rows.length - 1 - index]!;
  if (messages.length === 0) {
    return <p class="none">{say("No message yet.")}</p>;
  }
  const fold = folds && (
    <button type="button" class="link over" data-over={over.length} aria-expanded={isOpen} onClick={() => open(!opened)}>
      <Glyph name="deleted" /> {say("{count} deleted", { count: number(language, over.length) })}
    </button>
  );
  if (rows.length === 0) {
    return fold || <p class="none">{say("None of them is shown.")}</p>;
  }
  return (
    <>
      <VirtualList
        name={`messages/${queue}`}
        label={say("Messages of {queue}", { queue })}
        count={rows.length}
        idOf={(index) => at(index).id}
        estimate={34}
        head={
          <>
            <span role="columnheader">{say("Message")}</span>
            <span role="columnheader">{say("State")}</span>
            <span role="columnheader">{say("Deliveries")}</span>
            <span role="columnheader" class="label">
              {say("Content")}
            </span>
          </>
        }
        row={(index, inUse) => {
          const message = at(index);
          const off = message.gone || isOver(message);
          return {
            class: `line message ${off ? "off" : ""}`,
            attributes: { "data-message": message.id, "data-message-state": message.state },
            stamp: `${shared} ${message.changes} ${session.model.isDead(message)} ${message.until === null ? "" : session.timing}`,
            content: () => <MessageCells message={message} shared={shared} inUse={inUse} />,
          };
        }}
      />
      {fold}
    </>
  );
}

function MessageCells({ message, shared, inUse }: { message: Message; shared: string; inUse: boolean }) {
  const { session } = useView();
  const { say } = useWords();
  return (
    <>
      <span role="cell">
        <Choose id={message.id} text={message.id} inUse={inUse} />
      </span>
      <span role="cell">
        <MessageState message={message} />
      </span>
      <span role="cell" class="num">
        {message.deliveries} {message.deliveries > 1 && <span class="tag">{say("repeated")}</span>}
      </span>
      <span role="cell" class="label mono" translate={false} title={message.label}>
        {shared && message.label.startsWith(shared) ? `…${message.label.slice(shared.length)}` : message.label}
      </span>
      {session.chosen === message.id && (
        <span role="cell" class="wide">
          <Ties id={message.id} inUse={inUse} />
        </span>
      )}
    </>
  );
}

function MessageState({ message }: { message: Message }) {
  const { session } = useView();
  const { say } = useWords();
  const dead = session.model.isDead(message);
  const waits = !message.gone && message.until !== null && (message.state === "in_flight" || message.state === "delayed");
  const left = useSecondsUntil(waits ? message.until : null);
  const names = {
    visible: dead ? say("dead letter (DLQ)") : say("visible"),
    in_flight: say("in flight"),
    delayed: say("delayed"),
    deleted: say("deleted"),
    expired: say("expired"),
  };
  const glyph = { visible: dead ? "dead" : "visible", in_flight: "in_flight", delayed: "delayed", deleted: "deleted", expired: "deleted" };
  return (
    <>
      <span class="state">
        <Glyph name={glyph[message.state] as GlyphName} /> {names[message.state]}
      </span>
      {left !== null && (
        <span class="num until" data-seconds={left}>
          {left > 0 ? say("returns in {seconds} s", { seconds: left }) : say("returns now")}
        </span>
      )}
      {dead && message.state !== "visible" && <> {say("(DLQ)")}</>}
      {message.gone && message.state !== "deleted" && <span class="muted"> {say("(queue deleted)")}</span>}
    </>
  );
}

/** The seconds until a moment of the course's clock, counting down by themselves while that clock goes on. */
function useSecondsUntil(until: number | null): number | null {
  const { session } = useView();
  const [, tick] = useReducer((n: number) => n + 1, 0);
  const left = until === null ? null : Math.max(0, Math.ceil((until - session.now) / 1000));
  useEffect(() => {
    if (until === null || !session.goesOn || left === 0) {
      return;
    }
    const timer = setTimeout(() => tick(0), ((until - session.now) % 1000) + 10);
    return () => clearTimeout(timer);
  });
  return left;
}
