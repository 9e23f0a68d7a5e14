import type { JSX } from 'preact';
import { t } from '../state/texts.ts';
import { Icon } from './icon.tsx';
import { usePage } from './pageContext.ts';

export function EmptyState(): JSX.Element | null {
  const page = usePage();
  const conversation = page.conversation.value;
  // The question of a rewind to the beginning is in the input.
  if (!conversation || conversation.question) return null;
  const examples = [
    ...(conversation.model.isDemo ? [t('Show me the agent at work on a sample file')] : []),
    t('Explain what a closure is, with an example'),
    t('Compare two ways to read a large file line by line'),
    t('Write a table of the HTTP status codes I need to know'),
  ];
  return (
    <section class="empty">
      <Icon name="git-branch" />
      <h1>{t('A conversation that branches')}</h1>
      <p>
        {t(
          'Ask anything. Rewind to any message to try another way: every path is kept, and the tree below shows them.',
        )}
      </p>
      {conversation.model.isDemo && (
        <p class="set-up">
          {t('The offline demo answers until you set up a model.')}{' '}
          <button
            type="button"
            class="link-button"
            onClick={() => page.host.send({ type: 'runCommand', command: 'selectModel' })}
          >
            {t('Set Up a Model')}
          </button>
        </p>
      )}
      <ul>
        {examples.map((example) => (
          <li key={example}>
            <button
              type="button"
              class="example"
              disabled={conversation.isReadOnly}
              onClick={() => {
                page.composerPrefill.value = { text: example, sideQuestion: false };
              }}
            >
              {example}
            </button>
          </li>
        ))}
      </ul>
      <button
        type="button"
        class="link-button sample"
        disabled={conversation.isReadOnly}
        onClick={() => page.host.send({ type: 'runCommand', command: 'openSampleChat' })}
      >
        {t('Open a sample chat with branches')}
      </button>
    </section>
  );
}
