import type { JSX } from 'preact';
import type { MessageView } from '../../protocol/views.ts';
import { numberText, t } from '../state/texts.ts';

/** The model that answered, with temperature and effort if they were set. */
export function ModelName({ model }: { model: MessageView['model'] }): JSX.Element {
  const { temperature, effort } = model ?? {};
  return (
    <>
      <span class="author-name">{model?.label ?? t('Answer')}</span>
      {model?.isDemo && <span class="tag">{t('Demo')}</span>}
      {temperature !== undefined && (
        <span class="temperature" title={t('Temperature {0}', numberText(temperature))}>
          {t('temp. {0}', numberText(temperature))}
        </span>
      )}
      {effort !== undefined && (
        <span class="temperature" title={t('Reasoning effort: {0}', effort)}>
          {effort}
        </span>
      )}
    </>
  );
}
