// What a screen reader says of changes: one sentence a change, and of many changes how many they were and the last.
import type { Step } from "../shared/trace";
import type { Say } from "../shared/words";

const EVERY_MS = 2_050; // no more than one summary in this time
const SOON_MS = 100; // what comes together is said together
const SENTENCES = 3; // more changes than that are counted

type Value = Record<string, unknown> | null;

/** Collects changes and says them together, at most once in two seconds. */
export class Summary {
  private changes: string[] = [];
  private count = 0;
  private timer = 0;
  private next = 0;

  constructor(
    private readonly say: Say,
    private readonly speak: (text: string) => void,
  ) {}

  add(steps: Step[]): void {
    for (const step of steps) {
      for (const sentence of sentencesOf(step, this.say)) {
        this.tell(sentence);
      }
    }
  }

  /** Say a sentence, with those that came just before. */
  tell(sentence: string): void {
    this.count += 1;
    this.changes.push(sentence);
    this.changes.splice(0, this.changes.length - SENTENCES);
    this.timer ||= window.setTimeout(() => this.summarize(), Math.max(SOON_MS, this.next - performance.now()));
  }

  end(): void {
    clearTimeout(this.timer);
  }

  private summarize(): void {
    const { count, changes } = this;
    const many = this.say("{count} changes. The last one:", { count });
    this.speak(count > SENTENCES ? `${many} ${changes.at(-1)}` : changes.join(" "));
    this.changes = [];
    this.count = 0;
    this.timer = 0;
    this.next = performance.now() + EVERY_MS;
  }
}

/** Return what changed for the reader in a step; calls that only look changed nothing. */
function sentencesOf(step: Step, say: Say): string[] {
  const { ids = {}, decision, run } = step;
  if (step.kind === "run_start" && ids.run) {
    return [say("Run {run} starts.", { run: ids.run })];
  }
  if (step.kind === "run_end" && run) {
    const values = { run: run.id };
    return [run.result === "ok" ? say("Run {run} finished.", values) : say("Run {run} failed.", values)];
  }
  if (decision) {
    const values = { key: decision.key, table: decision.table };
    return [
      decision.result === "accepted"
        ? say("Write of {key} to {table} accepted.", values)
        : say("Write of {key} to {table} refused.", values),
    ];
  }
  return step.set.flatMap(([path, old, now]) => changeOf(path, old as Value, now as Value, say) ?? []);
}

function changeOf(path: string, old: Value, now: Value, say: Say): string | null {
  const slash = path.indexOf("/");
  const name = path.slice(slash + 1);
  switch (path.slice(0, Math.max(0, slash))) {
    case "queue":
      return old && now ? null : now ? say("Queue {name} is there.", { name }) : say("Queue {name} was deleted.", { name });
    case "table":
      return old && now ? null : now ? say("Table {name} is there.", { name }) : say("Table {name} was deleted.", { name });
    case "function":
      return old && now ? null : now ? say("Function {name} is there.", { name }) : say("Function {name} was deleted.", { name });
    case "mapping":
      if (!now) {
        return say("The event source mapping was deleted.");
      }
      return old?.state === now.state ? null : say("Event source mapping: {state}.", { state: String(now.state) });
    case "message":
      if (!now || (old?.state === now.state && old?.queue === now.queue)) {
        return null;
      }
      if (old && old.queue !== now.queue) {
        return say("{message} moved to {queue}.", { message: name, queue: String(now.queue) });
      }
      return STATES[String(now.state)]?.(say, name) ?? null;
    default:
      return null;
  }
}

const STATES: Record<string, (say: Say, message: string) => string> = {
  visible: (say, message) => say("{message} is visible.", { message }),
  in_flight: (say, message) => say("{message} is in flight.", { message }),
  delayed: (say, message) => say("{message} is delayed.", { message }),
  deleted: (say, message) => say("{message} is deleted.", { message }),
  expired: (say, message) => say("{message} has expired.", { message }),
};
