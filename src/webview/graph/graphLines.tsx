import type { JSX } from 'preact';
import { memo } from 'preact/compat';
import { useGraph } from './graphPage.ts';
import type { GraphModel } from './graphModel.ts';
import { edgesIn, type Edge } from './layout.ts';

interface LinesProps {
  readonly model: GraphModel;
  readonly from: number;
  readonly to: number;
  /** The visible range, in pixels. */
  readonly left: number;
  readonly right: number;
}

/** Screen readers use the rows' texts. */
export function GraphLines({ model, from, to, left, right }: LinesProps): JSX.Element {
  const page = useGraph();
  const height = page.rowHeight.value;
  const width = page.laneWidth.value;
  const { layout, onActivePath } = model;
  const x = (node: number): number => ((layout.lanes[node] ?? 0) + 0.5) * width + 4;
  const y = (row: number): number => (row - from + 0.5) * height;
  const isNear = (node: number): boolean => x(node) >= left - 2 * width && x(node) <= right + 2 * width;
  const edges = edgesIn(layout, from, to).filter(({ parent, child }) => isNear(parent) || isNear(child));
  const isActive = ({ child }: Edge): boolean => onActivePath[child] === 1;
  const line = ({ parent, child }: Edge): string => {
    const end = layout.rows[child] ?? 0;
    const top = y(Math.max(layout.rows[parent] ?? 0, from - 1));
    const bottom = y(Math.min(end, to));
    if (x(parent) === x(child)) return `M${x(parent)} ${top}V${bottom}`;
    const turn = y(end - 1);
    const middle = (turn + bottom) / 2;
    return `M${x(parent)} ${Math.min(top, turn)}V${turn}C${x(parent)} ${middle} ${x(child)} ${middle} ${x(child)} ${bottom}`;
  };
  // All lines of a style are one element: there may be thousands of lines.
  const looks = new Map<string, string>();
  for (const edge of edges) {
    const look = `line-${model.colors[edge.child] ?? 0}${isActive(edge) ? ' active' : ''}`;
    looks.set(look, (looks.get(look) ?? '') + line(edge));
  }
  // The active path is drawn over the rest.
  const ordered = [...looks].sort(([one], [other]) => one.length - other.length || (one < other ? -1 : 1));
  const nodes = Array.from({ length: Math.max(0, to - from) }, (_, row) => layout.order[from + row] ?? 0);
  const focused = model.indexOf.get(page.focusedId.value ?? '');
  return (
    <svg
      class="graph-lines"
      aria-hidden="true"
      width={layout.laneCount * width + 8}
      height={Math.max(0, to - from) * height}
      style={{ top: `${from * height}px` }}
    >
      {ordered.map(([look, lines]) => (
        <path key={look} class={look} d={lines} />
      ))}
      {nodes.filter(isNear).map((node) => (
        <NodeMark
          key={node}
          model={model}
          node={node}
          x={x(node)}
          y={y(layout.rows[node] ?? 0)}
          size={Math.min(6, Math.max(1.5, height / 5))}
          isFocused={node === focused}
        />
      ))}
    </svg>
  );
}

interface NodeProps {
  readonly model: GraphModel;
  readonly node: number;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly isFocused: boolean;
}

/** A user message is a disc, an answer a ring, a report a square, a hidden node a dot. A head has another ring. */
const NodeMark = memo(function NodeMark({ model, node, x, y, size, isFocused }: NodeProps): JSX.Element {
  const role = model.roles[node] ?? 'hidden';
  const state = [
    `line-${model.colors[node] ?? 0}`,
    model.onActivePath[node] === 1 ? 'active' : '',
    node === model.activeHead ? 'here' : '',
    isFocused ? 'focused' : '',
  ].join(' ');
  const isHead = model.heads.has(node) && size > 3;
  return (
    <g class={`node ${role} ${state}`}>
      {isHead && <circle class="end" cx={x} cy={y} r={size + 3} />}
      {role === 'note' ? (
        <rect class="mark" x={x - size} y={y - size} width={2 * size} height={2 * size} />
      ) : (
        <circle class="mark" cx={x} cy={y} r={role === 'hidden' ? size / 2 : size} />
      )}
    </g>
  );
});
