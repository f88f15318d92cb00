// The views as a widget of anywidget's kind: the traits that Python sets, the messages of the kernel, and what goes back to it.
import { mountAws } from "./aws/mount";
import { SCHEMA, type Feed, type Trace } from "./shared/trace";
import { unclip } from "./shared/unclipped";
import type { Language } from "./shared/words";
import { mountStepper } from "./stepper/mount";
import type { Mode, Story } from "./stepper/story";

const ANSWER_MS = 3_000; // a kernel that is there answers sooner, unless a cell runs
const NOTHING: Feed = { schema: SCHEMA, story: "", initial: {}, actors: [], now_ms: 0, at: "1970-01-01T00:00:00Z", live: false, steps: [], more: false };

/** The part of anywidget's model that is used here. */
export interface WidgetModel {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  send(content: unknown): void;
  on(event: string, listener: (...args: never[]) => void): void;
  off(event: string, listener: (...args: never[]) => void): void;
}

type Standing = "there" | "lost" | "none";

/** What follows a kernel's feed. */
interface Follower {
  apply(feed: Feed): void;
  connect(standing: Standing): void;
  said?(text: string): void;
}

/** Draw the widget that the model's `kind` names. */
export function render({ model, el }: { model: WidgetModel; el: HTMLElement }): () => void {
  const draw = model.get("kind") !== "stepper" ? renderAws : model.get("fold") ? renderFolded : renderStepper;
  const end = draw(model, el);
  const clip = unclip(el);
  return () => {
    clip();
    end();
  };
}

/** Draw the stepper below a line that opens it: nothing of it is made before. */
function renderFolded(model: WidgetModel, el: HTMLElement): () => void {
  const details = document.createElement("details");
  const summary = document.createElement("summary");
  const inner = document.createElement("div");
  details.lang = model.get("language") as string;
  summary.textContent = model.get("fold") as string;
  summary.style.cssText = "cursor:pointer;padding:.3em 0;font-family:var(--jp-content-font-family, sans-serif)";
  details.append(summary, inner);
  let end: (() => void) | undefined;
  details.addEventListener("toggle", () => {
    if (details.open) {
      end ??= renderStepper(model, inner);
    }
  });
  el.append(details);
  return () => {
    end?.();
    details.remove();
  };
}

function renderAws(model: WidgetModel, el: HTMLElement): () => void {
  const language = model.get("language") as Language;
  const lab = model.get("lab") as { name: string; prefix: string } | null;
  const feed = (model.get("feed") as Feed | null) ?? NOTHING;
  const view = mountAws(el, { language, lab, feed, ask: (story, since) => ask(model, story, since) });
  const end = followKernel(model, view);
  return () => {
    end();
    view.destroy();
  };
}

function renderStepper(model: WidgetModel, el: HTMLElement): () => void {
  const feed = model.get("feed") as Feed | null;
  const traces = model.get("traces") as Record<string, Trace>;
  const isLive = feed !== null;
  const mount = () =>
    mountStepper(el, {
      language: model.get("language") as Language,
      mode: model.get("mode") as Mode,
      story: model.get("story") as Story | null,
      fault: model.get("fault") as string,
      prediction: model.get("prediction") as string,
      ...(isLive
        ? {
            feed,
            inject: (kind: string, operation: string) => model.send({ type: "fault", kind, operation }),
            onMissing: (story: string, since: number) => ask(model, story, since),
          }
        : { traces, step: (model.get("step") as number) || undefined }),
      onChange(standing) {
        for (const [name, value] of Object.entries(standing)) {
          model.set(name, value);
        }
        model.save_changes();
      },
    });
  const stepper = mount();
  const follower: Follower = {
    apply: stepper.apply,
    connect: (standing) => stepper.connect(standing === "there"),
    said: stepper.said,
  };
  const end = isLive ? followKernel(model, follower) : () => {};
  return () => {
    end();
    stepper.destroy();
  };
}

/** Have the kernel's messages reach a view, and what they bring stay in the model. Returns what ends it. */
function followKernel(model: WidgetModel, view: Follower): () => void {
  // In a saved notebook no kernel is behind the widget: nobody answers then.
  const unanswered = setTimeout(() => view.connect("none"), ANSWER_MS);
  const listeners: [string, (...args: never[]) => void][] = [
    [
      "msg:custom",
      (message: { type: string; feed?: Feed; text?: string }) => {
        clearTimeout(unanswered);
        if (message.type === "feed" && message.feed) {
          keep(model, message.feed);
          view.apply(message.feed);
          view.connect("there");
        } else if (message.type === "lost") {
          view.connect("lost");
        } else if (message.type === "said") {
          view.said?.(message.text ?? "");
        }
      },
    ],
    ["change:connected", () => view.connect(model.get("connected") ? "there" : "lost")],
    // The kernel ended, or was started again.
    ["comm:close", () => view.connect("lost")],
    ["comm_live_update", () => view.connect("lost")],
  ];
  for (const [event, listener] of listeners) {
    model.on(event, listener);
  }
  const feed = model.get("feed") as Feed | null;
  if (!ask(model, feed?.story ?? "", feed?.steps.at(-1)?.n ?? 0)) {
    view.connect("none");
  }
  return () => {
    clearTimeout(unanswered);
    for (const [event, listener] of listeners) {
      model.off(event, listener);
    }
  };
}

/** Ask the kernel for the steps after one. Returns whether it could be asked. */
function ask(model: WidgetModel, story: string, since: number): boolean {
  try {
    model.send({ type: "ready", story, since });
    return true;
  } catch {
    return false;
  }
}

/** Add to the model's own feed, in place: the saved notebook then has it, and nothing of it goes back to the kernel. */
function keep(model: WidgetModel, feed: Feed): void {
  const kept = model.get("feed") as Feed | null;
  if (!kept || kept.story !== feed.story) {
    if (feed.initial !== undefined) {
      model.set("feed", { ...feed, steps: [...feed.steps] });
    }
    return;
  }
  const { initial, steps, ...rest } = feed;
  Object.assign(kept, rest);
  for (const step of steps) {
    if (step.n === (kept.steps.at(-1)?.n ?? 0) + 1) {
      kept.steps.push(step);
    }
  }
}
