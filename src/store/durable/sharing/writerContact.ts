import { z } from 'zod';
import type { StorageFiles } from '../storageFiles.ts';

const contactSchema = z.object({
  version: z.literal(1),
  /** The machine. */
  host: z.string(),
  /** Where it lay when it was written: a copy of it elsewhere leads nowhere. */
  folder: z.string(),
  address: z.string().min(1),
  secret: z.string().min(32),
});

/** Where the process that writes can be reached, and what proves that it was allowed to look. */
export type WriterContact = Omit<z.infer<typeof contactSchema>, 'version' | 'folder'>;

/** @returns undefined when there is none, it is a copy, or not understood */
export async function readContact(storage: StorageFiles): Promise<WriterContact | undefined> {
  const bytes = await storage.files.read(storage.channel);
  if (!bytes) return undefined;
  try {
    const { folder, ...contact } = contactSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
    return folder === storage.folder ? contact : undefined;
  } catch {
    // Of another version, or changed by hand: nobody can be reached by it.
    return undefined;
  }
}

/** Only the owner of the file can read it. */
export async function writeContact(storage: StorageFiles, contact: WriterContact): Promise<void> {
  const { files, folder, channel } = storage;
  await files.replace(channel, new TextEncoder().encode(JSON.stringify({ version: 1, folder, ...contact })));
}
