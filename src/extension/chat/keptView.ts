import type { Run } from '../../agent/run/runs.ts';
import type { ConversationView } from '../../protocol/chatFromHost.ts';
import type { MessageView } from '../../protocol/views.ts';
import type { ViewSources } from './conversationView.ts';

/**
 * The last reading of a chat, updated with what arrives in this window.
 * @param view renders a run; a parameter, so that this file needs no other
 */
export function keptView(
  { running: _before, ...rest }: ConversationView,
  { banners, runs }: Pick<ViewSources, 'banners' | 'runs'>,
  view: (run: Run) => MessageView,
): ConversationView {
  const { id } = rest.chat;
  const run = runs.get(id, rest.branch);
  const running = run?.status === 'streaming' ? { running: view(run) } : {};
  const ended = runs.failed(id, rest.branch);
  const others = rest.messages.filter((message) => message.id !== ended?.messageId);
  const messages = ended?.notSaved ? [...others, view(ended)] : rest.messages;
  const sideQuestions = rest.sideQuestions.map((side) => {
    const answering = runs.get(id, side.branch) ?? runs.failed(id, side.branch);
    return answering ? { ...side, answer: view(answering) } : side;
  });
  return {
    ...rest,
    ...running,
    messages,
    sideQuestions,
    banners: banners.all().filter(({ offer }) => offer === undefined),
  };
}
