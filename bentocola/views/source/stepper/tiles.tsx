// The state after a step: some things of it, always the same ones, with the old value of what the step changed.
import { value as written } from "../shared/formats";
import { Glyph } from "../shared/glyphs";
import { Heading, useWords } from "../shared/root";
import type { Store } from "../shared/store";
import type { Verdict } from "../shared/trace";
import { msg, type Say } from "../shared/words";
import { shownBy, stepAt } from "./read";
import type { Tile } from "./story";

/** What every trace counts; shown where no lesson says otherwise. */
const COUNTERS: [string, string][] = [
  ["s3.objects", msg("Files in S3")],
  ["sqs.visible", msg("Visible messages")],
  ["sqs.in_flight", msg("Messages in flight")],
  ["sqs.dead", msg("Dead letters in DLQs")],
  ["lambda.runs", msg("Runs of functions")],
  ["ddb.items", msg("Items in tables")],
];

export const counters = (say: Say): Tile[] => COUNTERS.map(([path, label]) => ({ path, field: null, label: say(label) }));

/** A value as text: a text without quotes, an object with its attributes on one line. Nothing is counted as 0. */
export function textOf(say: Say, path: string, value: unknown): string {
  if (value === null || value === undefined) {
    return path.includes("/") ? say("does not exist") : "0";
  }
  if (typeof value !== "object") {
    return String(value);
  }
  return Array.isArray(value)
    ? written(value)
    : Object.entries(value)
        .map(([name, held]) => `${name}: ${written(held)}`)
        .join(", ");
}

export interface Change {
  tile: Tile;
  old: string;
  now: string;
}

/** Return which tiles a step changed. */
export function changesAt(say: Say, store: Store, tiles: readonly Tile[], n: number): Change[] {
  const changed = new Set(stepAt(store, n)?.set.map(([path]) => path));
  const ours = tiles.filter(({ path }) => changed.has(path));
  if (!ours.length) {
    return [];
  }
  const [before, after] = [store.stateAt(n - 1), store.stateAt(n)];
  return ours
    .map((tile) => ({
      tile,
      old: textOf(say, tile.path, shownBy(tile, before.get(tile.path))),
      now: textOf(say, tile.path, shownBy(tile, after.get(tile.path))),
    }))
    .filter(({ old, now }) => old !== now);
}

interface TilesProps {
  store: Store;
  tiles: readonly Tile[];
  n: number;
  broken: Verdict | null; // at the step where a counterexample breaks
}

/** Whether a verdict is about a tile. */
export const isAbout = ({ path }: Verdict, tile: Tile): boolean =>
  path === tile.path || (tile.field !== null && path === `${tile.path}.${tile.field}`);

export function Tiles({ store, tiles, n, broken }: TilesProps) {
  const { say } = useWords();
  const state = store.stateAt(n);
  const changes = changesAt(say, store, tiles, n);
  return (
    <div>
      <Heading below={2} class="caption">{n ? say("How things stand after this step") : say("How things stand before the start")}</Heading>
      <dl class="tiles">
        {tiles.map((tile) => {
          const change = changes.find((each) => each.tile === tile);
          const bad = broken && isAbout(broken, tile) ? broken : null;
          return (
            <div
              key={`${tile.path}.${tile.field}`}
              class={`${change ? "changed" : ""} ${bad ? "bad" : ""}`}
              data-path={tile.field === null ? tile.path : `${tile.path}.${tile.field}`}
            >
              <dt>
                {tile.label}
                {change && <span class="vh"> ({say("changed")})</span>}
              </dt>
              <dd>
                {change && <span class="old">{change.old} → </span>}
                <span class="now">{change?.now ?? textOf(say, tile.path, shownBy(tile, state.get(tile.path)))}</span>
                {bad && (
                  <span class="expected">
                    <Glyph name="no" />
                    {say("{value} was expected", { value: textOf(say, tile.path, bad.expected) })}
                  </span>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
    </div>
  );
}
