// A stepper that opens inside another view takes the focus, and gives it back when it is closed.
import { useLayoutEffect, useRef } from "preact/hooks";

/** Return what closes the stepper; undefined where nothing does. */
export function useGivingBack(onClose: (() => void) | undefined): (() => void) | undefined {
  const opener = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    if (onClose) {
      opener.current = focused();
    }
  }, []);
  return (
    onClose &&
    (() => {
      onClose();
      if (opener.current?.isConnected) {
        opener.current.focus();
      }
    })
  );
}

/** The element that has the focus, through all shadow roots. */
function focused(): HTMLElement | null {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) {
    active = active.shadowRoot.activeElement;
  }
  return active instanceof HTMLElement ? active : null;
}
