import type { JSX } from 'preact';
import type { SettledConversation } from '../state/pageState.ts';
import { t } from '../state/texts.ts';
import { Icon, IconButton } from './icon.tsx';
import { usePage } from './pageContext.ts';

const modeIcons = { agent: 'tools', plan: 'checklist', ask: 'comment' } as const;

export function ComposerChoices({
  conversation,
}: {
  conversation: Pick<SettledConversation, 'model' | 'mode' | 'isReadOnly'>;
}): JSX.Element {
  const { host } = usePage();
  const { model, mode, isReadOnly } = conversation;
  return (
    <>
      <IconButton
        icon="attach"
        label={t('Attach images, files or the selection')}
        disabled={isReadOnly}
        onClick={() => host.send({ type: 'runCommand', command: 'attach' })}
      />
      <button
        type="button"
        class="choice-button mode-button"
        title={`${t('Mode: {0}', mode.label)}\n${mode.description}`}
        onClick={() => host.send({ type: 'runCommand', command: 'selectMode' })}
      >
        <Icon name={modeIcons[mode.id]} />
        <span class="visually-hidden">{t('Mode: {0}', mode.label)}</span>
        {/* Hidden where there is no room, but still announced. */}
        <span class="mode-name" aria-hidden="true">
          {mode.label}
        </span>
      </button>
      <button
        type="button"
        class="choice-button model-button"
        title={`${model.label}\n${t('Select the model that answers')}`}
        onClick={() => host.send({ type: 'runCommand', command: 'selectModel' })}
      >
        <span class="visually-hidden">{t('Model:')} </span>
        <span class="model-name">{model.label}</span>
        {model.isDemo && <span class="tag">{t('Demo')}</span>}
        <Icon name="chevron-down" />
      </button>
      {model.effort !== undefined && (
        <button
          type="button"
          class="choice-button effort-button"
          title={t('Reasoning effort: {0}', model.effort)}
          onClick={() => host.send({ type: 'runCommand', command: 'selectReasoningEffort' })}
        >
          <Icon name="lightbulb" />
          <span class="visually-hidden">{t('Reasoning effort: {0}', model.effort)}</span>
          <span class="effort-name" aria-hidden="true">
            {model.effort}
          </span>
        </button>
      )}
    </>
  );
}
