// The view's head: its name, whether what it shows is live, what is shown of it, and the button that pauses it.
import { useMemo } from "preact/hooks";
import { moment, number } from "../shared/formats";
import { Glyph, type GlyphName } from "../shared/glyphs";
import { Heading, useWords, WithCode } from "../shared/root";
import type { Say } from "../shared/words";
import { useView } from "./context";
import type { Session } from "./session";
import type { Lab } from "./App";

const OFFERED = 50; // of each kind, the latest

export type Shown = "live" | "still" | "paused" | "waiting" | "snapshot" | "disconnected";

/** How the view stands, in one word. */
export function stateOf(session: Session): Shown {
  if (session.connection === "lost") {
    return "disconnected";
  }
  if (session.connection === "none") {
    return "snapshot";
  }
  if (session.paused) {
    return "paused";
  }
  return session.connection === "waiting" ? "waiting" : session.store.live ? "live" : "still";
}

/** How the view stands, in words. */
export const standings = (say: Say): Record<Shown, string> => ({
  live: say("Live"),
  still: say("Time stands still"),
  paused: say("Paused"),
  waiting: say("Connecting…"),
  snapshot: say("Saved copy"),
  disconnected: say("No connection"),
});

const GLYPHS: Record<Shown, GlyphName> = {
  live: "visible",
  still: "clock",
  paused: "pause",
  waiting: "clock",
  snapshot: "gone",
  disconnected: "no",
};

export function Header({ lab }: { lab: Lab | null }) {
  const { session } = useView();
  const { say, language } = useWords();
  const state = stateOf(session);
  const waits = session.waits;
  return (
    <header>
      <div class="title">
        <Heading id="view-title">{say("AWS view")}</Heading>
        <small>
          {say("local cloud")}
          {lab && (
            <>
              {" · "}
              <code translate={false}>{lab.prefix}</code>
            </>
          )}
        </small>
      </div>
      <div class="controls">
        <span class={`shown ${state}`} data-shown={state}>
          <Glyph name={GLYPHS[state]} />{" "}
          {standings(say)[state]}
          {session.paused && waits > 0 && (
            <span class="waits num" data-waits={waits}>
              {waits === 1 ? say("1 change waits") : say("{count} changes wait", { count: number(language, waits) })}
            </span>
          )}
        </span>
        <Filter />
        <button type="button" data-pause aria-pressed={session.paused} onClick={() => session.pause(!session.paused)}>
          {say("Pause")}
        </button>
      </div>
    </header>
  );
}

function Filter() {
  const { session } = useView();
  const { say } = useWords();
  return (
    <label>
      <span class="vh">{say("Show")}</span>
      <select
        data-filter
        value={session.only ?? ""}
        onChange={(event) => session.show({ only: event.currentTarget.value || null })}
      >
        <option value="">{say("Everything")}</option>
        <Offered session={session} />
      </select>
    </label>
  );
}

/** The rows that can be shown alone; drawn anew no more than once in a second. */
function Offered({ session }: { session: Session }) {
  const { say } = useWords();
  const { messages, runs, tables, items } = session.model;
  const second = Math.floor(performance.now() / 1000);
  const many = messages.size + runs.length + items > 3 * OFFERED;
  const stamp = many ? second : `${messages.size} ${runs.length} ${items}`;
  return useMemo(() => {
    const latest = {
      messages: latestOf([...messages.keys()]),
      runs: latestOf(runs.slice(-OFFERED).map(({ id }) => id)),
      items: latestOf([...tables.values()].flatMap(({ items }) => [...items.values()].map(({ id }) => id))),
    };
    const offered = new Set([...latest.messages, ...latest.runs, ...latest.items]);
    const label = (id: string) => (id.startsWith("item/") ? id.split("/").slice(1).join(" ") : id);
    const options = (ids: string[]) =>
      ids.map((id) => (
        <option key={id} value={id}>
          {label(id)}
        </option>
      ));
    return (
      <>
        {session.only && !offered.has(session.only) && options([session.only])}
        {latest.messages.length > 0 && <optgroup label={say("Messages")}>{options(latest.messages)}</optgroup>}
        {latest.runs.length > 0 && <optgroup label={say("Runs")}>{options(latest.runs)}</optgroup>}
        {latest.items.length > 0 && <optgroup label={say("Items")}>{options(latest.items)}</optgroup>}
      </>
    );
  }, [stamp, session.only, session.model]);
}

const latestOf = (ids: string[]): string[] => ids.slice(-OFFERED).reverse();

/** What the reader should know before they read on: the connection is lost, it is a saved copy, the cloud began anew. */
export function Notices({ lab, retry }: { lab: Lab | null; retry?: () => void }) {
  const { session } = useView();
  const { say, language } = useWords();
  const state = stateOf(session);
  const seen = session.store.story !== "";
  const at = moment(language, session.store.at);
  return (
    <>
      {state === "disconnected" && (
        <div class="notice bad" role="alert" data-notice="disconnected">
          <b>
            <Glyph name="no" /> {say("No connection to the local cloud.")}
          </b>
          {seen && <span>{say("This is what was there at {time}.", { time: at })}</span>}
          <span>
            {!lab ? (
              say("Run the cell that starts the cloud again, and then the cell of this view.")
            ) : retry ? (
              <WithCode
                text={say("Start the lab again with `{command}`: the view then goes on by itself.", { command: lab.again ?? `bentocola lab start ${lab.name}` })}
              />
            ) : (
              say("If you closed the lab, all is well. Otherwise run the first cell of its notebook again.")
            )}
          </span>
          {retry && (
            <button type="button" data-retry onClick={retry}>
              {say("Try now")}
            </button>
          )}
        </div>
      )}
      {state === "snapshot" && (
        <p class="notice" data-notice="snapshot">
          {seen ? say("Saved at {time}; nothing changes here any more.", { time: at }) : say("Nothing was saved here.")}{" "}
          {say("Run the cell again to see it live.")}
        </p>
      )}
      {state === "still" && (
        <p class="notice" data-notice="still">
          {say("Time goes on here only when you move the clock.")}
        </p>
      )}
      {session.restarted && (
        <p class="notice" data-notice="restarted">
          {say("The local cloud began anew at {time}. What you see is its new story.", { time: moment(language, session.restarted) })}{" "}
          <button type="button" class="link" data-understood onClick={() => session.understood()}>
            {say("Understood")}
          </button>
        </p>
      )}
    </>
  );
}

/** What to type first, while nothing is there. */
export function Empty({ lab }: { lab: Lab | null }) {
  const { say } = useWords();
  const command = lab
    ? `aws sqs create-queue --queue-name ${lab.prefix}-jobs --attributes VisibilityTimeout=30`
    : 'boto3.client("sqs").create_queue(QueueName="jobs")';
  return (
    <div class="empty" data-empty>
      <p>
        <b>{say("No queue yet.")}</b>{" "}
        {lab ? say("Create the first one in the terminal, and it appears here:") : say("Create the first one in a cell, and it appears here:")}
      </p>
      <pre translate={false}>{command}</pre>
    </div>
  );
}
