// How values are written: numbers and times in the reader's language, stored items as what was stored.
import type { Language } from "./words";

type Format = "number" | "time" | "date" | "seconds";

// A formatter is made once: making one takes far longer than using it.
const made = new Map<string, { format(value: number): string }>();

const makers: Record<Format, (language: Language) => { format(value: number): string }> = {
  number: (language) => new Intl.NumberFormat(language, { maximumFractionDigits: 2 }),
  seconds: (language) => new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
  time: (language) =>
    new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" }),
  date: (language) => new Intl.DateTimeFormat(language, { dateStyle: "medium" }),
};

function format(kind: Format, language: Language, what: number): string {
  const name = `${kind} ${language}`;
  let formatter = made.get(name);
  if (!formatter) {
    formatter = makers[kind](language);
    made.set(name, formatter);
  }
  return formatter.format(what);
}

/** A number in the reader's language: 1.234,5 or 1,234.5. */
export const number = (language: Language, count: number): string => format("number", language, count);

/** The time of day, to the second: 10:03:02. */
export const timeOfDay = (language: Language, at: Date): string => format("time", language, at.getTime());

/** A moment: the time of day, with the date unless it is today's. */
export const moment = (language: Language, at: Date): string =>
  at.toDateString() === new Date().toDateString()
    ? timeOfDay(language, at)
    : `${format("date", language, at.getTime())} ${timeOfDay(language, at)}`;

/** Seconds since the start, to a hundredth: 30.06. */
export const seconds = (language: Language, ms: number): string => format("seconds", language, ms / 1000);

/** One attribute's value, as JSON on one line. */
export const value = (stored: unknown): string => JSON.stringify(stored) ?? "null";

/** A list in the reader's language: m1, m2 y m3. */
export const list = (language: Language, parts: string[]): string => new Intl.ListFormat(language).format(parts);

/** How many bytes a text is when it crosses. */
export const bytes = (text: string): number => new TextEncoder().encode(text).length;
