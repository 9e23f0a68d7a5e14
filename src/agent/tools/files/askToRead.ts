import type { GuardedFile, GuardedFiles } from '../../../platform/guardedFiles.ts';
import type { ApprovalRequest } from '../approvals.ts';
import type { ToolContext } from '../tool.ts';

/** A file as far as it matters for what a model may see of it. */
type SeenFile = Pick<GuardedFile, 'uri' | 'shown' | 'isSecret'>;

/** Asks before a model sees what is in a file that is called as those with secrets are. @throws DeniedError */
export async function askToRead(file: SeenFile, { approve }: Pick<ToolContext, 'approve'>): Promise<void> {
  if (file.isSecret) await approve(readRequest(file));
}

/** What of these files a model may see unasked: those in the workspace, and of secret ones those that were allowed. */
export class SeenFiles {
  private constructor(
    private readonly shownByUri: ReadonlyMap<string, string>,
    /** Files left out for their names, as the model may ask for them. */
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

  /** Says how many files were left out, and what to do about it. */
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
