import { flows, type Flow } from './flows.ts';

export type Cell =
  | { readonly state: 'held' }
  | { readonly state: 'cannot'; readonly reason: string }
  | { readonly state: 'wrong'; readonly problems: readonly string[] }
  | { readonly state: 'missing' };

export interface Row {
  readonly name: string;
  readonly version: string;
  /** The day it was tried, as in ISO 8601; undefined: now. */
  readonly date?: string | undefined;
  readonly cells: Partial<Readonly<Record<Flow, Cell>>>;
}

const signs = { held: 'ok', cannot: '–', wrong: 'WRONG', missing: 'missing' } as const;

/** Programs by flows, as a table in Markdown. */
export function matrixOf(rows: readonly Row[]): string {
  const isDated = rows.some(({ date }) => date !== undefined);
  const table = [
    ['Program', 'Version', ...(isDated ? ['Tried'] : []), ...flows],
    ...rows.map(({ name, version, date = '', cells }) => [
      ...[name, version, ...(isDated ? [date] : [])],
      ...flows.map((flow) => {
        const cell = cells[flow];
        return cell ? signs[cell.state] : '';
      }),
    ]),
  ];
  const widths = (table[0] ?? []).map((_, at) => Math.max(3, ...table.map((row) => row[at]?.length ?? 0)));
  const lines = table.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)));
  const rule = widths.map((width) => '-'.repeat(width));
  return [...lines.slice(0, 1), rule, ...lines.slice(1)]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** Why a program has no means for a flow, as a list in Markdown. */
export function reasonsOf(rows: readonly Row[]): string {
  return rows
    .flatMap(({ name, cells }) =>
      flows.flatMap((flow) => {
        const cell = cells[flow];
        return cell?.state === 'cannot' ? [`- ${name}, ${flow}: ${cell.reason}`] : [];
      }),
    )
    .join('\n');
}
