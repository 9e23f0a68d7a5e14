import type { JSX } from 'preact';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import type { TodoView } from '../../protocol/views.ts';
import type { Page } from '../state/page.ts';
import { numberText, t } from '../state/texts.ts';
import type { TraySegment } from '../state/traySegments.ts';
import { HiddenMarked } from './hiddenMarked.tsx';
import { Icon, IconButton } from './icon.tsx';
import { usePage } from './pageContext.ts';

export function todosSegment({ conversation }: Page): TraySegment | undefined {
  const todos = conversation.value?.todos ?? [];
  if (todos.length === 0) return undefined;
  const done = numberText(todos.filter(({ status }) => status === 'done').length);
  const count = `${done}/${numberText(todos.length)}`;
  return {
    id: 'todos',
    icon: 'checklist',
    label: t('{0} todos', count),
    count,
    detail: t('{0} of {1} done', done, numberText(todos.length)),
    urgency: 'quiet',
    panel: () => <TodoList todos={todos} />,
  };
}

function TodoList({ todos }: { todos: readonly TodoView[] }): JSX.Element {
  const page = usePage();
  const { conversation, host } = page;
  // While an answer is written, the agent owns the list.
  const isFixed = (conversation.value?.isReadOnly ?? true) || page.runningId.value !== undefined;
  const done = todos.filter(({ status }) => status === 'done').length;
  return (
    <section class="todos" aria-label={t('Todos')}>
      <div class="tray-head">
        <span>
          {done === todos.length
            ? t('All done')
            : t('{0} of {1} done', numberText(done), numberText(todos.length))}
        </span>
        <span class="tray-actions">
          <IconButton
            icon="clear-all"
            label={t('Clear Todos')}
            disabled={isFixed}
            onClick={() => host.send({ type: 'clearTodos' })}
          />
        </span>
      </div>
      <ul>
        {todos.map((todo, index) => (
          <TodoRow key={index} todo={todo} index={index} isFixed={isFixed} />
        ))}
      </ul>
    </section>
  );
}

const ICONS: Readonly<Record<TodoView['status'], string>> = {
  pending: 'circle-large-outline',
  in_progress: 'arrow-circle-right',
  done: 'pass-filled',
};

function TodoRow({
  todo: { title, status },
  index,
  isFixed,
}: {
  todo: TodoView;
  index: number;
  isFixed: boolean;
}): JSX.Element {
  const { host } = usePage();
  const isDone = status === 'done';
  return (
    <li class={`todo ${status}`} aria-current={status === 'in_progress' ? 'step' : undefined}>
      <button
        type="button"
        role="checkbox"
        class="todo-mark"
        aria-checked={isDone}
        // It can be read nevertheless.
        aria-disabled={isFixed}
        title={withHiddenSpelledOut(title)}
        onClick={() => {
          if (isFixed) return;
          host.send({ type: 'markTodo', index, title, status: isDone ? 'pending' : 'done' });
        }}
      >
        <Icon name={ICONS[status]} />
        <span class="todo-title" dir="auto">
          <HiddenMarked text={title} />
        </span>
        {status === 'in_progress' && <span class="visually-hidden">{t('in progress')}</span>}
      </button>
    </li>
  );
}
