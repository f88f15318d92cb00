// The drawings of both views. Shape carries the meaning and colour repeats it; a screen reader hears words instead.

// Paths by what is done with them: filled (f), drawn as a line (l), drawn on a filled ground (inv).
const GLYPHS = {
  visible: { f: "M8 2.8a5.2 5.2 0 1 0 0 10.4A5.2 5.2 0 1 0 8 2.8z" },
  in_flight: { l: "M8 2.8a5.2 5.2 0 1 0 0 10.4A5.2 5.2 0 1 0 8 2.8z", f: "M8 2.8a5.2 5.2 0 0 1 0 10.4z" },
  delayed: { l: "M8 2.8a5.2 5.2 0 1 0 0 10.4A5.2 5.2 0 1 0 8 2.8zM8 5.2V8l2 1.4" },
  dead: { l: "M4.3 2.8h7.4q1.5 0 1.5 1.5v7.4q0 1.5-1.5 1.5H4.3q-1.5 0-1.5-1.5V4.3q0-1.5 1.5-1.5zM5.6 5.6l4.8 4.8M10.4 5.6l-4.8 4.8" },
  deleted: { l: "M3 8h10" },
  ok: { l: "M3 8.5l3.2 3.2L13 4.6" },
  no: { l: "M4 4l8 8M12 4l-8 8" },
  none: { l: "M3.5 8h9" },
  run: { f: "M5 3.2L12.5 8 5 12.8z" },
  accepted: { f: "M8 1.2L14.8 8 8 14.8 1.2 8z", inv: "M5.2 8.2l2 2 3.6-4" },
  refused: { l: "M8 1.2L14.8 8 8 14.8 1.2 8zM6 6l4 4M10 6l-4 4" },
  gone: { l: "M3 13L13 3M3 8l5-5M8 13l5-5" },
  plug: { l: "M2 8h4M10 8h4M6 5v6h2.4a3 3 0 0 0 0-6z" },
  bolt: { f: "M9 1.5L3.5 9h3.6L6.4 14.5 12.5 6.8H8.6z" },
  clock: { l: "M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 1 0 8 2.2zM8 4.8V8l2.4 1.6" },
  pause: { l: "M5.5 4v8M10.5 4v8" },
  down: { l: "M3.5 6L8 10.5 12.5 6" },
  prev: { f: "M10.5 3.5L5 8l5.5 4.5z" },
  next: { f: "M5.5 3.5L11 8l-5.5 4.5z" },
  first: { f: "M12 3.5L6.5 8l5.5 4.5z", l: "M4 3.5v9" },
  last: { f: "M4 3.5L9.5 8L4 12.5z", l: "M12 3.5v9" },
  you: { l: "M2.5 3.5h11v9h-11zM5 6.5l2 1.5-2 1.5M8.5 10h2.5" },
  s3: { l: "M3 4.2c0-2.4 10-2.4 10 0l-1.2 8c-.2 1.6-7.4 1.6-7.6 0zM3 4.2c0 2.2 10 2.2 10 0" },
  sqs: { l: "M1.8 5h3.2v6H1.8zM6.4 5h3.2v6H6.4zM11 5h3.2v6H11z" },
  lambda: { l: "M5 3h1.6l4.8 10M8 7L4.6 13" },
  ddb: { l: "M3.2 4.2c0-2.2 9.6-2.2 9.6 0v7.6c0 2.2-9.6 2.2-9.6 0zM3.2 4.2c0 2.2 9.6 2.2 9.6 0M3.2 8c0 2.2 9.6 2.2 9.6 0" },
} satisfies Record<string, { f?: string; l?: string; inv?: string }>;

export type GlyphName = keyof typeof GLYPHS;

export function Glyph({ name, class: more = "" }: { name: GlyphName; class?: string }) {
  const { f, l, inv }: { f?: string; l?: string; inv?: string } = GLYPHS[name];
  return (
    <svg class={`glyph ${more}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      {l && <path d={l} class="l" />}
      {f && <path d={f} class="f" />}
      {inv && <path d={inv} class="inv" />}
    </svg>
  );
}
