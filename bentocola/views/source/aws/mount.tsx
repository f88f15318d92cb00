// Mounts the AWS view: fed from outside (a kernel's messages), or following a served cloud by itself (a plain page).
import { mountRoot, type Theme } from "../shared/root";
import type { Feed } from "../shared/trace";
import type { Language } from "../shared/words";
import { anchorRows } from "./anchor";
import { App, type Lab } from "./App";
import styles from "./aws.css";
import { follow } from "./server";
import { type Connection, Session } from "./session";
import { atOnce } from "./VirtualList";

export interface AwsOptions {
  language: Language;
  theme?: Theme | null;
  level?: number; // of the view's heading
  lab?: Lab | null;
  feed?: Feed; // what there is already
  url?: string; // the origin of a served cloud to follow; "" is the page's own
  ask?: (story: string, since: number) => void; // asks whoever feeds the view for the steps after one
  onStep?: (step: number) => void; // a step was opened in the stepper
}

export interface MountedAws {
  apply(feed: Feed): void;
  connect(connection: Connection): void;
  destroy(): void;
}

/** Draw the AWS view into `el`. Without `url`, it shows what `feed` and `apply` bring. */
export function mountAws(el: HTMLElement, options: AwsOptions): MountedAws {
  const { language, theme = null, level, lab = null, feed, url, ask, onStep } = options;
  const mounted = mountRoot(el, { language, theme, level, styles: [styles] });
  const anchor = anchorRows(mounted.root);
  const draw = () => {
    const { restore } = anchor;
    atOnce(() => mounted.draw(<App {...{ session, lab, retry: following?.retry, redraw: draw, restore, onStep }} />));
    restore();
  };
  const session = new Session(draw, ask);
  let following: ReturnType<typeof follow> | null = null;
  if (feed) {
    session.apply(feed);
  }
  if (url !== undefined) {
    following = follow(session, url);
  } else if (!ask) {
    session.connect("none");
  }
  draw();
  return {
    apply(more) {
      session.apply(more);
      session.connect("there");
    },
    connect: (connection) => session.connect(connection),
    destroy() {
      following?.end();
      session.end();
      anchor.end();
      mounted.destroy();
    },
  };
}
