import type { JSX } from 'preact';
import { Icon } from '../components/icon.tsx';
import { IconButton } from '../components/iconButton.tsx';
import { Refusal } from '../components/refusal.tsx';
import { t } from '../state/texts.ts';
import { useGraph } from './graphContext.ts';
import { GraphPreview } from './graphPreview.tsx';
import { GraphToolbar } from './graphToolbar.tsx';
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
