import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { OpenedModel } from '../chatModel.ts';
import { demoAnswer, keywordIn } from './demoAnswers.ts';
import { withoutEnvironment } from '../messages/environment.ts';
import { DEMO_TOOL_KEYWORDS, demoToolStep, isProgramText } from './demoTools.ts';
import { ModelError } from '../errors/modelErrors.ts';
import { SUMMARY_QUESTION } from './summaryQuestion.ts';
import { streamedModel, type OfferedTool, type StreamedPiece } from '../providers/streamedModel.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';

/** Conversations whose attempts are counted; older ones start over. */
const REMEMBERED_CONVERSATIONS = 500;

export class DemoAnswering {
  private readonly pace: () => number;
  private readonly attempts = new AttemptCounter();

  /** @param pace milliseconds between words, read again for each answer */
  constructor(pace: () => number) {
    this.pace = pace;
  }

  open(): OpenedModel {
    return streamedModel({
      provider: 'demo',
      modelId: 'offline',
      takesTools: true,
      answer: (prompt, signal, tools) => this.answer(prompt, signal, tools),
    });
  }

  private async *answer(
    prompt: LanguageModelV4Prompt,
    signal: AbortSignal,
    tools: readonly OfferedTool[],
  ): AsyncGenerator<StreamedPiece> {
    const conversation = prompt.filter((message) => message.role === 'user' || message.role === 'assistant');
    const questions = conversation
      .filter((message) => message.role === 'user')
      .map(textOf)
      .filter((text) => !isProgramText(text));
    const asked = questions.at(-1) ?? '';
    if (asked.startsWith(SUMMARY_QUESTION)) {
      for (const word of words(demoSummary(asked))) {
        await wait(this.pace(), signal);
        yield { type: 'text', text: word };
      }
      return;
    }
    const demonstrated = keywordIn(questions.at(-1) ?? '', DEMO_TOOL_KEYWORDS);
    const step = demonstrated && demoToolStep(demonstrated, prompt, tools);
    if (step) {
      for (const word of words(step.text)) {
        await wait(this.pace(), signal);
        yield { type: 'text', text: word };
      }
      yield* step.calls;
      return;
    }
    const attempt = this.attempts.next(conversation.map((each) => `${each.role}\n${textOf(each)}`));
    const { reasoning, text, slowness, fails } = demoAnswer({ questions, attempt });
    const pieces = [
      ...words(reasoning).map((word): StreamedPiece => ({ type: 'reasoning', text: word })),
      ...words(text).map((word): StreamedPiece => ({ type: 'text', text: word })),
    ];
    const pace = this.pace() * slowness;
    for (const piece of fails ? pieces.slice(0, pieces.length / 2) : pieces) {
      await wait(pace, signal);
      yield piece;
    }
    if (fails) {
      throw new ModelError(
        'demo-failure',
        defineMessage(
          'The demo stopped because the question asked it to fail. Partial response saved. Ask something else to continue.',
        ),
      );
    }
  }
}

type ConversationMessage = Extract<LanguageModelV4Prompt[number], { role: 'user' | 'assistant' }>;

function textOf(message: ConversationMessage): string {
  return withoutEnvironment(
    message.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
  );
}

/** The text, cut after each run of white space. */
function words(text: string): string[] {
  return text.match(/\S*\s+|\S+/gu) ?? [];
}

/** Counts how often one conversation was sent to the model, so that a retry gets a different answer. */
class AttemptCounter {
  private readonly counts = new Map<string, number>();

  next(conversation: readonly string[]): number {
    const key = fingerprint(conversation.join('\0'));
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.delete(key);
    this.counts.set(key, count);
    const oldest = this.counts.keys().next();
    if (this.counts.size > REMEMBERED_CONVERSATIONS && oldest.done !== true) this.counts.delete(oldest.value);
    return count;
  }
}

/** FNV-1a, with the length: short, and a collision only makes the demo vary once too often. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return `${text.length}:${hash >>> 0}`;
}

/** Waits unless `delay` is 0; rejects with the reason of `signal` once it fires. */
async function wait(delay: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (delay <= 0) return;
  await new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason instanceof Error ? signal.reason : new DOMException('Stopped', 'AbortError'));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, delay);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** How many of the last questions a demo summary lists. */
const MAX_QUESTIONS = 8;
/** How much of each question, in UTF-16 units. */
const LENGTH = 120;

/** The demo cannot understand the conversation; it lists the questions. */
function demoSummary(request: string): string {
  const messages = [...request.matchAll(/^<message role="(\w+)">\n(.*?)\n<\/message>$/gmsu)];
  const questions = messages
    .filter(([, role]) => role === 'user')
    .map(([, , text = '']) => text.replaceAll(/\s+/gu, ' ').trim())
    .map((text) => (text.length > LENGTH ? `${text.slice(0, LENGTH).trimEnd()}…` : text));
  return [
    `The demo summed up ${messages.length} messages. It cannot understand them, so here is what was asked:`,
    ...questions.slice(-MAX_QUESTIONS).map((question) => `- ${question}`),
  ].join('\n');
}
