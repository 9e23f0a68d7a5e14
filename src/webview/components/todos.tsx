import type { JSX } from 'preact';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import type { TodoView } from '../../protocol/views.ts';
import { numberText, t } from '../state/texts.ts';
import { FoldingPanel } from './disclosure.tsx';
import { HiddenMarked } from './hiddenMarked.tsx';
import { Icon, IconButton } from './icon.tsx';
import { usePage } from './pageContext.ts';

export function Todos(): JSX.Element | null {
  const todos = usePage().conversation.value?.todos ?? [];
  return todos.length > 0 ? <TodoList todos={todos} /> : null;
}

function TodoList({ todos }: { todos: readonly TodoView[] }): JSX.Element {
  const page = usePage();
  const { conversation, host } = page;
  // While an answer is written, the agent owns the list.
  const isFixed = (conversation.value?.isReadOnly ?? true) || page.runningId.value !== undefined;
  const done = todos.filter(({ status }) => status === 'done').length;
  const current = currentOf(todos);
  return (
    <FoldingPanel
      name="todos"
      label={t('Todos')}
      line={
        <>
          <span class="todos-count" aria-hidden="true">
            {numberText(done)}/{numberText(todos.length)}
          </span>
          <span class="visually-hidden">
            {t('{0} of {1} done', numberText(done), numberText(todos.length))}
          </span>
          <span class="todos-current" dir="auto">
            {current ? <HiddenMarked text={current.title} /> : t('All done')}
          </span>
        </>
      }
      actions={
        <IconButton
          icon="clear-all"
          label={t('Clear Todos')}
          disabled={isFixed}
          onClick={() => host.send({ type: 'clearTodos' })}
        />
      }
    >
      {() => todos.map((todo, index) => <TodoRow key={index} todo={todo} index={index} isFixed={isFixed} />)}
    </FoldingPanel>
  );
}

function currentOf(todos: readonly TodoView[]): TodoView | undefined {
  return (
    todos.find(({ status }) => status === 'in_progress') ?? todos.find(({ status }) => status === 'pending')
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
