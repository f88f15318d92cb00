// Where a view is mounted: a shadow root that keeps the page's style sheets out, the language, the theme, and the key guard.
import { type ComponentChildren, createContext, render } from "preact";
import { useContext } from "preact/hooks";
import theme from "./theme.css";
import { type Language, type Say, words } from "./words";

export type Theme = "light" | "dark";

export interface Surroundings {
  language: Language;
  say: Say;
  level: number; // of the view's first heading
}

const Around = createContext<Surroundings>({ language: "es", say: words("es"), level: 3 });

/** Return the language, its `say`, and the level of the view's first heading. */
export const useWords = (): Surroundings => useContext(Around);

/** A heading, `below` levels under the view's first one. */
export function Heading({ below = 0, ...props }: { below?: number; id?: string; class?: string; children: ComponentChildren }) {
  const { level } = useWords();
  const Tag = `h${Math.min(6, level + below)}` as "h3";
  return <Tag {...props} />;
}

/** A text in which code stands between backticks. */
export function WithCode({ text }: { text: string }) {
  return <>{text.split("`").map((part, index) => (index % 2 ? <code key={index}>{part}</code> : part))}</>;
}

export interface Mounted {
  root: HTMLElement; // inside the shadow root
  draw(children: ComponentChildren): void;
  destroy(): void;
}

export interface MountOptions {
  language: Language;
  theme?: Theme | null; // null: that of JupyterLab, or else of the system, and followed when it changes
  level?: number;
  styles: string[]; // after those that all views share
}

/** Make a shadow root in `el`, which is emptied, and return what draws into it. */
export function mountRoot(el: HTMLElement, { language, theme: chosen = null, level = 3, styles }: MountOptions): Mounted {
  const host = document.createElement("div");
  host.className = "bentocola-view";
  const shadow = host.attachShadow({ mode: "open" });
  // Made by script: a page's policy may allow no style element.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync([theme, ...styles].join("\n"));
  shadow.adoptedStyleSheets = [sheet];
  const root = document.createElement("div");
  root.className = "bc";
  root.lang = language;
  shadow.append(root);
  el.replaceChildren(host);
  root.addEventListener("keydown", guardKeys);
  const forgetTheme = followTheme(root, chosen);
  const around = { language, say: words(language), level };
  return {
    root,
    draw: (children) => render(<Around.Provider value={around}>{children}</Around.Provider>, root),
    destroy() {
      render(null, root);
      forgetTheme();
      host.remove();
    },
  };
}

/** Plain keys stay inside: JupyterLab would add, cut or run cells. What the page or the browser needs goes through. */
function guardKeys(event: KeyboardEvent): void {
  const leaves = event.key === "Tab" || event.key === "Escape" || (event.shiftKey && event.key === "Enter");
  if (!event.ctrlKey && !event.metaKey && !event.altKey && !leaves) {
    event.stopPropagation();
  }
}

function followTheme(root: HTMLElement, chosen: Theme | null): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const set = () => {
    const light = document.body.dataset.jpThemeLight;
    root.dataset.theme = chosen ?? ((light === undefined ? system.matches : light === "false") ? "dark" : "light");
  };
  const observer = new MutationObserver(set);
  observer.observe(document.body, { attributeFilter: ["data-jp-theme-light"] });
  system.addEventListener("change", set);
  set();
  return () => {
    observer.disconnect();
    system.removeEventListener("change", set);
  };
}
