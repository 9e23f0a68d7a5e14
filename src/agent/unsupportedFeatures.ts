import type { AnswerMetadata } from './answerMetadata.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import { createNotice } from './notice.ts';

/** The code of the error of a model that was offered tools and takes none. */
const NO_TOOLS = 'no-tools';

/** What a model turned out not to take while it answered, done without from then on, and what the user is shown of it. */
export class UnsupportedFeatures {
  private takesTools = true;
  private takesTemperature = true;
  private lastNotice: AnswerMetadata['notice'];

  /** @param label the name of the model for people */
  constructor(private readonly label: string) {}

  get hasTools(): boolean {
    return this.takesTools;
  }

  get hasTemperature(): boolean {
    return this.takesTemperature;
  }

  /** What was said last of it. */
  get notice(): AnswerMetadata['notice'] {
    return this.lastNotice;
  }

  /** Whether a request that failed with this code can be made again without tools: once. */
  withoutTools(code: string | undefined): boolean {
    if (code !== NO_TOOLS || !this.takesTools) return false;
    this.takesTools = false;
    this.tell(
      createNotice(code, defineMessage('{0} cannot use tools, and answered without them.', this.label)),
    );
    return true;
  }

  /** The model said that it takes no temperature, and answered all the same. */
  withoutTemperature(): void {
    this.takesTemperature = false;
    this.lastNotice ??= createNotice(
      'no-temperature',
      defineMessage('{0} takes no temperature, and answered as it does by itself.', this.label),
    );
  }

  /** Something else that went otherwise than asked for. */
  tell(notice: NonNullable<AnswerMetadata['notice']>): void {
    this.lastNotice = notice;
  }
}
