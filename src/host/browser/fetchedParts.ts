export interface RequirePart {
  /** A part that is already loaded, or a module of the host. */
  (name: string): unknown;
  /** A part that may have to be fetched. @param file that contains it; without `name`, the file itself is the part */
  later(file: string, name?: string): Promise<unknown>;
}

/** A part of the bundle in CommonJS form: a function that runs on first use. */
export type Part = (module: { exports: unknown }, exports: unknown, require: RequirePart) => void;

export type Parts = Readonly<Record<string, Part>>;

export interface FetchedPartsOptions {
  /** The parts available without fetching. */
  readonly parts: Parts;
  /** Returns the host's own modules. */
  readonly require: (name: string) => unknown;
  readonly addressOf: (file: string) => string;
  /** Text in the user's language, for use in a sentence, that a file could not be fetched. */
  readonly problem: () => string;
}

export class PartNotFetchedError extends Error {
  readonly code = 'part-not-fetched';

  constructor(message: string, options: ErrorOptions) {
    super(message, options);
    this.name = 'PartNotFetchedError';
  }
}

/**
 * A bundle in several files, for a worker that gets one file and cannot import others: a module needs an address, and
 * evaluated code has none. Files are fetched and evaluated as VS Code does with the first, which works everywhere:
 * `import()` of the full address is refused where an extension isn't served over HTTP, and could not get the module
 * `vscode`.
 */
export class FetchedParts {
  private readonly parts: Map<string, Part>;
  private readonly modules = new Map<string, { exports: unknown }>();
  /** The texts of prefetched files that were not used yet. */
  private readonly fetching = new Map<string, Promise<string>>();

  constructor(private readonly options: FetchedPartsOptions) {
    this.parts = new Map(Object.entries(options.parts));
  }

  require(name: string): unknown {
    const known = this.modules.get(name);
    if (known) return known.exports;
    const part = this.parts.get(name);
    if (!part) return this.options.require(name);
    const module: { exports: unknown } = { exports: {} };
    // With circular dependencies, parts see the exports so far.
    this.modules.set(name, module);
    try {
      part(module, module.exports, this.given);
    } catch (error) {
      this.modules.delete(name);
      throw error;
    }
    return module.exports;
  }

  /** As `require`, for a part of a file, which is fetched if necessary. After a failure the next call tries again. */
  async later(file: string, name = file): Promise<unknown> {
    if (!this.parts.has(name)) await this.take(file, name !== file);
    return this.require(name);
  }

  /** Starts fetching a file with low priority, after everything a page needs to be shown. */
  prefetch(file: string): void {
    if (this.parts.has(file)) return;
    // A later caller tries again, and gets the error.
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

/** The comment at its end tells debuggers how many lines were added before. */
function evaluated(text: string, address: string): Part {
  const source = `${text}\n//# sourceURL=${address}#vscode-extension`;
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- there is no other way: see above
  return new Function('module', 'exports', 'require', source) as Part;
}
