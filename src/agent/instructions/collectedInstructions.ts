import { uriBelow } from '../../host/fileUri.ts';
import type { FileTexts } from '../../host/fileTexts.ts';
import type { GuardedFile, GuardedFiles } from '../../host/guardedFiles.ts';
import { WorkspaceFileError, type FileLocation } from '../../host/workspaceFiles.ts';
import { linkedPath } from '../prompts/promptBody.ts';
import type { AppliedBecause } from './appliedBecause.ts';
import {
  importedPath,
  importsOf,
  isSurelyFile,
  MAX_HOPS,
  MAX_IMPORTED,
  MAX_IMPORTS,
  withoutLines,
  type ImportProblem,
} from './instructionImports.ts';
import {
  placeOf,
  readInstructionsFile,
  type AppliedInstructions,
  type InstructionsFile,
  type UnusedInstructions,
} from './instructionsFile.ts';

/** Applies to its folder and those below it (https://agents.md). */
const AGENTS = 'AGENTS.md';
/** Takes the place of the other in its folder, unless it is empty (https://developers.openai.com/codex/guides/agents-md). */
const OVERRIDE = 'AGENTS.override.md';
/** The same as AGENTS.md, as another agent calls it. */
const CLAUDE = 'CLAUDE.md';

/** A name and those that it replaces where it is there. */
type Names = readonly [string, ...string[]];

export const FOLDER_FILES: readonly Names[] = [[OVERRIDE, AGENTS], [CLAUDE]];
export const ROOT_FILES: readonly Names[] = [...FOLDER_FILES, ['.github/copilot-instructions.md']];
/** Below the user's own folder. */
export const USER_FILES: readonly Names[] = [
  [`.codex/${OVERRIDE}`, `.codex/${AGENTS}`],
  [`.claude/${CLAUDE}`],
];

/** Only these import files, by the name at the end of their paths. */
const IMPORTING: ReadonlySet<string> = new Set([AGENTS, OVERRIDE, CLAUDE]);

export interface CollectedFrom {
  readonly files: GuardedFiles;
  readonly texts: FileTexts;
  /** They are in the user's own folder. */
  readonly areUsers?: boolean;
}

/** A file that imports others: it, those that led to it, and what was imported because of the first of them. */
interface Importing {
  readonly at: GuardedFile;
  readonly shown: string;
  readonly chain: readonly string[];
  readonly total: { files: number; length: number };
}

/** Instructions files in the order in which they apply. The same text applies once, even under different names. */
export class CollectedInstructions {
  readonly applied: AppliedInstructions[] = [];
  readonly unused: UnusedInstructions[] = [];
  private readonly uris = new Map<string, string>();
  /** Files that another takes the place of. */
  private readonly replaced = new Set<string>();

  /**
   * @param before apply already
   * @param covers whether the files that one applies to are among those of the other
   */
  constructor(
    private readonly before: readonly AppliedInstructions[] = [],
    private readonly covers: (file: InstructionsFile, other: InstructionsFile) => boolean = () => true,
  ) {
    for (const { uri, shown } of before) this.uris.set(uri, shown);
  }

  async addFolder(
    from: CollectedFrom,
    { folder, path }: FileLocation,
    names: readonly Names[],
    because: AppliedBecause,
  ): Promise<void> {
    for (const group of names) {
      let taken: string | undefined;
      for (const name of group) {
        const named = uriBelow(folder, path === '' ? name : `${path}/${name}`);
        const at = await placeOf(from.files, named);
        if (!at) continue;
        const shown = shownIn(from, at);
        const known = this.uris.get(at.uri);
        const file = known === undefined ? await readInstructionsFile(from.files, at, from.texts) : undefined;
        if (known === undefined && !file) continue;
        if (taken !== undefined) {
          if (known !== undefined) continue;
          this.replaced.add(at.uri);
          this.unused.push({ shown, uri: named, reason: { kind: 'replaced', by: taken } });
          continue;
        }
        taken = shown;
        // A link to a file that applies already; an imported one is listed as such.
        if (known !== undefined && named !== at.uri) {
          const link = path === '' ? name : `${path}/${name}`;
          this.unused.push({ shown: link, uri: named, reason: { kind: 'same', as: known } });
        }
        if (file) await this.addFile(from, at, { ...file, shown }, because);
      }
    }
  }

  /** One without imports. */
  add(file: InstructionsFile, because: AppliedBecause): void {
    const same = [...this.before, ...this.applied].find(
      (other) => other.text === file.text && this.covers(file, other),
    );
    if (same) this.refuseSame(file, same.shown);
    else {
      this.uris.set(file.uri, file.shown);
      this.applied.push({ ...file, because });
    }
  }

  private async addFile(
    from: CollectedFrom,
    at: GuardedFile,
    file: InstructionsFile,
    because: AppliedBecause,
    importing?: Omit<Importing, 'at' | 'shown'>,
  ): Promise<void> {
    const { chain, total } = importing ?? { chain: [], total: { files: 0, length: 0 } };
    const index = this.applied.length;
    // Known before its imports are, so that none of them brings it again.
    this.uris.set(file.uri, file.shown);
    const isImporting = importing !== undefined || IMPORTING.has(at.path.slice(at.path.lastIndexOf('/') + 1));
    const imported = isImporting
      ? await this.importAll(from, file.text, { at, shown: file.shown, chain: [...chain, file.uri], total })
      : new Map<string, string>();
    const text = withoutLines(file.text, new Set(imported.keys()));
    const same = [...this.before, ...this.applied].find(
      (other) => other.text === text && this.covers(file, other),
    );
    const [first] = imported.values();
    const isSame = same?.shown ?? (text === '' ? first : undefined);
    if (isSame === undefined) this.applied.splice(index, 0, { ...file, text, because });
    else this.refuseSame(file, isSame);
  }

  /** By each import that has an effect, as written, the file. */
  private async importAll(
    from: CollectedFrom,
    text: string,
    importing: Importing,
  ): Promise<Map<string, string>> {
    const imported = new Map<string, string>();
    for (const written of importsOf(text)) {
      const got = await this.importOne(from, written, importing);
      if (typeof got === 'object') imported.set(written, got.shown);
      else if (got !== undefined) this.refuse(importing, written, got);
    }
    return imported;
  }

  /** Undefined: what is written is no file, and was probably never meant as one. */
  private async importOne(
    from: CollectedFrom,
    written: string,
    { at: by, shown: byName, chain, total }: Importing,
  ): Promise<{ readonly shown: string } | ImportProblem | undefined> {
    const { path, isBelowHome } = importedPath(written);
    if (isBelowHome ? from.areUsers !== true : /^(?:[/\\]|[a-z]:)/iu.test(path)) return 'outside';
    const parent = isBelowHome ? '' : by.path.slice(0, Math.max(0, by.path.lastIndexOf('/')));
    const below = linkedPath(parent, path);
    if (below === undefined) return 'outside';
    const missing = isSurelyFile(written) ? 'missing' : undefined;
    if (below === '') return missing;
    const named = uriBelow(by.folder, below);
    if (this.replaced.has(named)) return { shown: below };
    let at: GuardedFile;
    try {
      at = await from.files.resolve({ uri: named });
    } catch (error) {
      if (error instanceof WorkspaceFileError) return 'outside';
      throw error;
    }
    if (at.isSecret) return 'secret';
    if (chain.includes(at.uri)) return 'circle';
    const known = this.uris.get(at.uri);
    if (known !== undefined) return { shown: known };
    const file = await readInstructionsFile(from.files, at, from.texts);
    if (!file) return missing;
    if (chain.length > MAX_HOPS) return 'too-deep';
    if (total.files >= MAX_IMPORTS || total.length + file.text.length > MAX_IMPORTED) return 'too-many';
    total.files += 1;
    total.length += file.text.length;
    const shown = shownIn(from, at);
    await this.addFile(from, at, { ...file, shown }, { kind: 'import', by: byName }, { chain, total });
    return { shown };
  }

  private refuse({ at: { uri }, shown }: Importing, written: string, problem: ImportProblem): void {
    this.unused.push({ shown, uri, reason: { kind: 'import', written, problem } });
  }

  private refuseSame({ shown, uri }: InstructionsFile, as: string): void {
    this.unused.push({ shown, uri, reason: { kind: 'same', as } });
  }
}

function shownIn({ areUsers }: CollectedFrom, { shown }: GuardedFile): string {
  return areUsers === true ? `~/${shown}` : shown;
}
