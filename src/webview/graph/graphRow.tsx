import type { JSX } from 'preact';
import { memo } from 'preact/compat';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import type { GraphBranch } from '../../protocol/graphMessages.ts';
import { Icon } from '../components/icon.tsx';
import { t } from '../state/texts.ts';
import { useGraph } from './graphPage.ts';
import { roleText, spokenText, statusText, type GraphModel } from './graphModel.ts';

export function rowId(node: number): string {
  return `node-${node}`;
}

interface RowProps {
  readonly model: GraphModel;
  readonly node: number;
  /** False where rows are too low for text. */
  readonly hasText: boolean;
}

export const GraphRow = memo(function GraphRow({ model, node, hasText }: RowProps): JSX.Element {
  const page = useGraph();
  const { layout } = model;
  const id = model.ids[node] ?? '';
  const role = model.roles[node] ?? 'hidden';
  const height = page.rowHeight.value;
  const row = layout.rows[node] ?? 0;
  const known = page.descriptions.value.get(id);
  const isSelected = page.selected.value.includes(id);
  const classes = [
    'graph-row',
    page.focusedId.value === id ? 'focused' : '',
    isSelected ? 'selected' : '',
    model.onActivePath[node] === 1 ? 'active' : '',
  ].join(' ');
  const status = statusText(known);
  return (
    <div
      id={rowId(node)}
      class={classes}
      role="option"
      aria-selected={isSelected}
      aria-posinset={row + 1}
      aria-setsize={layout.count}
      data-node-id={id}
      data-vscode-context={contextOf(id, role)}
      style={{
        top: `${row * height}px`,
        height: `${height}px`,
        paddingInlineStart: `${((layout.lanes[node] ?? 0) + 1) * page.laneWidth.value + 10}px`,
      }}
      onPointerEnter={() => page.hover(id)}
      onClick={(event) => {
        const adds = event.ctrlKey || event.metaKey || event.shiftKey;
        page.focus(id);
        if (adds) page.toggle(id);
        else page.open(id);
      }}
      onContextMenu={() => page.focus(id)}
    >
      <span class="visually-hidden">{spokenText(model, node, known)}</span>
      {hasText && (
        <div class="row-text" aria-hidden="true">
          {isSelected && <Icon name="check" />}
          {(model.heads.get(node) ?? []).map((branch) => (
            <BranchChip key={branch.name} branch={branch} />
          ))}
          {(model.checkpoints.get(node) ?? []).map((name) => (
            <span key={name} class="chip checkpoint" title={t('Checkpoint {0}', name)}>
              <Icon name="bookmark" />
              <span class="chip-name">{name}</span>
            </span>
          ))}
          <span class={`label ${role}`} dir="auto">
            {known?.label === undefined || known.label === ''
              ? roleText(role)
              : withHiddenSpelledOut(known.label)}
          </span>
          {status !== '' && <span class="status">{status}</span>}
        </div>
      )}
    </div>
  );
});

/** A click switches to its branch; by keyboard the row itself does. */
function BranchChip({ branch }: { branch: GraphBranch }): JSX.Element {
  const page = useGraph();
  const { name, label = name, isActive } = branch;
  return (
    <span
      class={`chip branch${isActive ? ' here' : ''}${branch.isArchived ? ' archived' : ''}`}
      data-branch={name}
      title={isActive ? t('The chat is on {0}', label) : t('Switch to {0}', label)}
      onClick={(event) => {
        if (isActive || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.stopPropagation();
        page.switchBranch(name);
      }}
    >
      {branch.activity === 'streaming' ? <Icon name="loading" spin /> : <Icon name={iconOf(branch)} />}
      <span class="chip-name" dir="auto">
        {withHiddenSpelledOut(label)}
      </span>
    </span>
  );
}

function iconOf({ activity, isArchived, isTask }: GraphBranch): string {
  if (activity === 'asking') return 'bell-dot';
  if (isArchived) return 'archive';
  return isTask ? 'telescope' : 'git-branch';
}

function contextOf(messageId: string, role: string): string {
  return JSON.stringify({
    preventDefaultContextMenuItems: true,
    ...(messageId === '' ? {} : { webviewSection: 'message', messageId, role }),
  });
}
