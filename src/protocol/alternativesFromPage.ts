import { z } from 'zod';
import type { answersReplies } from './answersFromPage.ts';
import { acting, answersNotices, answersRequests, id, ready, stopAnswer } from './answersFromPage.ts';
import type { AlternativesFromHost } from './alternativesFromHost.ts';
import { requestOf, type Replies } from './envelope.ts';

/** The messages of the page of alternatives to its host. */
export const alternativesFromPage = z.discriminatedUnion('type', [
  ready,
  ...answersNotices,
  stopAnswer,
  /** Switches to the branch of the chosen answer. */
  z.strictObject({ type: z.literal('keepAlternative'), ...acting, branch: id }),
  /** Stops all answers to the question that is shown. */
  z.strictObject({ type: z.literal('stopAlternatives'), ...acting }),
  requestOf(z.discriminatedUnion('type', answersRequests)),
]);
export type AlternativesFromPage = z.infer<typeof alternativesFromPage>;

export interface AlternativesProtocol {
  readonly fromPage: AlternativesFromPage;
  readonly replies: Replies<typeof answersReplies>;
  readonly fromHost: AlternativesFromHost;
}
