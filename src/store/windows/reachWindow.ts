import { OffshootError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import { z } from 'zod';
import type { StorageFiles } from '../durable/storageFiles.ts';

/** How long a question waits for another window to take over, in milliseconds. */
const TAKEOVER_MS = 3_000;

/** The pause between two attempts, in milliseconds. */
const RETRY_MS = 50;

export class NoWindowError extends OffshootError {
  constructor() {
    super(
      'no-window',
      defineMessage(
        'No VS Code window has these conversations open, so nobody can be asked. Open the workspace in VS Code with Offshoot, then try again.',
      ),
    );
  }
}

/** A contact file left by an ended window means that another may be about to take over. @throws NoWindowError */
export async function reachWindow<T>(
  connect: () => Promise<T | undefined>,
  hasContact: () => Promise<boolean>,
  { signal, delay }: { readonly signal: AbortSignal; readonly delay: (ms: number) => Promise<void> },
): Promise<T> {
  const end = performance.now() + TAKEOVER_MS;
  for (;;) {
    const client = await connect();
    if (client !== undefined) return client;
    signal.throwIfAborted();
    if (!(await hasContact()) || performance.now() > end) throw new NoWindowError();
    await delay(RETRY_MS);
  }
}

const contactSchema = z.object({
  version: z.literal(1),
  host: z.string(),
  /** Where the folder was when this was written: a copy elsewhere is not valid. */
  folder: z.string(),
  address: z.string().min(1),
  secret: z.string().min(32),
});

/** Where the writing process can be reached, and the proof that the reader may read the file. */
type WriterContact = Omit<z.infer<typeof contactSchema>, 'version' | 'folder'>;

/** @returns undefined when there is none, or it is a copy or unreadable */
export async function readContact(storage: StorageFiles): Promise<WriterContact | undefined> {
  const bytes = await storage.files.read(storage.channel);
  if (!bytes) return undefined;
  try {
    const { folder, ...contact } = contactSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
    return folder === storage.folder ? contact : undefined;
  } catch {
    // From another version, or edited by hand: it cannot be used.
    return undefined;
  }
}

/** Only the owner of the file can read it. */
export async function writeContact(storage: StorageFiles, contact: WriterContact): Promise<void> {
  const { files, folder, channel } = storage;
  await files.replace(channel, new TextEncoder().encode(JSON.stringify({ version: 1, folder, ...contact })));
}
