import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { wrapLanguageModel } from 'ai';
import { z } from 'zod';
import type { OpenedModel } from '../chatModel.ts';
import { changedStream } from './changedStream.ts';
import type { ProviderOptions } from './prompt.ts';

/** How models mark reasoning in their text, where their server does not separate it. */
const TAGS = [
  { open: '<think>', close: '</think>' },
  { open: '<thinking>', close: '</thinking>' },
  { open: '[THINK]', close: '[/THINK]' },
] as const;
type Tag = (typeof TAGS)[number];

/** A lone end of reasoning is one at the end of a line. */
const ENDS = TAGS.map(({ close }) => `${close}\n`);

/** The provider name of the note on such reasoning; no server has sent it as reasoning, and none gets it back. */
const TAGGED = 'tagged';

const marked = z.looseObject({ [TAGGED]: z.looseObject({ tag: z.string() }) });

/** Whether reasoning, or a text that turned out to be reasoning, was in the text of an answer. */
export function isTagged(metadata: unknown): boolean {
  return marked.safeParse(metadata).success;
}

function note({ open }: Tag): ProviderOptions {
  return { [TAGGED]: { tag: open } };
}

/**
 * Makes reasoning of what stands in tags at the beginning of a text. An end without a beginning, which the template of
 * the model has written, makes reasoning of the text before it. Elsewhere, a tag is what the text is about; the AI SDK's
 * `extractReasoningMiddleware` would take it there as well.
 */
export function withTaggedReasoning(model: OpenedModel): OpenedModel {
  return wrapLanguageModel({
    model,
    middleware: { specificationVersion: 'v4', wrapStream: changedStream(separator) },
  });
}

type Controller = TransformStreamDefaultController<LanguageModelV4StreamPart>;

function separator(): Transformer<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
  const texts = new Map<string, TaggedText>();
  return {
    transform: (part, controller) => {
      switch (part.type) {
        case 'text-start':
          texts.set(part.id, new TaggedText(part.id));
          break;
        case 'text-delta':
          texts.get(part.id)?.add(part.delta, controller);
          break;
        case 'text-end':
          texts.get(part.id)?.end(part.providerMetadata, controller);
          texts.delete(part.id);
          break;
        default:
          controller.enqueue(part);
      }
    },
  };
}

class TaggedText {
  private state: 'beginning' | 'reasoning' | 'text' = 'beginning';
  private tag: Tag | undefined;
  /** What may be a part of a tag. */
  private held = '';
  private parts = 0;
  private isOpen = false;
  /** Blanks that follow a tag are left out. */
  private isAfterTag = false;
  /** All of the text that is open, to find whether a tag is in code. */
  private shown = '';

  constructor(private readonly id: string) {}

  add(delta: string, controller: Controller): void {
    this.held += delta;
    if (this.state === 'beginning') this.readBeginning(controller);
    if (this.state === 'reasoning') this.readReasoning(controller);
    if (this.state === 'text') this.readText(controller, false);
  }

  end(providerMetadata: ProviderOptions | undefined, controller: Controller): void {
    if (this.state === 'reasoning') {
      this.emit('reasoning', this.held.trimEnd(), controller);
      this.close('reasoning', this.tag && note(this.tag), controller);
      return;
    }
    if (this.state === 'beginning') this.state = 'text';
    this.readText(controller, true);
    this.close('text', providerMetadata, controller);
  }

  private readBeginning(controller: Controller): void {
    const text = this.held.trimStart();
    const mayBegin = (tag: string): boolean => tag !== text && tag.startsWith(text);
    if (TAGS.some(({ open, close }) => mayBegin(open) || mayBegin(close))) return;
    this.tag = TAGS.find(({ open }) => text.startsWith(open));
    const lone = TAGS.find(({ close }) => text.startsWith(close));
    if (this.tag) {
      this.state = 'reasoning';
      this.held = text.slice(this.tag.open.length);
      this.open('reasoning', controller);
    } else {
      this.state = 'text';
      if (lone) this.held = text.slice(lone.close.length);
    }
    this.isAfterTag = (this.tag ?? lone) !== undefined;
  }

  private readReasoning(controller: Controller): void {
    const { tag } = this;
    if (!tag) return;
    if (this.isAfterTag) this.held = this.held.trimStart();
    const end = this.held.indexOf(tag.close);
    const known = end === -1 ? this.held.length - partOfTag(this.held, [tag.close]) : end;
    // Blanks before the end are not a part of it.
    const words = this.held.slice(0, known).trimEnd();
    if (words !== '') this.isAfterTag = false;
    this.emit('reasoning', words, controller);
    this.held = this.held.slice(words.length);
    if (end === -1) return;
    this.close('reasoning', note(tag), controller);
    this.held = this.held.trimStart().slice(tag.close.length);
    this.state = 'text';
    this.isAfterTag = true;
  }

  private readText(controller: Controller, isEnd: boolean): void {
    if (this.isAfterTag) this.held = this.held.trimStart();
    if (!this.tag) this.findLoneEnd(controller);
    const held = isEnd || this.tag ? 0 : partOfTag(this.held, ENDS);
    const safe = this.held.length - held;
    if (safe > 0) this.isAfterTag = false;
    this.emit('text', this.held.slice(0, safe), controller);
    this.held = this.held.slice(safe);
  }

  /** On a line of its own, or at the end of one, and not in code. */
  private findLoneEnd(controller: Controller): void {
    for (const tag of TAGS) {
      const at = this.held.indexOf(`${tag.close}\n`);
      if (at === -1) continue;
      const before = this.shown + this.held.slice(0, at);
      if (before.trim() === '' || /`[^`\n]*$/u.test(before) || before.split('```').length % 2 === 0) continue;
      this.emit('text', this.held.slice(0, at), controller);
      this.close('text', note(tag), controller);
      this.tag = tag;
      this.held = this.held.slice(at + tag.close.length).trimStart();
      this.isAfterTag = true;
      return;
    }
  }

  private open(type: 'text' | 'reasoning', controller: Controller): void {
    this.isOpen = true;
    this.parts += 1;
    controller.enqueue({ type: `${type}-start`, id: this.partId });
  }

  private emit(type: 'text' | 'reasoning', delta: string, controller: Controller): void {
    if (delta === '') return;
    if (!this.isOpen) this.open(type, controller);
    if (type === 'text') this.shown += delta;
    controller.enqueue({ type: `${type}-delta`, id: this.partId, delta });
  }

  private close(
    type: 'text' | 'reasoning',
    providerMetadata: ProviderOptions | undefined,
    controller: Controller,
  ): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    const metadata = providerMetadata === undefined ? {} : { providerMetadata };
    controller.enqueue({ type: `${type}-end`, id: this.partId, ...metadata });
  }

  /** The first part has the id of the text. */
  private get partId(): string {
    return this.parts <= 1 ? this.id : `${this.id}-${this.parts}`;
  }
}

/** The length of the end of a text that may be the beginning of a tag. */
function partOfTag(text: string, tags: readonly string[]): number {
  const longest = Math.max(...tags.map(({ length }) => length)) - 1;
  for (let length = Math.min(longest, text.length); length > 0; length -= 1) {
    const end = text.slice(-length);
    if (tags.some((tag) => tag.startsWith(end))) return length;
  }
  return 0;
}
