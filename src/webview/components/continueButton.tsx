import type { JSX } from 'preact';
import { t } from '../state/texts.ts';
import { usePage } from './pageContext.ts';

/** Continues the last answer of a branch. */
export function ContinueButton({ branch }: { branch: string }): JSX.Element {
  const { host, conversation } = usePage();
  return (
    <button
      type="button"
      class="link-button"
      disabled={conversation.value?.isReadOnly ?? true}
      onClick={() => host.send({ type: 'continueAnswer', branch })}
    >
      {t('Continue')}
    </button>
  );
}
