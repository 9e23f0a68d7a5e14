import type { ChatModel, ModelSource, OpenedModel } from '../../chatModel.ts';
import type { ModelError } from '../../errors/modelErrors.ts';
import type { HostedModel, ProviderFacts } from '../../providerFacts.ts';
import { chatModelOf } from '../hosted/chatModelOf.ts';

/** A provider that knows its users by the sign-in of its own tools on their machine: nothing is entered or kept here. */
export interface CloudProvider<Id extends string, Access> extends ProviderFacts {
  /** The part of model ids before the colon. */
  readonly id: Id;
  readonly label: string;
  /** A model's name in the table of list prices. */
  readonly listedAs: (model: string) => string;
  /** @throws ModelError with what the user can do */
  readonly list: (access: Access) => Promise<readonly HostedModel[]>;
  readonly open: (name: string, access: Access) => Promise<OpenedModel>;
}

export interface CloudSourceOptions<Access> {
  /** Read again for each use. Undefined until it is set up. */
  readonly access: () => Access | undefined;
  /** Why there is no access. */
  readonly missing: () => ModelError;
}

/** The models of one cloud. Nobody is asked before it is set up. */
export class CloudSource<Access> implements ModelSource {
  readonly id: string;
  private readonly provider: CloudProvider<string, Access>;
  private readonly options: CloudSourceOptions<Access>;
  /** Each model's entry in the last list. */
  private listed = new Map<string, HostedModel>();

  constructor(provider: CloudProvider<string, Access>, options: CloudSourceOptions<Access>) {
    this.id = provider.id;
    this.provider = provider;
    this.options = options;
  }

  async list(): Promise<readonly ChatModel[]> {
    const access = this.options.access();
    if (access === undefined) return [];
    const models = await this.provider.list(access);
    this.listed = new Map(models.map((model) => [model.name, model]));
    return models.map((model) => this.model(model));
  }

  find(id: string): Promise<ChatModel | undefined> {
    const prefix = `${this.id}:`;
    const name = id.startsWith(prefix) ? id.slice(prefix.length) : '';
    return Promise.resolve(name === '' ? undefined : this.model(this.listed.get(name) ?? { name }));
  }

  private model(listed: HostedModel): ChatModel {
    const { name } = listed;
    return chatModelOf(this.provider, listed, name, async () => {
      const access = this.options.access();
      if (access === undefined) throw this.options.missing();
      return this.provider.open(name, access);
    });
  }
}
