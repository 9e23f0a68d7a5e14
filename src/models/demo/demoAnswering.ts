import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { OpenedModel } from '../chatModel.ts';
import { demoAnswer } from './demoAnswers.ts';
import type { DemoBook } from './demoBook.ts';
import { bookFor } from './demoBooks.ts';
import { clipped, questionIn, questionsIn } from './demoQuestions.ts';
import { demoToolStep } from './demoTools.ts';
import type { DemoWindow } from './demoWindow.ts';
import { ModelError } from '../errors/modelErrors.ts';
import { SUMMARY_QUESTION } from './summaryQuestion.ts';
import { streamedModel, type OfferedTool, type StreamedPiece } from '../providers/streamedModel.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';

/** Conversations whose attempts are counted; older ones start over. */
const REMEMBERED_CONVERSATIONS = 500;

export interface DemoAnsweringOptions {
  /** Milliseconds between words, read again for each answer. */
  readonly pace: () => number;
  readonly window: () => DemoWindow;
}

export class DemoAnswering {
  private readonly attempts = new AttemptCounter();

  constructor(private readonly options: DemoAnsweringOptions) {}

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
    const window = this.options.window();
    const questions = questionsIn(prompt);
    const asked = questions.at(-1) ?? '';
    const isSummary = asked.startsWith(SUMMARY_QUESTION);
    const book = bookFor(isSummary ? '' : asked, window.language);
    if (isSummary) {
      yield* this.spoken(textPieces(demoSummary(book, asked)), signal);
      return;
    }
    const step = demoToolStep(asked, { book, window }, prompt, tools);
    if (step) {
      yield* this.spoken(textPieces(step.text), signal);
      yield* step.calls;
      return;
    }
    const attempt = this.attempts.next(prompt.map((each) => `${each.role}\n${textOf(each)}`));
    const { reasoning, text, slowness, fails } = demoAnswer(book, { questions, attempt });
    const pieces = [
      ...words(reasoning).map((word): StreamedPiece => ({ type: 'reasoning', text: word })),
      ...textPieces(text),
    ];
    yield* this.spoken(fails ? pieces.slice(0, pieces.length / 2) : pieces, signal, slowness);
    if (fails) {
      throw new ModelError(
        'demo-failure',
        defineMessage(
          'The demo stopped because the question asked it to fail. Partial response saved. Ask something else to continue.',
        ),
      );
    }
  }

  private async *spoken(
    pieces: readonly StreamedPiece[],
    signal: AbortSignal,
    slowness = 1,
  ): AsyncGenerator<StreamedPiece> {
    const pace = this.options.pace() * slowness;
    for (const piece of pieces) {
      await wait(pace, signal);
      yield piece;
    }
  }
}

/** What was said on the path, without what the program sent with it. */
function textOf(message: LanguageModelV4Prompt[number]): string {
  if (message.role !== 'assistant') return questionIn(message) ?? '';
  return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

/** The text, cut after each run of white space. Where a language has none between words, after some characters. */
function words(text: string): string[] {
  return text.match(/\p{Script=Han}{1,2}[\p{P}\s]*|(?:(?!\p{Script=Han})\S)+\s*|\s+/gu) ?? [];
}

function textPieces(text: string): StreamedPiece[] {
  return words(text).map((word) => ({ type: 'text', text: word }));
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

/** The demo cannot understand the conversation; it lists the questions. */
function demoSummary(book: DemoBook, request: string): string {
  const messages = [...request.matchAll(/^<message role="(\w+)">\n(.*?)\n<\/message>$/gmsu)];
  const questions = messages.filter(([, role]) => role === 'user').map(([, , text = '']) => clipped(text));
  return [
    book.summary(messages.length),
    ...questions.slice(-MAX_QUESTIONS).map((question) => `- ${question}`),
  ].join('\n');
}
