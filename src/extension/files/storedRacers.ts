import { z } from 'zod';
import { tryParseJson } from '../../base/tryParseJson.ts';
import { BRANCH_FILES } from '../../host/branchFiles.ts';
import type { Host } from '../../host/hostMachine.ts';
import { reasoningEffort } from '../../models/chatModel.ts';

const checkResult = z.object({
  /** `stopped` by the user, `late`: by the time limit. */
  end: z.enum(['ended', 'stopped', 'late']),
  /** Null: it was killed, or did not start. */
  exitCode: z.number().nullable(),
  /** In milliseconds. */
  duration: z.number(),
  output: z.string(),
});
export type CheckResult = z.infer<typeof checkResult>;

const storedRacer = z.object({
  effort: reasoningEffort.optional().catch(undefined),
  temperature: z.number().optional().catch(undefined),
  hint: z.string().optional().catch(undefined),
  /** A command that shows whether what the branch did is right, and the URI of the workspace folder it is for. */
  check: z
    .object({
      command: z.string(),
      folder: z.string(),
      /** It is run without a sandbox, as the user chose. */
      isOutside: z.boolean().optional().catch(undefined),
      /** Left out while it did not run to its end since the files were changed. */
      result: checkResult.optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});
/** How a branch with files of its own answers, and how that is checked. */
export type StoredRacer = z.infer<typeof storedRacer>;

const NAME = 'racer.json';

/**
 * Kept with the files: they are on one machine, for all of its windows, and removed together. No chat that comes from
 * elsewhere has a command run.
 */
export class StoredRacers {
  constructor(
    private readonly host: Pick<Host, 'files' | 'pathOf'>,
    /** The URI of the extension's storage folder. */
    private readonly folder: string,
  ) {}

  async read(id: string): Promise<StoredRacer> {
    const bytes = await this.host.files.read(this.pathOf(id));
    const text = bytes ? new TextDecoder().decode(bytes) : '{}';
    return storedRacer.catch({}).parse(tryParseJson(text));
  }

  write(id: string, racer: StoredRacer): Promise<void> {
    return this.host.files.replace(this.pathOf(id), new TextEncoder().encode(JSON.stringify(racer)));
  }

  private pathOf(id: string): string {
    const { files, pathOf } = this.host;
    return [BRANCH_FILES, id, NAME].reduce((path, name) => files.join(path, name), pathOf(this.folder));
  }
}
