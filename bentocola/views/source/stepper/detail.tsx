// What one step was: between whom, what is said of it, the write decision, the text that crossed, the log, and the state after it.
import type { ComponentChildren } from "preact";
import { DecisionCard } from "../shared/DecisionCard";
import { seconds } from "../shared/formats";
import { Glyph } from "../shared/glyphs";
import { Heading, useWords } from "../shared/root";
import type { Step, Verdict } from "../shared/trace";
import { LANE_NAMES } from "./lanes";
import { Tags } from "./list";
import { isLane, stepAt } from "./read";
import { longOf, shortOf, type Teller, whoIs } from "./sentences";
import type { Tile } from "./story";
import { Tiles } from "./tiles";
import { Log, Wire } from "./wire";

export interface DetailProps {
  teller: Teller;
  n: number;
  tiles: readonly Tile[];
  broken: Verdict | null;
  pretty: boolean;
  onPretty: (pretty: boolean) => void;
  speak: (text: string) => void;
  go: (n: number) => void;
  children?: ComponentChildren; // after the route: how the story ended
}

export function Detail({ teller, n, tiles, broken, pretty, onPretty, speak, go, children }: DetailProps) {
  const { say } = teller;
  const step = stepAt(teller.store, n);
  return (
    <div class="detail" data-detail={n}>
      <div>
        <Heading below={1}>
          {n > 0 && <span>{n} · </span>}
          {shortOf(teller, step)} <Tags step={step} blame={[]} n={n} />
        </Heading>
        {step && <Route teller={teller} step={step} go={go} />}
      </div>
      {children}
      <p class="told">{longOf(teller, step)}</p>
      {step?.decision && (
        <DecisionCard
          decision={step.decision}
          title={
            <Heading below={2} class="caption">
              {say("Write decision")}
            </Heading>
          }
        />
      )}
      {step && <Wire step={step} pretty={pretty} onPretty={onPretty} speak={speak} />}
      {step && <Log step={step} />}
      <Tiles store={teller.store} tiles={tiles} n={n} broken={broken} />
    </div>
  );
}

function Route({ teller, step, go }: { teller: Teller; step: Step; go: (n: number) => void }) {
  const { say, language } = teller;
  return (
    <p class="route">
      <Actor teller={teller} id={step.from} />
      {step.from !== step.to && (
        <>
          <span aria-hidden="true">→</span>
          <Actor teller={teller} id={step.to} />
        </>
      )}
      {step.api && <code translate={false}>{step.api}</code>}
      {step.name && <code translate={false}>{step.name}</code>}
      <span class="num">t = {seconds(language, step.t)} s</span>
      {step.cause !== undefined && (
        <button type="button" class="link" data-do="cause" onClick={() => go(step.cause ?? 0)}>
          {say("Because of step {n}", { n: step.cause })}
        </button>
      )}
    </p>
  );
}

function Actor({ teller, id }: { teller: Teller; id: string }) {
  const { say } = useWords();
  return (
    <span class="actor" translate={false}>
      {isLane(id) && <Glyph name={id} />}
      {isLane(id) ? say(LANE_NAMES[id][0]) : whoIs(teller, id)}
    </span>
  );
}
