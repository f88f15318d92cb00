// The runs of functions, newest first, each with its result and its log; the latest two are open.
import { useLayoutEffect, useState } from "preact/hooks";
import { number } from "../shared/formats";
import { Glyph } from "../shared/glyphs";
import { useWords } from "../shared/root";
import { useView } from "./context";
import type { RunRow } from "./model";
import { Section } from "./Section";
import { Choose, GoTo, Ties } from "./Ties";
import { VirtualList } from "./VirtualList";

const OPEN = 2;
const LONG = 240; // characters of a log's line; a longer one is cut
const LINKS = 3; // messages of a batch that are named

export function Runs() {
  const { session, shown } = useView();
  const { say, language } = useWords();
  const [opened] = useState(() => new Map<string, boolean>());
  const { runs } = session.model;
  const rows = shown ? runs.filter((run) => shown.has(run.id)) : runs;
  const at = (index: number) => rows[rows.length - 1 - index]!;
  const names = new Set(rows.slice(-50).map((run) => run.function));
  const [only] = names.size === 1 ? names : [""];
  return (
    <Section
      title={say("Runs")}
      name={only}
      small={rows.length > 0 && number(language, rows.length)}
      attributes={{ "data-section": "runs", "data-total": runs.length }}
    >
      {rows.length === 0 ? (
        <p class="none">{runs.length ? say("None of them is shown.") : say("No run yet.")}</p>
      ) : (
        <VirtualList
          name="runs"
          label={say("Runs")}
          count={rows.length}
          idOf={(index) => at(index).id}
          estimate={42}
          gap={6}
          row={(index, inUse) => {
            const run = at(index);
            const open = opened.get(run.id) ?? index < OPEN;
            return {
              class: `run ${run.result}`,
              attributes: {
                "data-run": run.id,
                "data-result": run.result,
                // What somebody looks at does not close by itself when newer runs come.
                onPointerEnter: () => opened.set(run.id, open),
                onFocusIn: () => opened.set(run.id, open),
              },
              stamp: `${run.result} ${run.refused} ${open} ${names.size}`,
              content: () => <Run run={run} open={open} named={names.size > 1} inUse={inUse} toggle={(now) => opened.set(run.id, now)} />,
            };
          }}
        />
      )}
    </Section>
  );
}

/** A log whose long lines are cut to their first ones, until all of it is asked for. */
function Log({ lines, inUse }: { lines: readonly string[]; inUse: boolean }) {
  const { session, restore } = useView();
  const { say } = useWords();
  const [whole, show] = useState(false);
  const isLong = lines.some((line) => line.length > LONG);
  useLayoutEffect(restore, [whole]);
  return (
    <>
      <pre translate={false}>
        {lines.map((line, index) => (
          <span key={index} class={line.length > LONG && !whole ? "long" : ""}>
            {line.replace(/\n$/, "") + (index < lines.length - 1 ? "\n" : "")}
          </span>
        ))}
      </pre>
      {isLong && (
        <button
          type="button"
          class="link"
          data-whole
          aria-expanded={whole}
          tabIndex={inUse ? 0 : -1}
          onClick={() => {
            show(!whole);
            session.changed();
          }}
        >
          {whole ? say("Shorten the long lines") : say("Show the long lines whole")}
        </button>
      )}
    </>
  );
}

interface RunProps {
  run: RunRow;
  open: boolean;
  named: boolean; // several functions run: each row says which
  inUse: boolean;
  toggle(open: boolean): void;
}

function Run({ run, open, named, inUse, toggle }: RunProps) {
  const { session } = useView();
  const { say, language } = useWords();
  const results = { running: say("running"), ok: say("finished"), error: say("error"), died: say("stopped") };
  const glyphs = { running: "run", ok: "ok", error: "no", died: "no" } as const;
  const log = `log-${run.id}`;
  return (
    <>
      <div class="line">
        <Choose id={run.id} text={run.id} inUse={inUse} />
        <span class="result">
          <Glyph name={glyphs[run.result]} /> {results[run.result]}
        </span>
        {named && <code translate={false}>{run.function}</code>}
        {run.messages.slice(0, LINKS).map((message) => (
          <GoTo key={message} id={message} inUse={inUse} />
        ))}
        {run.messages.length > LINKS && <span class="muted">{say("and {count} more", { count: run.messages.length - LINKS })}</span>}
        {run.delivery !== null && <span class="muted">{say("delivery {count}", { count: run.delivery })}</span>}
        {run.ms !== null && <span class="muted num">{say("{count} ms", { count: number(language, Math.round(run.ms)) })}</span>}
        {run.refused > 0 && (
          <span class="muted">
            {run.refused === 1 ? say("1 write refused") : say("{count} writes refused", { count: run.refused })}
          </span>
        )}
        <button
          type="button"
          class="fold"
          aria-expanded={open}
          aria-controls={open ? log : undefined}
          tabIndex={inUse ? 0 : -1}
          onClick={() => {
            toggle(!open);
            session.changed();
          }}
        >
          <span class="vh">{say("Log of {run}", { run: run.id })}</span>
          <Glyph name="down" />
        </button>
      </div>
      {open && (
        <div id={log} class="log">
          {run.log.length > 0 ? (
            <Log lines={run.log} inUse={inUse} />
          ) : (
            <p class="none">{run.result === "running" ? say("Its log comes when it ends.") : say("It wrote no log.")}</p>
          )}
          {run.masked > 0 && (
            <p class="masked">{say("A secret stood in this log; {count} times *** covers it.", { count: run.masked })}</p>
          )}
        </div>
      )}
      <Ties id={run.id} inUse={inUse} />
    </>
  );
}
