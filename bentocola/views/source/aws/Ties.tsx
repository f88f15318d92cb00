// How a row is chosen, and what the chosen one is tied to: a message, its runs, their write decisions and their items.
import { useWords } from "../shared/root";
import { useView } from "./context";

const LINKS = 12; // so many are offered; the lists mark all of them

/** The button by which a row is chosen and let go again. */
export function Choose({ id, text, inUse }: { id: string; text: string; inUse: boolean }) {
  const { session, marked } = useView();
  const { say } = useWords();
  const name = useName();
  const chosen = session.chosen === id;
  return (
    <button
      type="button"
      class="choose mono"
      data-primary
      aria-expanded={chosen}
      tabIndex={inUse ? 0 : -1}
      translate={false}
      onClick={() => session.show({ chosen: chosen ? null : id })}
    >
      {text}
      {marked.has(id) && <span class="vh">{say(", goes with {row}", { row: name(session.chosen ?? "") })}</span>}
    </button>
  );
}

/** A link to another row. */
export function GoTo({ id, inUse, text }: { id: string; inUse: boolean; text?: string }) {
  const { goTo } = useView();
  const name = useName();
  return (
    <button type="button" class="link" data-goto={id} tabIndex={inUse ? 0 : -1} onClick={() => goTo(id)}>
      {text ?? name(id)}
    </button>
  );
}

/** What the chosen row is tied to, as links; nothing under the other rows. */
export function Ties({ id, inUse }: { id: string; inUse: boolean }) {
  const { session, marked, openStepper } = useView();
  const { say } = useWords();
  if (session.chosen !== id) {
    return null;
  }
  const rows = [...marked];
  return (
    <div class="ties" data-ties={id}>
      {rows.length > 0 ? (
        <ul aria-label={say("Goes with")}>
          {rows.slice(0, LINKS).map((row) => (
            <li key={row}>
              <GoTo id={row} inUse={inUse} />
            </li>
          ))}
          {rows.length > LINKS && <li>{say("and {count} more", { count: rows.length - LINKS })}</li>}
        </ul>
      ) : (
        <p>{say("Nothing else goes with it yet.")}</p>
      )}
      <div class="does">
        <button
          type="button"
          class="link"
          data-only={id}
          tabIndex={inUse ? 0 : -1}
          onClick={() => session.show({ only: session.only === id ? null : id })}
        >
          {session.only === id ? say("Show everything") : say("Show only this")}
        </button>
        <button type="button" class="link" data-stepper={id} tabIndex={inUse ? 0 : -1} onClick={() => openStepper(id)}>
          {say("See it step by step")}
        </button>
      </div>
    </div>
  );
}

/** Return what a row is called in a sentence. */
export function useName(): (id: string) => string {
  const { session, time } = useView();
  const { say } = useWords();
  return (id) => {
    const decision = session.model.decisionOf(id);
    if (decision) {
      const values = { time: time(decision.t) };
      return decision.result === "accepted" ? say("write accepted, {time}", values) : say("write refused, {time}", values);
    }
    if (id.startsWith("item/")) {
      return say("item {key}", { key: id.split("/").slice(2).join("/") });
    }
    return id;
  };
}
