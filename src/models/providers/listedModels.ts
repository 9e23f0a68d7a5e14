export interface ListedModelsOptions<M> {
  /** The models at an address, as it lists them now. */
  readonly ask: (address: string) => Promise<readonly M[]>;
  /** How long facts count as current, in milliseconds: programs on this machine load a model again with another window. */
  readonly freshFor: (address: string) => number;
  /** The current time in milliseconds. Default: the system clock. */
  readonly now?: () => number;
}

interface Entry<M> {
  readonly models: ReadonlyMap<string, M>;
  /** When to ask again, in milliseconds. */
  readonly until: number;
}

/** How long an address without an answer is not asked again, in milliseconds. */
const SILENCE = 30_000;

/**
 * What servers said of their models, by address. A model that is chosen by its id has the same window and abilities as in
 * the list, also when nobody has listed it since the window was opened.
 */
export class ListedModels<M extends { readonly name: string }> {
  private readonly options: ListedModelsOptions<M>;
  private readonly entries = new Map<string, Entry<M>>();
  private readonly asking = new Map<string, Promise<void>>();

  constructor(options: ListedModelsOptions<M>) {
    this.options = options;
  }

  /** Keeps a list that was requested for another reason. */
  keep(address: string, models: readonly M[]): void {
    const until = this.now() + this.options.freshFor(address);
    this.entries.set(address, { models: new Map(models.map((model) => [model.name, model])), until });
  }

  /** Without a request. Undefined when the server did not list it. */
  known(address: string, name: string): M | undefined {
    return this.entries.get(address)?.models.get(name);
  }

  /** Asks the server if nothing is known of it. Nobody waits for an update of what is known. */
  async find(address: string, name: string): Promise<M | undefined> {
    const entry = this.entries.get(address);
    if (entry === undefined) await this.refresh(address);
    else if (this.now() >= entry.until) void this.refresh(address);
    return this.known(address, name);
  }

  private refresh(address: string): Promise<void> {
    const running = this.asking.get(address);
    if (running) return running;
    const request = this.options
      .ask(address)
      .then(
        (models) => this.keep(address, models),
        // The model can be used without; if the server is off, the answer says so.
        () => this.silence(address),
      )
      .finally(() => this.asking.delete(address));
    this.asking.set(address, request);
    return request;
  }

  private silence(address: string): void {
    const models = this.entries.get(address)?.models ?? new Map<string, M>();
    this.entries.set(address, { models, until: this.now() + SILENCE });
  }

  private now(): number {
    return (this.options.now ?? Date.now)();
  }
}
