// The five lanes: their heads, and what one step draws between them. Hidden from screen readers, which hear the sentences.
import { type ComponentChildren, createContext } from "preact";
import { useContext, useMemo } from "preact/hooks";
import { Glyph } from "../shared/glyphs";
import { useWords } from "../shared/root";
import type { Lane, Step } from "../shared/trace";
import { msg } from "../shared/words";
import { type Bar, isLane, LANES } from "./read";

/** The lanes that are drawn: those of the story. */
export const Lanes = createContext<readonly Lane[]>(LANES);

/** Where each lane runs, in percent of the drawing's width; a lane that is not drawn has no place. */
export function useAt(): Record<Lane, number> {
  const lanes = useContext(Lanes);
  return useMemo(() => Object.fromEntries(lanes.map((lane, index) => [lane, ((index + 0.5) / lanes.length) * 100])), [lanes]) as Record<
    Lane,
    number
  >;
}

export const LANE_NAMES: Record<Lane, [string, string]> = {
  you: [msg("Your side"), msg("terminal")],
  s3: [msg("S3"), msg("files")],
  sqs: [msg("SQS"), msg("queue")],
  lambda: [msg("Lambda"), msg("function")],
  ddb: [msg("DynamoDB"), msg("table")],
};

export function LaneHeads() {
  const { say } = useWords();
  const lanes = useContext(Lanes);
  return (
    <div class="lanes" style={{ "--lanes": lanes.length }}>
      {lanes.map((lane) => (
        <div key={lane}>
          <Glyph name={lane} />
          <b translate={false}>{lane === "ddb" ? <>Dynamo<wbr />DB</> : say(LANE_NAMES[lane][0])}</b>
          <span class="what">{say(LANE_NAMES[lane][1])}</span>
        </div>
      ))}
    </div>
  );
}

const CHECK = "M-4 .3L-1.2 3.2L4.2-3";
const CROSS = "M-3-3L3 3M3-3L-3 3";

/** A point of the drawing, around which shapes are drawn in pixels. */
const At = ({ x, children }: { x: number; children: ComponentChildren }) => (
  <svg x={`${x}%`} y="50%" overflow="visible" width="1" height="1">
    {children}
  </svg>
);

const Line = ({ from, to }: { from: number; to: number }) => (
  <line x1={`${from}%`} x2={`${to}%`} y1="50%" y2="50%" class="sh" />
);

const Dot = ({ x }: { x: number }) => (
  <At x={x}>
    <circle r="3.5" class="dot" />
  </At>
);

const Cross = ({ x }: { x: number }) => (
  <At x={x}>
    <path d="M-5-6L5 6M5-6L-5 6" class="xx" />
  </At>
);

/** The lanes as they pass through one row, with what its step does. Without a step the lanes alone. */
export function Track({ step, bar }: { step?: Step; bar?: Bar }) {
  const at = useAt();
  const lanes = useContext(Lanes);
  return (
    <svg class="track" width="100%" height="100%" aria-hidden="true" focusable="false">
      {lanes.map((lane) => (
        <line key={lane} x1={`${at[lane]}%`} x2={`${at[lane]}%`} y1="0" y2="100%" class="lane" />
      ))}
      {step && bar && <OpenRun {...bar} />}
      {step && (
        <g class={`act k-${step.kind} ${step.decision?.result ?? (step.error ? "refused" : "")} ${step.fault ? "flt" : ""}`}>
          <Act step={step} />
        </g>
      )}
    </svg>
  );
}

/** The part of an open run's bar in this row. */
function OpenRun({ above, below }: Bar) {
  const { lambda } = useAt();
  return above || below ? (
    <rect
      class="run"
      x={`${lambda}%`}
      y={above ? 0 : "50%"}
      width="10"
      height={above && below ? "100%" : "50%"}
      transform="translate(-5 0)"
    />
  ) : null;
}

function Act({ step }: { step: Step }) {
  const at = useAt();
  const from = isLane(step.from) ? at[step.from] : at.you;
  if (!isLane(step.to)) {
    return <Elsewhere x={from} name={step.to} />;
  }
  const to = at[step.to];
  if (step.kind === "fault") {
    return <Fault step={step} from={from} to={to} />;
  }
  return from === to ? <Inside step={step} x={from} /> : <Across step={step} from={from} to={to} />;
}

/** A call to a service that has no lane: its name, at the lane of whoever calls. */
function Elsewhere({ x, name }: { x: number; name: string }) {
  const width = 10 + 7 * name.length;
  return (
    <>
      <Dot x={x} />
      <At x={x}>
        <rect x="8" y="-9" width={width} height="18" rx="3" class="pill" />
        <text x={8 + width / 2} y="4" class="pt">
          {name}
        </text>
      </At>
    </>
  );
}

function Fault({ step, from, to }: { step: Step; from: number; to: number }) {
  const { sqs } = useAt();
  const between = (from + to) / 2;
  if (from !== to && step.fault === "throttle") {
    return (
      <>
        <Line from={from} to={between} />
        <Dot x={from} />
        <Cross x={between} />
      </>
    );
  }
  if (from !== to && step.fault === "lost_response") {
    return (
      <>
        <Line from={to} to={between} />
        <Dot x={to} />
        <Cross x={between} />
      </>
    );
  }
  if (step.fault === "deliver_again" || step.fault === "reorder" || step.fault === "delay_event") {
    return (
      <At x={sqs}>
        <circle r="9" class="pill" />
        <path d="M1-6.5L-4.5 1h3.6L-1.6 6.5 4.5-1.2H.6z" class="dot" />
      </At>
    );
  }
  return <Cross x={from} />;
}

function Inside({ step, x }: { step: Step; x: number }) {
  switch (step.kind) {
    case "message":
      return (
        <At x={x}>
          <rect x="-12" y="-8" width="24" height="16" rx="2" class="pill" />
          <path d="M-12-7L0 2L12-7" class="sh" />
        </At>
      );
    case "timeout":
    case "clock":
      return (
        <At x={x}>
          <circle r="9" class="pill" />
          <path d="M0-5V0L4 2" class="sh" />
        </At>
      );
    case "dead":
    case "delete":
      return (
        <At x={x}>
          <BoxedCross />
        </At>
      );
    case "run_start":
      return (
        <At x={x}>
          <circle r="8" class="cap" />
          <path d="M-2.5-4L4 0L-2.5 4Z" class="inv" />
        </At>
      );
    case "run_end":
      return (
        <At x={x}>
          <circle r="8" class={step.run?.result === "ok" ? "cap" : "cap bad"} />
          <path d={step.run?.result === "ok" ? CHECK : CROSS} class="invln" />
        </At>
      );
    default:
      return (
        <At x={x}>
          <circle r="5" class="pill" />
        </At>
      );
  }
}

const BoxedCross = () => (
  <>
    <rect x="-9" y="-9" width="18" height="18" rx="3" class="pill" />
    <path d="M-4-4L4 4M4-4L-4 4" class="xx thin" />
  </>
);

function Across({ step, from, to }: { step: Step; from: number; to: number }) {
  return (
    <>
      <Line from={from} to={to} />
      <Dot x={from} />
      {step.decision ? (
        <At x={to}>
          <path d="M0-10L10 0L0 10L-10 0Z" class="dia" />
          <path d={step.decision.result === "accepted" ? CHECK : CROSS} class="sig" />
        </At>
      ) : step.error ? (
        <Cross x={to} />
      ) : (
        <At x={to}>
          <path d={to > from ? "M-9-5L-1 0L-9 5" : "M9-5L1 0L9 5"} class={step.kind === "event" ? "open" : "full"} />
        </At>
      )}
      <Carried step={step} x={(from + to) / 2} />
    </>
  );
}

/** What an arrow carries: a delivery's message and count, or the box of a deletion. */
function Carried({ step, x }: { step: Step; x: number }) {
  if (step.kind === "deliver") {
    const text = `${step.ids?.msg ?? ""}·${step.ids?.delivery ?? ""}`;
    const width = 4 + 6.6 * text.length;
    return (
      <At x={x}>
        <rect x={-width / 2 - 1} y="-9" width={width} height="18" rx="9" class="pill" />
        <text x="-1" y="4" class="pt">
          {text}
        </text>
      </At>
    );
  }
  return step.kind === "delete" ? (
    <At x={x}>
      <BoxedCross />
    </At>
  ) : null;
}
