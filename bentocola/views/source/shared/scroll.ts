// What scrolls around an element, through shadow roots; it looks, and scrolls nothing itself.

/** What scrolls around an element, innermost first: in the view, in the page, and the page itself. */
export function* scrollers(element: Element): Generator<Element> {
  for (const at of ancestors(element)) {
    const { overflowY } = getComputedStyle(at);
    if ((overflowY === "auto" || overflowY === "scroll") && at.scrollHeight > at.clientHeight) {
      yield at;
    }
  }
  if (document.scrollingElement) {
    yield document.scrollingElement;
  }
}

/** The elements around an element, innermost first, out of the shadow roots that it stands in. */
export function* ancestors(element: Element): Generator<HTMLElement> {
  for (let at = outOf(element); at; at = outOf(at)) {
    yield at;
  }
}

function outOf(element: Element): HTMLElement | null {
  const root = element.getRootNode();
  return element.parentElement ?? (root instanceof ShadowRoot ? (root.host as HTMLElement) : null);
}
