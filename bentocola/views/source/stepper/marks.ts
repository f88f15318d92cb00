// Which parts of a text that crosses deserve a note: those the trace marks, and those that can be told from the text itself.
import { msg } from "../shared/words";
import type { Step } from "../shared/trace";

export interface Mark {
  start: number; // in UTF-16 units
  end: number;
  reasons: string[]; // ids of REASONS
}

/** What a mark says, by the id that a trace gives. */
export const REASONS: Record<string, string> = {
  space_pct: msg("the space, as %20"),
  space_plus: msg("the space, as +"),
  letters_pct: msg("letters outside ASCII, as % and numbers"),
  json_in_json: msg('JSON as text inside another JSON: hence the \\"'),
  msg_id: msg("the message's identity"),
  same_id: msg("the same message as before"),
  receipt: msg("the receipt handle of this delivery"),
  new_receipt: msg("a new receipt handle: it is another delivery"),
  count: msg("how often it was delivered"),
  condition: msg("writes only if this holds"),
  condition_new: msg("writes only if there is no such item yet"),
  no_condition: msg("writes without asking"),
  all_ok: msg("no failures"),
  failed_ids: msg("the messages that failed"),
  raises: msg("the error that Lambda sees"),
  receipt_used: msg("it is deleted by the receipt handle, not by the id"),
};

/** Return the marks of a step's text, from left to right, none over another. */
export function marksOf(step: Step): Mark[] {
  const { text, mark } = step.wire ?? { text: "", mark: [] };
  const given = mark.map(([start, end, reason]) => ({ start, end, reasons: [reason] }));
  const known = [...given, ...found(step, text)].filter(
    ({ start, end, reasons }) =>
      Number.isInteger(start) && start >= 0 && start < end && end <= text.length && reasons.every((id) => id in REASONS),
  );
  // Those of the trace come first where two begin together: sorting is stable.
  known.sort((one, other) => one.start - other.start);
  let told = 0;
  return known.filter(({ start, end }) => start >= told && (told = end));
}

const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;

function found(step: Step, text: string): Mark[] {
  const marks: (Mark | undefined)[] = [];
  const again = (step.ids?.delivery ?? 1) > 1;
  const one = (pattern: RegExp, reason: string | ((part: string) => string[])) => {
    const match = pattern.exec(text);
    const [start, end] = match?.indices?.groups?.["part"] ?? [0, 0];
    const reasons = typeof reason === "string" ? [reason] : reason(text.slice(start, end));
    if (end > start && reasons.length) marks.push({ start, end, reasons });
  };

  if (step.api?.startsWith("s3:")) one(/^[A-Z]+ \/(?<part>[^ ?]*)/d, encodedIn("space_pct", /%20/));
  if (/aws:s3/.test(text)) one(/\\*"key\\*":\s*\\*"(?<part>[^"\\]*)/d, encodedIn("space_plus", /\+/));
  one(/:\s*(?<part>"[{[]\s*\\"[^"\\]*\\")/d, "json_in_json");
  if (step.kind === "deliver") {
    one(new RegExp(String.raw`"MessageId":\s*"(?<part>[^"]+)`, "d"), again ? "same_id" : "msg_id");
    one(new RegExp(String.raw`"ReceiptHandle":\s*"(?<part>[^"]+)`, "d"), again ? "new_receipt" : "receipt");
    one(/(?<part>"ApproximateReceiveCount":\s*"\d+")/d, "count");
  }
  if (step.kind === "delete") one(new RegExp(String.raw`"ReceiptHandle":\s*"(?<part>[^"]+)`, "d"), "receipt_used");
  if (step.kind === "write") {
    one(new RegExp(String.raw`"ConditionExpression":\s*(?<part>${QUOTED})`, "d"), (part) => [
      /^"attribute_not_exists\([^()]*\)"$/.test(part) ? "condition_new" : "condition",
    ]);
    if (!step.decision?.condition) one(new RegExp(String.raw`"UpdateExpression":\s*(?<part>${QUOTED})`, "d"), "no_condition");
  }
  if (step.kind === "run_end") {
    one(/(?<part>"batchItemFailures":\s*\[\s*\])/d, "all_ok");
    one(/(?<part>"batchItemFailures":\s*\[\s*[^\]\s][^\]]*\])/d, "failed_ids");
    one(new RegExp(String.raw`"errorType":\s*(?<part>${QUOTED})`, "d"), "raises");
  }
  return marks.filter((mark) => mark !== undefined);
}

/** Whether a step's text carries a key that is URL-encoded. */
export const isEncoded = (step: Step): boolean =>
  marksOf(step).some(({ reasons }) => reasons.some((id) => id.startsWith("space_") || id === "letters_pct"));

/** Tell how a key is encoded: its spaces in one way or the other, other letters as % and numbers. */
const encodedIn = (space: string, written: RegExp) => (part: string) => [
  ...(written.test(part) ? [space] : []),
  ...(/%(?!20)[0-9A-F]{2}/i.test(part) ? ["letters_pct"] : []),
];
