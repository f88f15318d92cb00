// Follows a served cloud from a plain page: a long poll over HTTP that tries again by itself, later each time.
import type { Feed } from "../shared/trace";
import type { Session } from "./session";

const WAIT_SECONDS = 20;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

export interface Following {
  retry(): void; // now, and not when the pause is over
  end(): void;
}

/** Follow the cloud at `origin` ("" is the page's own) until it is ended. */
export function follow(session: Session, origin: string): Following {
  const ended = new AbortController();
  let wake = () => {};
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const poll = async () => {
    let wait = FIRST_PAUSE_MS;
    while (!ended.signal.aborted) {
      try {
        const { story, last } = session.store;
        const asked = new URLSearchParams({ story, since: String(last), wait: String(WAIT_SECONDS) });
        const limit = AbortSignal.timeout((WAIT_SECONDS + 10) * 1000);
        const signal = AbortSignal.any([ended.signal, limit]);
        const answer = await fetch(`${origin}/_bentocola/steps?${asked}`, { signal, cache: "no-store" });
        if (!answer.ok) {
          throw new Error(`The cloud answered ${answer.status}.`);
        }
        const feed = (await answer.json()) as Feed;
        session.apply(feed);
        session.connect("there");
        wait = FIRST_PAUSE_MS;
      } catch {
        // Whatever it was: what was seen stays, marked as lost, and the next try tells more.
        if (!ended.signal.aborted) {
          session.connect("lost");
          await pause(wait);
          wait = Math.min(2 * wait, LONGEST_PAUSE_MS);
        }
      }
    }
  };
  void poll();
  return {
    retry: () => wake(),
    end() {
      ended.abort();
      wake();
    },
  };
}
