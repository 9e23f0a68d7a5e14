import { OffshootError } from '../../engine/errors.ts';
import type { ChatModel } from '../chatModel.ts';
import { isNotOffered } from '../modelErrors.ts';
import { writeSummary, type SummaryRequest } from './writeSummary.ts';

/** A summary, and the model that wrote it. */
export interface SummaryText {
  readonly text: string;
  readonly model: ChatModel;
}

export interface SmallSummaryRequest extends Omit<SummaryRequest, 'onUsage'> {
  /** The small model of the same provider; the same model if there is none. */
  readonly smallFor: (model: ChatModel) => Promise<ChatModel>;
  /** The usage of each request, and the model it was sent to. */
  readonly onUsage?: (usage: Parameters<NonNullable<SummaryRequest['onUsage']>>[0], model: ChatModel) => void;
}

/**
 * Writes a summary with the provider's small model, or with the model itself if the account has no other.
 * @returns undefined when stopped
 * @throws SummaryError
 */
export async function writeBySmall({
  smallFor,
  onUsage,
  ...request
}: SmallSummaryRequest): Promise<SummaryText | undefined> {
  const by = async (model: ChatModel): Promise<SummaryText | undefined> => {
    const text = await writeSummary({
      ...request,
      model,
      ...(onUsage ? { onUsage: (usage) => onUsage(usage, model) } : {}),
    });
    return text === undefined ? undefined : { text, model };
  };
  const small = await smallFor(request.model);
  try {
    return await by(small);
  } catch (error) {
    if (small === request.model || !(error instanceof OffshootError) || !isNotOffered(error.code))
      throw error;
    return by(request.model);
  }
}
