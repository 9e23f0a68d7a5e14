import { wrapLanguageModel } from 'ai';
import type { OpenedModel } from '../chatModel.ts';
import { fitTo } from './fitTo.ts';
import type { Target } from './target.ts';

/** The same model, restricted to requests that it accepts. */
export function fitted(model: OpenedModel, target: Target): OpenedModel {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      transformParams: ({ params }) => Promise.resolve(fitTo(params, target)),
    },
  });
}
