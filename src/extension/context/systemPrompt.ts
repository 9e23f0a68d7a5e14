import { defaultFragments } from '../../agent/systemPrompt.ts';
import type { Fragment } from '../../engine/fragments/index.ts';

/** What the system prompt is made for. */
export interface PromptFor {
  readonly chatId: string;
  /** Whether the model is offered tools. */
  readonly hasTools: boolean;
}

/** The system prompt: the one place that says which fragments a model gets. */
export class SystemPrompt {
  fragments({ hasTools }: PromptFor): Promise<Fragment[]> {
    return Promise.resolve(defaultFragments({ hasTools }));
  }
}
