// Lets what sticks stick: JupyterLab's output areas scroll nothing by themselves, but what is sticky in them sticks to them.
import { ancestors } from "./scroll";

const SHEET = new CSSStyleSheet();
// An output that JupyterLab has scroll in a box of its own keeps that box.
const RULE = ":not(.jp-mod-outputsScrolled, .jp-mod-outputsScrolled *)[data-bentocola-unclipped] { overflow: visible !important; }";
// What scrolls around an output: the notebook, or, in an output's own panel, the output area itself.
const SCROLLS = ".jp-WindowedPanel-outer, .jp-WindowedPanel-viewport, .jp-Notebook, .jp-LinkedOutputView .jp-OutputArea, body";
let users = 0;

/** Have the output areas around `el` clip nothing, as soon as it is drawn, up to what scrolls. Returns what undoes it. */
export function unclip(el: HTMLElement): () => void {
  if (users++ === 0) {
    SHEET.replaceSync(RULE);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, SHEET];
  }
  const marked = new Set<HTMLElement>();
  const mark = () => {
    for (const at of ancestors(el)) {
      if (at.matches(SCROLLS)) {
        return;
      }
      if (!marked.has(at) && getComputedStyle(at).overflowY !== "visible" && /\b(jp|lm|jupyter)-/.test(at.className)) {
        marked.add(at);
        at.dataset.bentocolaUnclipped = "";
      }
    }
  };
  const drawn = new ResizeObserver(mark); // a widget is put into its cell only after it was rendered
  drawn.observe(el);
  return () => {
    drawn.disconnect();
    for (const at of marked) {
      delete at.dataset.bentocolaUnclipped;
    }
    if (--users === 0) {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== SHEET);
    }
  };
}
