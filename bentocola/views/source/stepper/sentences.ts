// What each step is called in the list, and what is said of it beside. Python's `story.py` tells a printed trace in the same words.
import { list } from "../shared/formats";
import type { Store } from "../shared/store";
import type { Decision, Step } from "../shared/trace";
import { type Language, msg, type Say } from "../shared/words";
import { isEncoded } from "./marks";
import { before, messagesOf, onlyLooks, whyOf } from "./read";

export interface Teller {
  language: Language;
  say: Say;
  store: Store;
  isLab: boolean; // what nobody's function did was typed in a terminal
}

const WHO: Record<string, string> = {
  you: msg("You"),
  s3: msg("S3"),
  sqs: msg("SQS"),
  lambda: msg("Lambda"),
  ddb: msg("DynamoDB"),
};

/** Return what a sentence calls an actor. */
export function whoIs({ say, store, isLab }: Teller, actor: string): string {
  if (isLab && actor === "you") {
    return say("Your terminal");
  }
  const known = WHO[actor];
  return known ? say(known) : (store.actors.find(({ id }) => id === actor)?.name ?? actor);
}

const operationOf = (step: Step): string => step.api?.split(":")[1] ?? "";
const isTestEvent = (step: Step): boolean => step.wire?.text.includes('"s3:TestEvent"') ?? false;

interface Mapping {
  queue: string;
  function: string;
  state: string;
  last_result: string | null;
}

/** Return what an event source mapping was, and what it is now, where a step changed one by itself. */
function mappingOf(step: Step): { was: Partial<Mapping>; now: Mapping | null } | undefined {
  const [, was, now] = (!step.api && step.set.find(([path]) => path.startsWith("mapping/"))) || [];
  return was || now ? { was: (was ?? {}) as Partial<Mapping>, now: (now ?? null) as Mapping | null } : undefined;
}

// In the list: a few words, without a full stop. The lanes show who acts on whom.

const FAULTS_SHORT: Record<string, string> = {
  throttle: msg("{operation}: too many calls"),
  deny: msg("{operation}: the permission is missing"),
  lost_response: msg("The answer to {operation} gets lost"),
  stop: msg("Stopped at {operation}"),
  deliver_again: msg("It will be delivered again"),
  reorder: msg("The order changes"),
  delay_event: msg("The event comes late"),
};

function faultShort(say: Say, fault: string, operation: string): string {
  const known = FAULTS_SHORT[fault];
  return known ? say(known, { operation }) : fault;
}

/** Return a step's name in the list. Without a step: the beginning. */
export function shortOf(teller: Teller, step: Step | undefined): string {
  const { say } = teller;
  if (!step) {
    return say("Before the start");
  }
  const operation = operationOf(step);
  const ids = { msg: "", run: "", ...step.ids, msgs: "" };
  if (step.decision) {
    return writeShort(say, step.decision);
  }
  if (step.error) {
    return say("{operation}: refused", { operation });
  }
  switch (step.kind) {
    case "event":
      return isTestEvent(step) ? say("S3 sends a test event") : say("S3 notifies the queue");
    case "message":
      return step.from === "sqs" ? say("Message {msg} waits", ids) : say("{msg} goes to the queue", ids);
    case "deliver":
      return say("Delivery {delivery} of {msg}", ids);
    case "run_start":
      return say("Run {run} begins", ids);
    case "run_end":
      return runEndShort(say, step);
    case "timeout":
      return wasDelayed(step) ? say("{msg} is visible now", ids) : say("{msg} is visible again", ids);
    case "dead":
      return say("{msg} goes to the DLQ", ids);
    case "delete":
      if (step.from === "sqs") {
        return say("{msg} expires", ids);
      }
      return step.ids?.msg ? say("{msg} is deleted", ids) : say("Nothing left to delete");
    case "clock":
      return say("{seconds} s later", { seconds: moved(teller, step) });
    case "fault":
      return faultShort(say, step.fault ?? "", operation);
    default:
      return callShort(teller, step, operation);
  }
}

function callShort(teller: Teller, step: Step, operation: string): string {
  const { say } = teller;
  const mapping = mappingOf(step);
  if (mapping) {
    const { was, now } = mapping;
    return say("Mapping: {state}", { state: !now ? say("gone") : now.state === was.state ? (now.last_result ?? "") : now.state });
  }
  if (operation === "PutObject") {
    return say("A file goes to S3");
  }
  if (operation === "GetObject") {
    return say("A file is read from S3");
  }
  if (operation === "ReceiveMessage") {
    return say("No message came");
  }
  if (!WHO[step.to]) {
    return `${whoIs(teller, step.to)} · ${operation}`;
  }
  return [operation || step.kind, cut(step.name ?? "")].filter(Boolean).join(" · ");
}

const cut = (name: string): string => (name.length > 40 ? `${name.slice(0, 39)}…` : name);

function runEndShort(say: Say, { run }: Step): string {
  const values = { run: run?.id ?? "" };
  switch (run?.result) {
    case "ok":
      return say("{run} ends well", values);
    case "error":
      return say("{run} fails", values);
    default:
      return say("{run} is stopped", values);
  }
}

function writeShort(say: Say, { op, result, key }: Decision): string {
  const isDeletion = op === "DeleteItem";
  const told =
    result === "accepted"
      ? isDeletion
        ? say("Deletion accepted")
        : say("Write accepted")
      : isDeletion
        ? say("Deletion refused")
        : say("Write refused");
  return key ? `${told}${say(": ")}${cut(key)}` : told;
}

function moved({ language }: Teller, step: Step): string {
  const [, old, now] = step.set.find(([path]) => path === "clock.seconds") ?? ["", 0, 0];
  return new Intl.NumberFormat(language, { maximumFractionDigits: 3 }).format(Number(now) - Number(old ?? 0));
}

// Beside the list: whole sentences, first what happened, then what it means.

/** Return what is said of a step. Without a step: of the beginning. */
export function longOf(teller: Teller, step: Step | undefined): string {
  const told = step ? sentences(teller, step) : [beginning(teller)];
  // What a log says ends as it likes.
  const [ends, stop, space] = teller.language === "ja" ? [/[。…]$/, "。", ""] : [/[.…?!]$/, ".", " "];
  return told.filter(Boolean).map((each) => (ends.test(each) ? each : each.replace(/\.$/, "") + stop)).join(space);
}

const beginning = ({ say, store }: Teller): string =>
  store.last ? say("Go on step by step, or choose a step in the list.") : say("Nothing has happened yet.");

function sentences(teller: Teller, step: Step): string[] {
  const { say } = teller;
  const who = whoIs(teller, step.from);
  const operation = operationOf(step);
  const name = step.name ?? "";
  const ids = { msg: "", run: "", ...step.ids, msgs: "" };
  if (step.decision) {
    return writeLong(teller, step, step.decision);
  }
  if (step.error) {
    return [refused(say, { who, operation, name, error: step.error })];
  }
  switch (step.kind) {
    case "event":
      return isTestEvent(step)
        ? [say("S3 sends a test event to the queue."), say("It carries no Records: S3 only tries whether the queue takes its events.")]
        : [
            say("S3 sends an event to the queue."),
            say("It does not carry the file: it says which bucket and which key."),
            isEncoded(step) ? say("In the event the key is URL-encoded.") : "",
          ];
    case "message":
      return [
        step.from !== "sqs"
          ? say("{who} sent {msg} to the queue.", { who, ...ids })
          : isFromEvent(teller, step)
            ? say("The queue keeps the event as text in the body of {msg}.", ids)
            : say("The queue holds {msg}.", ids),
        say("Nobody has received it yet."),
      ];
    case "deliver":
      return deliverLong(teller, step);
    case "run_start":
      return [say("Run {run} of the function starts.", ids), runStartLong(teller, step)];
    case "run_end":
      return runEndLong(teller, step);
    case "timeout":
      return timeoutLong(teller, step);
    case "dead":
      return [say("SQS moved {msg} to the dead-letter queue: it was received too often.", ids)];
    case "delete":
      if (step.from === "sqs") {
        return [say("SQS dropped {msg}: its retention period is over.", ids)];
      }
      return step.ids?.msg
        ? [say("{who} deleted {msg}.", { who, ...ids }), say("What deletes it is the receipt handle of a delivery, not the message's id.")]
        : [say("{who} called DeleteMessage: nothing was left to delete.", { who })];
    case "clock":
      return [say("The clock moved {seconds} s forward.", { seconds: moved(teller, step) })];
    case "fault":
      return [faultLong(teller, step, operation)];
    default:
      return callLong(teller, step, { who, operation, name });
  }
}

function refused(say: Say, { name, ...values }: { who: string; operation: string; name: string; error: string }): string {
  return name
    ? say("{who} called {operation} on {name}: refused with {error}.", { name, ...values })
    : say("{who} called {operation}: refused with {error}.", values);
}

function callLong({ say }: Teller, step: Step, values: { who: string; operation: string; name: string }): string[] {
  const mapping = mappingOf(step);
  if (mapping) {
    return [mappingLong(say, mapping.was, mapping.now)];
  }
  if (values.operation === "ReceiveMessage") {
    return [say("{who} asked the queue for messages: none came.", values)];
  }
  if (values.operation === "PutObject") {
    return [
      say("{who} sends the file to S3 in a PUT request.", values),
      isEncoded(step) ? say("In the request the key is URL-encoded.") : "",
    ];
  }
  return [
    values.name ? say("{who} called {operation}: {name}.", values) : say("{who} called {operation}.", values),
    onlyLooks(step) ? say("This call only looks: it changes nothing.") : "",
  ];
}

function mappingLong(say: Say, was: Partial<Mapping>, now: Mapping | null): string {
  const names = { queue: was.queue ?? "", function: was.function ?? "" };
  if (!now) {
    return say("The event source mapping of {queue} to {function} is gone.", names);
  }
  return now.state === was.state
    ? say("The event source mapping of {queue} to {function} tells its last result: {result}", { ...names, result: now.last_result ?? "" })
    : say("The event source mapping of {queue} to {function} is in the state {state} now.", { ...names, state: now.state });
}

const isFromEvent = ({ store }: Teller, step: Step): boolean => store.steps[(step.cause ?? 0) - 1]?.kind === "event";

function deliverLong(teller: Teller, step: Step): string[] {
  const { say, store } = teller;
  const to = whoIs(teller, step.to);
  const msg = step.ids?.msg ?? "";
  const delivery = step.ids?.delivery ?? 1;
  if (delivery === 1) {
    return [
      say("{to} received {msg}.", { to, msg }),
      say("It stays in the queue, but hidden: it is in flight until somebody deletes it or its visibility timeout ends."),
    ];
  }
  const earlier = before(store, step, ({ ids, kind }) => ids?.msg === msg && (kind === "timeout" || kind === "deliver"));
  return [
    say("{to} received {msg} again (delivery {delivery}).", { to, msg, delivery }),
    earlier?.kind === "timeout" ? say("Nobody had deleted it.") : say("SQS delivers at least once."),
    say("The MessageId is the same, the ReceiptHandle is another."),
  ];
}

const wasDelayed = (step: Step): boolean =>
  step.set.some(([path, old]) => path.startsWith("message/") && (old as { state?: string } | null)?.state === "delayed");

function timeoutLong({ say, store }: Teller, step: Step): string[] {
  const ids = { msg: step.ids?.msg ?? "" };
  if (wasDelayed(step)) {
    return [say("{msg} is visible now: its delay is over.", ids)];
  }
  return before(store, step, (earlier) => earlier.kind === "delete" && earlier.ids?.msg === ids.msg)
    ? [say("{msg} is visible again: its deletion did not reach the delivery that came later.", ids)]
    : [say("{msg} is visible again: nobody deleted it.", ids), say("Its visibility timeout is over, so it can be received again.")];
}

function runStartLong({ say, language, store }: Teller, step: Step): string {
  const messages = messagesOf(store, step);
  return messages.length
    ? say("Lambda calls it with an event that carries {messages} in Records.", { messages: list(language, messages) })
    : say("Lambda calls it with the event of the request.");
}

function runEndLong({ say, language, store }: Teller, step: Step): string[] {
  const run = { run: step.run?.id ?? "" };
  const given = messagesOf(store, step);
  const messages = { messages: list(language, given) };
  if (step.run?.result === "ok") {
    const names = /"batchItemFailures":\s*\[\s*[^\]\s]/.test(step.wire?.text ?? "");
    return [
      say("Run {run} ends.", run),
      !given.length
        ? ""
        : names
          ? say("Its answer names messages that failed: where the mapping reads it, only those stay in the queue.")
          : say("Lambda may delete {messages} now.", messages),
    ];
  }
  const log = whyOf(step.run?.log ?? []);
  return [
    log ? say("Run {run} fails: {log}", { ...run, log }) : say("Run {run} is stopped.", run),
    given.length ? say("Lambda deletes nothing, so {messages} will be delivered again.", messages) : "",
  ];
}

const FAULTS: Record<string, string> = {
  throttle: msg("Fault: {service} refuses {operation} as called too often."),
  deny: msg("Fault: {service} refuses {operation}: the permission is missing."),
  lost_response: msg("Fault: the answer of {service} to {operation} gets lost. What was asked is done."),
  stop: msg("Fault: whoever called {operation} stops here."),
  deliver_again: msg("Fault: SQS will deliver a message once more."),
  reorder: msg("Fault: SQS hands the messages out in another order."),
  delay_event: msg("Fault: the event of S3 comes late."),
};

function faultLong(teller: Teller, step: Step, operation: string): string {
  const known = FAULTS[step.fault ?? ""];
  return known ? teller.say(known, { service: whoIs(teller, step.to), operation }) : (step.fault ?? "");
}

function writeLong(teller: Teller, step: Step, decision: Decision): string[] {
  const { say } = teller;
  const { op, key, error = "", condition } = decision;
  const values = { who: whoIs(teller, step.from), op, key, error };
  const isDeletion = op === "DeleteItem";
  if (decision.result === "refused") {
    if (!key || error === "ResourceNotFoundException") {
      return [refused(say, { who: values.who, operation: op, name: decision.table, error })];
    }
    return [
      isDeletion
        ? say("{who} tried to delete the item {key}: refused with {error}; the table stays as it was.", values)
        : say("{who} called {op} for {key}: refused with {error}; the table stays as it was.", values),
      error !== "ConditionalCheckFailedException"
        ? ""
        : decision.before
          ? isOnlyNew(teller, step, decision)
            ? say("An item with that key is there already, so the condition does not hold.")
            : say("The condition does not hold for the item that is stored.")
          : say("The condition does not hold: there is no such item."),
    ];
  }
  return [
    acceptedLong(say, decision, values),
    condition ? say("The condition holds, so DynamoDB writes.") : say("There is no condition: DynamoDB writes without asking."),
  ];
}

/** Whether a condition asks for no more than that no item has the key. */
function isOnlyNew({ store }: Teller, step: Step, { condition, table }: Decision): boolean {
  const asked = /^\s*attribute_not_exists\s*\(\s*(#?[\w.-]+)\s*\)\s*$/.exec(condition ?? "")?.[1];
  const { key = [] } = (store.stateAt(step.n - 1).get(`table/${table}`) ?? {}) as { key?: string[] };
  return asked !== undefined && (asked.startsWith("#") ? key.length > 0 : key.includes(asked));
}

function acceptedLong(say: Say, { op, before: old, after }: Decision, values: { who: string; key: string }): string {
  if (op === "DeleteItem") {
    return old
      ? say("{who} deleted the item {key}.", values)
      : say("{who} called DeleteItem for {key}: there was no such item.", values);
  }
  if (!old) {
    return say("{who} wrote the item {key}: it is new.", values);
  }
  return JSON.stringify(old) === JSON.stringify(after)
    ? say("{who} wrote the item {key} over an equal one.", values)
    : say("{who} wrote over the item {key}: it was another before.", values);
}
