import type { AnswerMetadata } from './answerMetadata.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import { createNotice } from '../../models/errors/notice.ts';

const NO_TOOLS = 'no-tools';
const NO_IMAGES = 'no-images';

/** Features that a model turned out not to support, left out from then on, and the notice for the user. */
export class UnsupportedFeatures {
  private takesTools = true;
  private takesImages = true;
  private takesTemperature = true;
  private lastNotice: AnswerMetadata['notice'];

  /** @param lacksTools it is known before the first request to take none, and there are some */
  constructor(
    private readonly label: string,
    lacksTools = false,
  ) {
    if (lacksTools) this.withoutTools(NO_TOOLS);
  }

  get hasTools(): boolean {
    return this.takesTools;
  }

  get hasImages(): boolean {
    return this.takesImages;
  }

  get hasTemperature(): boolean {
    return this.takesTemperature;
  }

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

  /** Whether a request that failed with this code can be retried without pictures: once. */
  withoutImages(code: string | undefined): boolean {
    if (code !== NO_IMAGES || !this.takesImages) return false;
    this.takesImages = false;
    this.tell(
      createNotice(code, defineMessage('{0} can’t see images, and answered without them.', this.label)),
    );
    return true;
  }

  withoutTemperature(): void {
    this.takesTemperature = false;
    this.lastNotice ??= createNotice(
      'no-temperature',
      defineMessage('{0} doesn’t support temperature, and answered with its default.', this.label),
    );
  }

  tell(notice: NonNullable<AnswerMetadata['notice']>): void {
    this.lastNotice = notice;
  }
}
