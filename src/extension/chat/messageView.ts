import { answerMetadataOf, type AnswerMetadata } from '../../agent/answerMetadata.ts';
import type { Run } from '../../agent/runs.ts';
import type { MessageData } from '../../engine/graph.ts';
import {
  isReasoningPart,
  isTextPart,
  readUIMessage,
  stripReminders,
  type UIMessage,
} from '../../engine/uiMessage.ts';
import type { MessageView, PartView, UsageView } from '../../protocol/views.ts';
import { retryText } from './retryText.ts';

/** A stored message as the page shows it; undefined for nodes that nobody reads. */
export function messageView(message: MessageData, checkpoints: readonly string[]): MessageView | undefined {
  const read = message.type === 'message' ? readUIMessage(message.data) : undefined;
  if (!read) return undefined;
  const answer = read.role === 'assistant' ? answerMetadataOf(read) : undefined;
  return {
    id: message.id,
    role: read.role,
    parts: partViews(read),
    createdAt: answer?.finishedAt ?? message.createdAt,
    status: answer?.status ?? 'complete',
    ...(answer?.error ? { error: answer.error.message } : {}),
    ...(answer ? { model: { label: answer.modelLabel, isDemo: answer.isDemo } } : {}),
    ...(answer?.usage ? { usage: usageView(answer) } : {}),
    checkpoints: [...checkpoints],
  };
}

/** An answer on its way. */
export function runView(run: Run): MessageView {
  return {
    id: run.messageId,
    role: 'assistant',
    parts: partViews(run.message()),
    createdAt: Date.now(),
    status: run.status,
    ...(run.error ? { error: run.error.message } : {}),
    ...(run.retry ? { waiting: retryText(run.retry) } : {}),
    model: { label: run.model.label, isDemo: run.model.isDemo },
    checkpoints: [],
  };
}

function usageView({ usage = {}, cost }: AnswerMetadata): UsageView {
  const { inputTokens = 0, outputTokens = 0 } = usage;
  return { inputTokens, outputTokens, ...(cost === undefined ? {} : { cost }) };
}

function partViews(message: UIMessage): PartView[] {
  return stripReminders(message).parts.flatMap((part): PartView[] => {
    if (isTextPart(part)) return [{ type: 'text', text: part.text }];
    if (isReasoningPart(part)) return [{ type: 'reasoning', text: part.text }];
    return [];
  });
}
