import { wrapLanguageModel } from 'ai';
import type { OpenedModel } from '../chatModel.ts';
import { fitTo } from './fitTo.ts';
import type { Target } from './target.ts';
import type { LeftOutTool } from './tools.ts';

/** The same model, sent only requests that it accepts. */
export function fitted(
  model: OpenedModel,
  target: Target,
  onToolsLeftOut: (tools: readonly LeftOutTool[]) => void = () => undefined,
): OpenedModel {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      transformParams: ({ params }) => {
        const { request, leftOut } = fitTo(params, target);
        if (leftOut.length > 0) onToolsLeftOut(leftOut);
        return Promise.resolve(request);
      },
    },
  });
}
