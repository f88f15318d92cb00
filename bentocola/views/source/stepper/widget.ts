// The stepper as a widget: where the student is and what they chose reach Python; on a live cloud steps come, and faults are asked for.
import { keep, type Message, type WidgetModel } from "../shared/widget";
import type { Feed, Trace } from "../shared/trace";
import type { Language } from "../shared/words";
import { mountStepper } from "./mount";
import type { Mode, Standing, Story } from "./story";

export function renderStepper(model: WidgetModel, el: HTMLElement): () => void {
  const feed = model.get("feed") as Feed | null;
  const isLive = Boolean(feed?.story);
  const ask = (story: string, since: number) => {
    try {
      model.send({ type: "ready", story, since });
    } catch {
      // A saved notebook: no kernel is behind it, and what was saved is what there is.
    }
  };
  let told: Standing = {
    step: model.get("step") as number,
    fault: model.get("fault") as string,
    prediction: model.get("prediction") as string,
  };
  const stepper = mountStepper(el, {
    ...told,
    language: model.get("language") as Language,
    mode: model.get("mode") as Mode,
    story: model.get("story") as Story | null,
    // A live one begins at its end.
    step: told.step || undefined,
    ...(feed && isLive ? { feed } : { traces: model.get("traces") as Record<string, Trace> }),
    ...(isLive ? { inject: (kind, operation) => model.send({ type: "fault", kind, operation }) } : {}),
    onMissing: ask,
    onChange(standing) {
      told = standing;
      for (const [name, value] of Object.entries(standing)) {
        model.set(name, value);
      }
      model.save_changes();
    },
  });
  const onMessage = (message: Message) => {
    if (message.type === "feed" && message.feed) {
      keep(model, message.feed);
      stepper.apply(message.feed);
    } else if (message.type === "said" && message.text) {
      stepper.said(message.text);
    } else if (message.type === "lost") {
      stepper.connect(false);
    }
  };
  const onConnected = () => stepper.connect(Boolean(model.get("connected")));
  const onGone = () => stepper.connect(false); // the kernel ended or was started again
  const onStep = () => {
    const step = model.get("step") as number;
    if (step !== told.step) {
      stepper.go(step);
    }
  };
  const listeners: [string, (...args: never[]) => void][] = [
    ["msg:custom", onMessage],
    ["change:step", onStep],
    ["change:connected", onConnected],
    ["comm:close", onGone],
    ["comm_live_update", onGone],
  ];
  for (const [event, listener] of listeners) {
    model.on(event, listener);
  }
  if (isLive) {
    onConnected();
    ask(feed?.story ?? "", feed?.steps.at(-1)?.n ?? 0);
  }
  return () => {
    for (const [event, listener] of listeners) {
      model.off(event, listener);
    }
    stepper.destroy();
  };
}
