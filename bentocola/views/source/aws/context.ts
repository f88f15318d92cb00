// What the parts of the view reach: the session, the lists that can bring a row into sight, and how a time is written.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Session } from "./session";

export interface Listed {
  reveal(id: string, stays?: boolean): boolean; // brings the row into sight (unless it stays) and the focus to it, if this list has it
}

export interface View {
  session: Session;
  isLab: boolean; // what nobody's function did was typed in a terminal
  lists: Set<Listed>;
  marked: ReadonlySet<string>; // the rows that the chosen one is tied to
  shown: ReadonlySet<string> | null; // the rows that alone are shown, or null for all
  time(t: number): string; // of a step's t
  goTo(id: string): void; // choose a row, bring it into sight, and the focus to it
  openStepper(row: string): void;
  focused(): string | null; // the row that has the focus
  restore(): void; // puts the row that the reader uses back to where it was
}

export const ViewContext = createContext<View | null>(null);

export function useView(): View {
  const view = useContext(ViewContext);
  if (!view) {
    throw new Error("A part of the AWS view was drawn outside of it.");
  }
  return view;
}
