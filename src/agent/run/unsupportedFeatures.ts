import type { AnswerMetadata } from './answerMetadata.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import { createNotice } from '../../models/errors/notice.ts';

/** The error code of a model that was offered tools and does not support them. */
const NO_TOOLS = 'no-tools';

/** Features that a model turned out not to support, left out from then on, and the notice for the user. */
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

  /** The latest notice. */
  get notice(): AnswerMetadata['notice'] {
    return this.lastNotice;
  }

  /** Whether a request that failed with this code can be retried without tools: once. */
  withoutTools(code: string | undefined): boolean {
    if (code !== NO_TOOLS || !this.takesTools) return false;
    this.takesTools = false;
    this.tell(
      createNotice(code, defineMessage('{0} cannot use tools, and answered without them.', this.label)),
    );
    return true;
  }

  /** The model reported that it takes no temperature, and answered anyway. */
  withoutTemperature(): void {
    this.takesTemperature = false;
    this.lastNotice ??= createNotice(
      'no-temperature',
      defineMessage('{0} doesn’t support temperature, and answered with its default.', this.label),
    );
  }

  /** Records another deviation from the request. */
  tell(notice: NonNullable<AnswerMetadata['notice']>): void {
    this.lastNotice = notice;
  }
}
