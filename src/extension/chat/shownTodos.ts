import { z } from 'zod';
import type { Run, RunEvent } from '../../agent/run/run.ts';
import type { RunLog } from '../../agent/run/runLog.ts';
import { readTodos, type Todo } from '../../agent/plans/todoList.ts';
import type { Conversations } from '../../conversation/conversations.ts';
import type { JsonValue } from '../../engine/json.ts';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import type { ChatProtocol } from '../../protocol/chatFromPage.ts';
import type { NoticeOf } from '../../protocol/everyPage.ts';

const writtenTodos = z.looseObject({ todos: z.json() });
/** While a plan is implemented, its list. */
const resultingTodos = z.looseObject({ details: writtenTodos });

export type TodosAction = Extract<NoticeOf<ChatProtocol>, { type: 'markTodo' | 'clearTodos' }>;

export class ShownTodos {
  /** An unreadable list is reported only once. */
  private readonly reported = new Set<string>();

  constructor(private readonly log: Pick<RunLog, 'warn'>) {}

  /**
   * @param stored the state at the head of the branch
   * @param run the answer being written there: the list of its current step is not stored yet
   */
  read(
    chatId: string,
    stored: JsonValue | undefined,
    run: Pick<Run, 'message'> | undefined,
  ): readonly Todo[] {
    const now = run?.message().parts.findLast(isWritten);
    const todos = readTodos(now ? listIn(now) : stored);
    if (todos !== 'damaged') return todos;
    if (!this.reported.has(chatId)) this.log.warn('A todo list cannot be read, and is not shown.');
    this.reported.add(chatId);
    return [];
  }
}

type WrittenPart = Extract<UIMessagePart, { type: `tool-${string}`; state: 'output-available' }>;

function listIn({ input, output }: WrittenPart): JsonValue | undefined {
  return resultingTodos.safeParse(output).data?.details.todos ?? writtenTodos.safeParse(input).data?.todos;
}

function isWritten(part: UIMessagePart): part is WrittenPart {
  return part.type === 'tool-write_todos' && 'state' in part && part.state === 'output-available';
}

export function changesTodos(event: RunEvent): boolean {
  return event.kind === 'part' && isWritten(event.part);
}

export function actOnTodos(
  { conversations }: { readonly conversations: Pick<Conversations, 'editTodos'> },
  action: TodosAction,
): Promise<void> {
  if (action.type === 'clearTodos') return conversations.editTodos({ kind: 'clear' });
  const { index, title, status } = action;
  return conversations.editTodos({ kind: 'mark', index, title, status });
}
