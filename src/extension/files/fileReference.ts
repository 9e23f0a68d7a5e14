/** A position in a file, as an answer names it. Lines and columns count from 1. */
export interface FileReference {
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
  readonly endLine?: number;
}

/** `:12`, `:12:5`, `:12-20`, `(12,5)`, `#L12`, `#L12C5`, `#L12-L20`, at the end of a path. */
const PLACE =
  /(?:[:#]L?(?<line>\d{1,7})(?:(?::|C)(?<column>\d{1,7}))?(?:[-–]L?(?<end>\d{1,7}))?|\((?<line2>\d{1,7})(?:, ?(?<column2>\d{1,7}))?\)):?$/;

export function readReference(text: string): FileReference {
  const place = PLACE.exec(text);
  if (!place) return { path: text };
  const { line, line2, column, column2, end } = place.groups ?? {};
  return {
    path: text.slice(0, place.index),
    line: Math.max(1, Number(line ?? line2)),
    ...positive('column', column ?? column2),
    ...positive('endLine', end),
  };
}

function positive<K extends string>(key: K, digits: string | undefined): Partial<Record<K, number>> {
  const number = Number(digits ?? 0);
  return number > 0 ? ({ [key]: number } as Record<K, number>) : {};
}
