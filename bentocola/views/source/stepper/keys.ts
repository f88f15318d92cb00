// The keys that move through the steps, wherever in the stepper the focus is.

const MOVES: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

export const hasModifier = (event: KeyboardEvent): boolean => event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;

/** Return the index that a key leads to from `at`, of `count`; undefined where the key is another one. */
export function movedTo(event: KeyboardEvent, at: number, count: number): number | undefined {
  const by = MOVES[event.key];
  const to = by !== undefined ? at + by : event.key === "Home" ? 0 : event.key === "End" ? count - 1 : undefined;
  return to === undefined || hasModifier(event) ? undefined : Math.max(0, Math.min(count - 1, to));
}

/** Whether what has the focus has these keys for itself: a slider, a choice, a box of text. */
export const hasOwnKeys = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("input, select, textarea, pre") !== null;
