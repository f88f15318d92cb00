export function mountAws(el: HTMLElement): () => void {
  return () => el.replaceChildren();
}
