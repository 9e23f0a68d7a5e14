import type { JSX } from 'preact';
import { IconButton } from '../components/iconButton.tsx';
import { numberText, t } from '../state/texts.ts';
import { useGraph } from './graphContext.ts';

export function GraphToolbar(): JSX.Element {
  const page = useGraph();
  const model = page.model.value;
  const chosen = page.selected.value.length;
  const messages = model?.ids.filter((id) => id !== '').length ?? 0;
  const activeId = model && model.activeHead >= 0 ? model.ids[model.activeHead] : undefined;
  return (
    <header class="graph-toolbar">
      <h1 title={model?.chat.title}>{model?.chat.title ?? ''}</h1>
      {model && (
        <span class="counts">
          {messages === 1 ? t('1 message') : t('{0} messages', numberText(messages))} ·{' '}
          {model.branchCount === 1 ? t('1 branch') : t('{0} branches', numberText(model.branchCount))}
        </span>
      )}
      <div class="graph-actions" role="toolbar" aria-label={t('Graph')}>
        {chosen > 0 && (
          <>
            <span class="chosen" role="status">
              {chosen === 1 ? t('1 selected: select another one to compare') : t('2 selected')}
            </span>
            <IconButton icon="close" label={t('Clear selection')} onClick={() => page.clearSelection()} />
          </>
        )}
        <IconButton
          icon="git-compare"
          label={t('Compare the two selected')}
          disabled={chosen !== 2}
          onClick={() => page.compare()}
        />
        <IconButton
          icon="target"
          label={t('Go to where the chat is')}
          disabled={activeId === undefined}
          onClick={() => activeId !== undefined && page.focus(activeId)}
        />
        <IconButton icon="zoom-out" label={t('Zoom out')} onClick={() => page.zoomBy(-1)} />
        <IconButton icon="zoom-in" label={t('Zoom in')} onClick={() => page.zoomBy(1)} />
        <IconButton
          icon="screen-normal"
          label={t('Reset zoom')}
          disabled={page.zoom.value === 1}
          onClick={() => page.setZoom(1)}
        />
      </div>
    </header>
  );
}
