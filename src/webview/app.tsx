import type { JSX } from 'preact';
import { QueuedQuestions } from './components/queuedQuestions.tsx';
import { SideQuestions } from './components/sideQuestions.tsx';
import { Banners } from './components/banners.tsx';
import { Breadcrumbs } from './components/breadcrumbs.tsx';
import { Composer } from './components/composer.tsx';
import { ContextWarning } from './components/contextWarning.tsx';
import { ConversationHeader } from './components/conversationHeader.tsx';
import { DropTarget } from './components/dropTarget.tsx';
import { Limits } from './components/limits.tsx';
import { MessageList } from './components/messageList.tsx';
import { usePage } from './components/pageContext.ts';
import { PlainNotice } from './components/plainNotice.tsx';
import { NothingShown } from './components/nothingShown.tsx';
import { ReviewBar } from './components/reviewBar.tsx';
import { Todos } from './components/todos.tsx';
import { useDoubleEscape } from './components/useDoubleEscape.ts';
import { useFocusNotice } from './components/useFocusNotice.ts';

export function App(): JSX.Element {
  const page = usePage();
  const refusal = page.refusal.value;
  useDoubleEscape();
  useFocusNotice();
  return (
    <main class="page">
      <ConversationHeader />
      <Breadcrumbs />
      <Banners />
      <PlainNotice />
      <ContextWarning />
      {refusal === undefined ? <MessageList /> : <NothingShown reason={refusal} />}
      <SideQuestions />
      <Todos />
      <QueuedQuestions />
      <ReviewBar />
      <Limits />
      <Composer />
      <DropTarget />
    </main>
  );
}
