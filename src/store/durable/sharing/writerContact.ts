import { z } from 'zod';
import type { StorageFiles } from '../storageFiles.ts';

const contactSchema = z.object({
  version: z.literal(1),
  /** The machine. */
  host: z.string(),
  /** Where the folder was when this was written: a copy elsewhere is not valid. */
  folder: z.string(),
  address: z.string().min(1),
  secret: z.string().min(32),
});

/** Where the writing process can be reached, and the proof that the reader may read the file. */
export type WriterContact = Omit<z.infer<typeof contactSchema>, 'version' | 'folder'>;

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
