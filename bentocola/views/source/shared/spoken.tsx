// The polite status line: what a screen reader says of a change. One place a view, and it never moves the focus.
import { useEffect, useRef } from "preact/hooks";

export interface Speaker {
  say(text: string): void;
  element: { current: HTMLElement | null };
}

/** Return a speaker whose last text is spoken once nothing new came for `wait` milliseconds. */
export function useSpeaker(wait = 150): Speaker {
  const element = useRef<HTMLElement | null>(null);
  const timer = useRef(0);
  const speaker = useRef<Speaker | null>(null);
  useEffect(() => () => clearTimeout(timer.current), []);
  speaker.current ??= {
    element,
    say(text) {
      clearTimeout(timer.current);
      timer.current = window.setTimeout(() => {
        if (element.current) {
          element.current.textContent = text;
        }
      }, wait);
    },
  };
  return speaker.current;
}

/** Where the speaker's texts are put. Stands once in a view, from the first drawing on: a region that comes later stays silent. */
export function Spoken({ speaker }: { speaker: Speaker }) {
  return <p class="vh" role="status" aria-live="polite" aria-atomic="true" ref={(p) => void (speaker.element.current = p)} />;
}
