import type { GuardedFile, GuardedFiles } from '../../../platform/guardedFiles.ts';
import type { ApprovalRequest } from '../approvals.ts';
import type { ToolContext } from '../tool.ts';

/** The part of a file that decides whether a model may see it. */
type SeenFile = Pick<GuardedFile, 'uri' | 'shown' | 'isSecret'>;

/** Asks the user before a model sees a file with a secret-like name. @throws DeniedError */
export async function askToRead(file: SeenFile, { approve }: Pick<ToolContext, 'approve'>): Promise<void> {
  if (file.isSecret) await approve(readRequest(file));
}

/** The files a model may see without asking: workspace files, except secret ones that were not allowed. */
export class SeenFiles {
  private constructor(
    private readonly shownByUri: ReadonlyMap<string, string>,
    /** Files left out because of their names, as the model may request them. */
    readonly withheld: readonly string[],
  ) {}

  static async of(
    files: GuardedFiles,
    uris: readonly string[],
    { isAllowed }: Pick<ToolContext, 'isAllowed'>,
  ): Promise<SeenFiles> {
    const named = await files.nameable([...new Set(uris)]);
    const seen = named.filter((file) => !file.isSecret || isAllowed(readRequest(file)));
    const withheld = named.filter((file) => !seen.includes(file)).map(({ shown }) => shown);
    return new SeenFiles(new Map(seen.map(({ uri, shown }) => [uri, shown])), withheld.sort());
  }

  /** The name of a file that may be seen. */
  shown(uri: string): string | undefined {
    return this.shownByUri.get(uri);
  }

  /** A note on how many files were left out, and what to do about it. */
  get note(): readonly string[] {
    const { withheld } = this;
    if (withheld.length === 0) return [];
    const named = withheld.slice(0, MAX_NAMED).join(', ');
    const more = withheld.length > MAX_NAMED ? ', …' : '';
    const [files, them] =
      withheld.length === 1 ? ['1 file was', 'it'] : [`${withheld.length} files were`, 'one'];
    return [
      `[${files} not looked into, by names that files with secrets have: ${named}${more}. To ask the user for ${them}, ` +
        'call read_file with its path.]',
    ];
  }
}

/** How many withheld files are named. */
const MAX_NAMED = 10;

function readRequest({ uri, shown }: SeenFile): ApprovalRequest {
  return { kind: `read:${uri}`, reads: shown };
}
