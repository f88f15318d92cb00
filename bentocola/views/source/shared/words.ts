// What a student reads, in their language. The English sentence is the message's name, as in Python; `tools/views.py` takes the
// translations of all messages named here from the catalogues and writes `words.json` before it bundles.
import catalogues from "../words.json";

export type Language = "es" | "ja";
export type Say = (message: string, values?: Record<string, string | number>) => string;

/** Return `say` for a language: `say("{count} messages wait.", { count: 3 })`. The message is always a literal. */
export function words(language: Language): Say {
  const catalogue: Record<string, string> = catalogues[language];
  return (message, values = {}) =>
    (catalogue[message] ?? message).replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}

/** Mark a message that is said later, by its name, so that it is found: `const NAMES = { s3: msg("S3") }`. */
export const msg = (message: string): string => message;
