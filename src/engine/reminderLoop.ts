import type { PrepareStepOptions, ReminderModelMessage, ResolvedMessage } from './contextEngineTypes.ts';
import { InvalidArgumentError } from './errors.ts';
import { copyJson } from './json.ts';
import { verbatim } from './messageDescriptor.ts';
import type { PendingMessages } from './pendingMessages.ts';
import { isUserTurn } from './pathSummary.ts';
import { ReminderRound } from './reminderRound.ts';
import { outcomesOf, stepOfAiSdk, type AnswerStep } from './stepParts.ts';
import {
  modelTextOf,
  readUIMessage,
  uiMessageSchema,
  withContent,
  type UIMessage,
  type UIMessagePart,
} from './uiMessage.ts';
import type { ConversationHead } from './workingBranch.ts';

/** How many steps of a loop of the AI SDK were read. */
export interface LoopProgress {
  seen: number;
}

/** The messages for the next step, if a reminder is due. @throws ReminderFailedError, InvalidArgumentError */
export async function prepareStep<Message>(
  { steps, messages }: PrepareStepOptions<Message>,
  progress: LoopProgress,
  head: ConversationHead,
  pending: PendingMessages,
): Promise<{ messages: (Message | ReminderModelMessage)[] } | undefined> {
  if (steps.length < progress.seen || steps.length === 0) {
    pending.answer.begin();
    progress.seen = 0;
  }
  // The steps are read once there is a reminder for them.
  if (!pending.hasStepReminders) return undefined;
  const added = steps.slice(progress.seen).map(({ content }) => stepOfAiSdk(content));
  const last = added.at(-1);
  if (!last) return undefined;
  const parts = added.flatMap((step) => step.parts);
  const message = await remind({ parts, outcomes: last.outcomes }, head, pending);
  progress.seen = steps.length;
  return message && { messages: [...messages, { role: 'user', content: modelTextOf(message) }] };
}

/** The same for a loop that is not the AI SDK's. @throws ReminderFailedError, InvalidArgumentError */
export async function afterStep(
  given: readonly UIMessagePart[],
  head: ConversationHead,
  pending: PendingMessages,
): Promise<ResolvedMessage | undefined> {
  const read = uiMessageSchema.shape.parts.safeParse(given);
  if (!read.success) throw new InvalidArgumentError('step', verbatim('it is no list of parts of a message'));
  const readable = readUIMessage({ id: '', role: 'assistant', parts: given })?.parts ?? [];
  // As it was given: zod's copy leaves out a member called `__proto__`.
  const message = await remind({ parts: given, outcomes: outcomesOf(readable) }, head, pending);
  return message && withContent(copyJson(message));
}

/**
 * Asks the reminders between steps. What a step has added counts only when all of them have answered, so that the same
 * step can be tried again.
 */
async function remind(
  step: AnswerStep,
  head: ConversationHead,
  pending: PendingMessages,
): Promise<UIMessage | undefined> {
  const { answer } = pending;
  const parts = [...answer.open, ...step.parts];
  if (parts.length === 0 || !pending.hasStepReminders) {
    answer.open = parts;
    return undefined;
  }
  const [toolReminders, stepReminders] = [pending.remindersFor('tool-output'), pending.remindersFor('steer')];
  const { before, messages } = await head.plan(await head.look());
  const planned = messages.map(({ message }) => message);
  const id = crypto.randomUUID();
  const round = new ReminderRound({
    before,
    pending: planned,
    chat: head.chat,
    turn: before.turns + planned.filter(isUserTurn).length,
    step: { open: { id, role: 'assistant', parts }, outcomes: step.outcomes },
    askedAt: pending.askedAt,
    outside: pending.outside,
  });
  for (const outcome of step.outcomes) {
    for (const reminder of toolReminders) await round.ask(reminder, outcome);
  }
  for (const reminder of stepReminders) await round.ask(reminder);
  answer.open = parts;
  if (round.isEmpty) return undefined;
  const message = round.alone();
  pending.interrupt(id, message);
  return message;
}
