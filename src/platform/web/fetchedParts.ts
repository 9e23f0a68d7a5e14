/** Gives what another part exports. */
export interface RequirePart {
  /** One that is there, or a module of the host. */
  (name: string): unknown;
  /** One that may have to be fetched. @param file what it is in; it is a part itself, and all of it where `name` is left out */
  later(file: string, name?: string): Promise<unknown>;
}

/** A part of the bundle, as CommonJS has it: a function that is run when it is first asked for. */
export type Part = (module: { exports: unknown }, exports: unknown, require: RequirePart) => void;

export type Parts = Readonly<Record<string, Part>>;

export interface FetchedPartsOptions {
  /** What is there without being fetched. */
  readonly parts: Parts;
  /** Gives the host's own modules. */
  readonly require: (name: string) => unknown;
  /** The address of a file of the bundle. */
  readonly addressOf: (file: string) => string;
  /** Tells the user, in their language, that a file could not be fetched, to stand within a sentence. */
  readonly problem: () => string;
}

/** A file of the bundle could not be fetched. */
export class PartNotFetchedError extends Error {
  readonly code = 'part-not-fetched';

  constructor(message: string, options: ErrorOptions) {
    super(message, options);
    this.name = 'PartNotFetchedError';
  }
}

/**
 * A bundle in several files, for a worker that was given one and can import no other: a module has an address, and what
 * was evaluated has none. They are fetched and evaluated as VS Code does with the first, which works wherever that worked:
 * `import()` of the whole address is refused where an extension isn't served over HTTP, and could not be given the module
 * `vscode`.
 */
export class FetchedParts {
  private readonly parts: Map<string, Part>;
  private readonly modules = new Map<string, { exports: unknown }>();
  /** The texts of files that were not asked for yet. */
  private readonly fetching = new Map<string, Promise<string>>();

  constructor(private readonly options: FetchedPartsOptions) {
    this.parts = new Map(Object.entries(options.parts));
  }

  /** What a part exports; it is run when it is first asked for. */
  require(name: string): unknown {
    const known = this.modules.get(name);
    if (known) return known.exports;
    const part = this.parts.get(name);
    if (!part) return this.options.require(name);
    const module: { exports: unknown } = { exports: {} };
    // Parts that need each other find what there is by then.
    this.modules.set(name, module);
    try {
      part(module, module.exports, this.given);
    } catch (error) {
      this.modules.delete(name);
      throw error;
    }
    return module.exports;
  }

  /** The same for a part of a file, which is fetched if it has not been. What failed is tried again by the next call. */
  async later(file: string, name = file): Promise<unknown> {
    if (!this.parts.has(name)) await this.take(file, name !== file);
    return this.require(name);
  }

  /** Begins to fetch what will be asked for, behind what a page needs to be shown. */
  prefetch(file: string): void {
    if (this.parts.has(file)) return;
    // Whoever asks for it tries again, and learns why.
    this.fetched(file, 'low').catch(() => undefined);
  }

  private readonly given: RequirePart = Object.assign((name: string) => this.require(name), {
    later: (file: string, name?: string) => this.later(file, name),
  });

  private async take(file: string, hasParts: boolean): Promise<void> {
    const text = await this.fetched(file);
    if (!this.parts.has(file)) this.parts.set(file, evaluated(text, this.options.addressOf(file)));
    this.fetching.delete(file);
    if (!hasParts) return;
    for (const [name, part] of Object.entries(this.require(file) as Parts)) this.parts.set(name, part);
  }

  private fetched(file: string, priority: RequestPriority = 'auto'): Promise<string> {
    const known = this.fetching.get(file);
    if (known) return known;
    const fetching = this.fetch(file, priority);
    this.fetching.set(file, fetching);
    fetching.catch(() => this.fetching.delete(file));
    return fetching;
  }

  private async fetch(file: string, priority: RequestPriority): Promise<string> {
    try {
      const response = await fetch(this.options.addressOf(file), { priority });
      if (!response.ok) throw new Error(`${response.status} ${response.statusText}`.trim());
      return await response.text();
    } catch (cause) {
      throw new PartNotFetchedError(this.options.problem(), { cause });
    }
  }
}

/** By the mark at its end debuggers know how many lines were put before. */
function evaluated(text: string, address: string): Part {
  const source = `${text}\n//# sourceURL=${address}#vscode-extension`;
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- there is no other way: see above
  return new Function('module', 'exports', 'require', source) as Part;
}
