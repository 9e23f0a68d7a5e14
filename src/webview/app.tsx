import type { JSX } from 'preact';
import { Asides } from './components/asides.tsx';
import { Banners } from './components/banners.tsx';
import { Breadcrumbs } from './components/breadcrumbs.tsx';
import { Composer } from './components/composer.tsx';
import { ContextWarning } from './components/contextWarning.tsx';
import { ConversationHeader } from './components/conversationHeader.tsx';
import { DropTarget } from './components/dropTarget.tsx';
import { MessageList } from './components/messageList.tsx';

export function App(): JSX.Element {
  return (
    <main class="page">
      <ConversationHeader />
      <Breadcrumbs />
      <Banners />
      <ContextWarning />
      <MessageList />
      <Asides />
      <Composer />
      <DropTarget />
    </main>
  );
}
