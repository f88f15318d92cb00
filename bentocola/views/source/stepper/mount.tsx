// The stepper in an element of any page, in a shadow root of its own.
import { mountRoot, type Theme } from "../shared/root";
import { Store } from "../shared/store";
import type { Feed, Trace } from "../shared/trace";
import type { Language } from "../shared/words";
import type { FaultKind } from "./inject";
import { Stepper } from "./Stepper";
import styles from "./stepper.css";
import type { Mode, Standing, Story } from "./story";

export interface StepperOptions {
  language: Language;
  mode: Mode;
  story?: Story | null;
  traces?: Record<string, Trace>; // by fault, or the only one
  feed?: Feed; // instead of traces: what there is so far, to which `apply` adds
  store?: Store; // instead of both: steps that somebody else adds to
  only?: readonly number[]; // the steps that are shown, of all that happened
  fault?: string;
  prediction?: string;
  step?: number;
  isLab?: boolean; // what nobody's function did was typed in a terminal
  theme?: Theme | null;
  level?: number; // of its heading
  onChange?: (standing: Standing) => void;
  onMissing?: (story: string, since: number) => void; // steps are missing: ask for those after `since` again
  inject?: (kind: FaultKind, operation: string) => void; // puts the bar there that makes the next call fail
}

export interface MountedStepper {
  go(n: number): void;
  apply(feed: Feed): void;
  said(text: string): void; // what became of a fault that was asked for
  connect(isThere: boolean): void; // whether anybody is there to ask for a fault
  destroy(): void;
}

export function mountStepper(el: HTMLElement, options: StepperOptions): MountedStepper {
  const { language, theme, level, feed, inject, onMissing = () => {}, ...props } = options;
  const mounted = mountRoot(el, { language, theme, level, styles: [styles] });
  const store = props.store ?? (feed && new Store());
  const walk = { current: null as ((n: number) => void) | null };
  let said = "";
  let isThere = true;
  const apply = (more: Feed) => {
    if (store?.apply(more).missing) {
      onMissing(store.story, store.last);
    }
  };
  if (feed) {
    apply(feed);
  }
  const step = props.step ?? (inject ? store?.last : undefined);
  const draw = () => {
    const live = inject && isThere ? { inject, said } : undefined;
    mounted.draw(<Stepper {...props} step={step} store={store} walk={walk} live={live} />);
  };
  draw();
  return {
    go: (n) => walk.current?.(n),
    apply,
    said(text) {
      said = text;
      draw();
    },
    connect(is) {
      isThere = is;
      draw();
    },
    destroy: () => mounted.destroy(),
  };
}
