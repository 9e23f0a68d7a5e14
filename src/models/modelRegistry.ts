import { withListPrices, type ChatModel, type ModelSource } from './chatModel.ts';
import { DEMO_MODEL_ID } from './demo/demoModel.ts';
import { ModelError } from './errors/modelErrors.ts';
import { smallModelId } from './modelProviders.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';

export interface SourceProblem {
  readonly source: string;
  /** What the user can do. */
  readonly message: string;
}

export interface ModelListing {
  readonly models: readonly ChatModel[];
  readonly problems: readonly SourceProblem[];
}

export interface ModelRegistryOptions {
  /** Read again for each use if they may change. */
  readonly sources: readonly ModelSource[] | (() => readonly ModelSource[]);
  /** Applies the user's settings to a model. Default: unchanged. */
  readonly adjust?: (model: ChatModel) => ChatModel;
  /** The id the user chose; undefined or empty if none. */
  readonly chosen: () => string | undefined;
}

export class ModelRegistry {
  private readonly options: ModelRegistryOptions;

  /** The model that counts before the chosen one: that of a selected agent, if it is there. */
  preferred: () => Promise<ChatModel | undefined> = () => Promise.resolve(undefined);

  constructor(options: ModelRegistryOptions) {
    this.options = options;
  }

  private get sources(): readonly ModelSource[] {
    const { sources } = this.options;
    return typeof sources === 'function' ? sources() : sources;
  }

  /** Every model of every source, in the order of the sources; a failing source does not hide the others. */
  async list(): Promise<ModelListing> {
    const answers = await Promise.all(
      this.sources.map(async (source) => {
        try {
          const models = await source.list();
          return { models: await Promise.all(models.map((model) => this.adjusted(model))), problems: [] };
        } catch (error) {
          // It handles errors of the AI SDK, which is loaded only when a model must answer.
          const { describeModelError } = await import('./errors/describeModelError.ts');
          return {
            models: [],
            problems: [{ source: source.id, message: describeModelError(error, source.id).message }],
          };
        }
      }),
    );
    return {
      models: answers.flatMap((answer) => answer.models),
      problems: answers.flatMap((answer) => answer.problems),
    };
  }

  /** Undefined when no source has it now. */
  async find(id: string): Promise<ChatModel | undefined> {
    for (const source of this.sources) {
      if (!id.startsWith(`${source.id}:`)) continue;
      const model = await source.find(id);
      if (model !== undefined) return this.adjusted(model);
    }
    return undefined;
  }

  private async adjusted(model: ChatModel): Promise<ChatModel> {
    // No model is behind the demo.
    const listed = model.isDemo ? model : await withListPrices(model);
    return this.options.adjust?.(listed) ?? listed;
  }

  /** The model of the same provider for titles and summaries; the same one if there is none. */
  async smallFor(model: ChatModel): Promise<ChatModel> {
    const id = smallModelId(model);
    return id === undefined || id === model.id ? model : ((await this.find(id)) ?? model);
  }

  /**
   * The model to answer with: the chosen one; the demo only if none is chosen. A user who chose a model must not get
   * canned responses because it is unavailable.
   * @throws ModelError `model-unavailable` when the chosen one cannot be found
   */
  async current(): Promise<ChatModel> {
    const preferred = await this.preferred();
    if (preferred) return preferred;
    const chosen = this.options.chosen();
    if (chosen === undefined || chosen === '') {
      const demo = await this.find(DEMO_MODEL_ID);
      if (demo === undefined) {
        throw new ModelError(
          'no-model',
          defineMessage('No model is set. Choose one with “Offshoot: Select Model”.'),
        );
      }
      return demo;
    }
    const model = await this.find(chosen);
    if (model !== undefined) return model;
    throw new ModelError(
      'model-unavailable',
      defineMessage(
        'The model “{0}” is not there now. If an extension or a server offers it, check that it runs and that you are signed in; or choose another with “Offshoot: Select Model”.',
        chosen,
      ),
    );
  }
}
