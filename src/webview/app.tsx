import type { JSX } from 'preact';
import { Breadcrumbs, ConversationHeader } from './components/conversationHeader.tsx';
import { Composer } from './components/composer.tsx';
import { DropTarget } from './components/dropTarget.tsx';
import { LookBackBar } from './components/lookBack.tsx';
import { MessageList } from './components/messageList.tsx';
import { usePage } from './components/pageContext.ts';
import { Tray } from './components/tray.tsx';
import { useDoubleEscape, useFocusNotice } from './pageListeners.ts';
import { t } from './state/texts.ts';
import { Refusal } from './components/refusal.tsx';

export function App(): JSX.Element {
  const page = usePage();
  const refusal = page.refusal.value;
  useDoubleEscape();
  useFocusNotice();
  return (
    <main class="page">
      <ConversationHeader />
      <Breadcrumbs />
      <LookBackBar />
      {refusal === undefined ? <MessageList /> : <NothingShown reason={refusal} />}
      <Tray />
      <Composer />
      <DropTarget />
    </main>
  );
}

function NothingShown({ reason }: { reason: string }): JSX.Element {
  const { host, isAway } = usePage();
  if (!isAway.value) {
    return (
      <Refusal reason={reason} onRetry={() => host.send({ type: 'ready', again: true })}>
        <button
          type="button"
          class="link-button"
          onClick={() => host.send({ type: 'runCommand', command: 'newChat' })}
        >
          {t('New Chat')}
        </button>
      </Refusal>
    );
  }
  return (
    <Refusal
      reason={reason}
      icon="debug-disconnect"
      onRetry={() => host.send({ type: 'runCommand', command: 'openStorageAgain' })}
    >
      <button
        type="button"
        class="link-button"
        onClick={() => host.send({ type: 'runCommand', command: 'disconnectSharedStore' })}
      >
        {t('Use Local Chats…')}
      </button>
    </Refusal>
  );
}
