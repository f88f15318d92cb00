export function mountStepper(el: HTMLElement): () => void {
  return () => el.replaceChildren();
}
