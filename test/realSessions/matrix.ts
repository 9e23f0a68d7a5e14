import { flows, type Flow } from './flows.ts';

export type Cell =
  | { readonly state: 'held' }
  | { readonly state: 'cannot'; readonly reason: string }
  | { readonly state: 'wrong'; readonly problems: readonly string[] }
  | { readonly state: 'missing' };

export interface Row {
  readonly name: string;
  readonly version: string;
  readonly cells: Partial<Readonly<Record<Flow, Cell>>>;
}

const signs = { held: 'ok', cannot: '–', wrong: 'WRONG', missing: 'missing' } as const;

/** Programs by flows, as a table in Markdown, with the reasons of those that can't below it. */
export function matrixOf(rows: readonly Row[]): string {
  const width = Math.max(12, ...rows.map(({ name, version }) => `${name} ${version}`.length));
  const line = (first: string, cells: readonly string[]): string =>
    `| ${[first.padEnd(width), ...cells.map((cell, at) => cell.padEnd(flows[at]?.length ?? 0))].join(' | ')} |`;
  const reasons = rows.flatMap(({ name, cells }) =>
    flows.flatMap((flow) => {
      const cell = cells[flow];
      return cell?.state === 'cannot' ? [`– ${name}, ${flow}: ${cell.reason}`] : [];
    }),
  );
  return [
    line('', flows),
    line(
      '-'.repeat(width),
      flows.map((flow) => '-'.repeat(flow.length)),
    ),
    ...rows.map(({ name, version, cells }) =>
      line(
        `${name} ${version}`,
        flows.map((flow) => {
          const cell = cells[flow];
          return cell ? signs[cell.state] : '';
        }),
      ),
    ),
    ...reasons,
  ].join('\n');
}
