import type { JSX } from 'preact';
import { Icon, IconButton } from '../components/icon.tsx';
import { Refusal } from '../components/refusal.tsx';
import { t, numberText } from '../state/texts.ts';
import { useGraph } from './graphPage.ts';
import { GraphPreview } from './graphPreview.tsx';
import { GraphView } from './graphView.tsx';

export function GraphApp(): JSX.Element {
  const page = useGraph();
  const model = page.model.value;
  const failure = page.failure.value;
  return (
    <main class="graph-page">
      <GraphToolbar />
      {failure !== undefined && (
        <div class="failure" role="alert">
          <Icon name="error" />
          <span>{failure}</span>
          <IconButton icon="close" label={t('Dismiss')} onClick={() => (page.failure.value = undefined)} />
        </div>
      )}
      {page.refusal.value !== undefined && (
        <Refusal reason={page.refusal.value} onRetry={() => page.reload()} />
      )}
      {model?.ids.length === 0 && <p class="nothing">{t('Nothing has been said in this chat yet.')}</p>}
      {model?.ids.length !== 0 && model && (
        <div class="graph-body">
          <GraphView model={model} />
          <GraphPreview model={model} />
        </div>
      )}
    </main>
  );
}

function GraphToolbar(): JSX.Element {
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
