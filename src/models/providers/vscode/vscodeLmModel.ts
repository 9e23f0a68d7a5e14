import type { ChatModel, ModelSource } from '../../chatModel.ts';
import { ModelError } from '../../errors/modelErrors.ts';
import type { VsCodeModel, VsCodeModels } from './vscodeModelApi.ts';
import { defineMessage } from '../../../engine/messageDescriptor.ts';

/** Models that other extensions provide to VS Code: Copilot and any other that is installed. */
export class VsCodeModelSource<Message, Token> implements ModelSource {
  readonly id = 'vscode';
  private readonly models: VsCodeModels<Message, Token>;
  private readonly listTimeout: number;

  /** @param listTimeout for listing models, in milliseconds: VS Code waits for every extension that provides some */
  constructor(models: VsCodeModels<Message, Token>, listTimeout = 10_000) {
    this.models = models;
    this.listTimeout = listTimeout;
  }

  async list(): Promise<readonly ChatModel[]> {
    const models = await inTime(this.models.select(), this.listTimeout);
    return models.map((model) => this.chatModel(model));
  }

  async find(id: string): Promise<ChatModel | undefined> {
    return (await this.list()).find((model) => model.id === id);
  }

  private chatModel(model: VsCodeModel<Message, Token>): ChatModel {
    const takesTools = this.models.takesTools(model);
    return {
      id: `${this.id}:${model.vendor}/${model.id}`,
      label: model.name,
      isDemo: false,
      detail: model.vendor,
      contextWindow: model.maxInputTokens,
      ...(takesTools === undefined
        ? {}
        : {
            capabilities: [
              ...(takesTools ? (['tools'] as const) : []),
              // If it does not report this, assume vision.
              ...((this.models.takesImages(model) ?? true) ? (['images'] as const) : []),
            ],
          }),
      open: async () => {
        const { openVsCodeModel } = await import('./vscodeAnswer.ts');
        return openVsCodeModel(this.models, model, takesTools ?? true);
      },
    };
  }
}

/** @throws ModelError when it takes longer */
async function inTime<T>(asked: PromiseLike<T>, timeout: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const text = defineMessage(
      'VS Code didn’t list its models in time. An extension that brings models may be stuck.',
    );
    late.reject(new ModelError('vscode-timeout', text));
  }, timeout);
  try {
    return await Promise.race([asked, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
