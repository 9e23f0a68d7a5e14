import type { MessageEffects } from '../../engine/effects.ts';
import type { JsonObject, JsonValue } from '../../engine/json.ts';
import { isJsonObject } from '../common/chatChanges.ts';
import { folderHere, folderOnMachine } from '../../engine/machineFolder.ts';

type Rename = (folder: string) => string;

/** File changes are stored with the machine they were made on; if this one has no name, unchanged. */
export class FilePlaces {
  constructor(private readonly machine: string | undefined) {}

  /** Converts messages for storing. */
  kept<T extends { readonly effects: MessageEffects | undefined }>(message: T): T {
    const { machine } = this;
    return machine === undefined
      ? message
      : withFolders(message, (folder) => folderOnMachine(machine, folder));
  }

  /** Converts messages for this machine. */
  here<T extends { readonly effects: MessageEffects | undefined }>(message: T): T {
    const { machine } = this;
    return machine === undefined ? message : withFolders(message, (folder) => folderHere(machine, folder));
  }

  keptDetails(details: JsonObject): JsonObject {
    const { machine } = this;
    return machine === undefined ? details : renamed(details, (folder) => folderOnMachine(machine, folder));
  }

  detailsHere(details: JsonObject): JsonObject {
    const { machine } = this;
    return machine === undefined ? details : renamed(details, (folder) => folderHere(machine, folder));
  }
}

function withFolders<T extends { readonly effects: MessageEffects | undefined }>(
  message: T,
  rename: Rename,
): T {
  const { effects } = message;
  if (!effects?.files) return message;
  const files = effects.files.map((file) => ({ ...file, folder: rename(file.folder) }));
  return { ...message, effects: { ...effects, files } };
}

/** Log entries list files in `files`, each with its folder. */
function renamed(details: JsonObject, rename: Rename): JsonObject {
  const { files } = details;
  if (!Array.isArray(files)) return details;
  const named = files.map((file: JsonValue): JsonValue => {
    if (!isJsonObject(file)) return file;
    const { folder } = file;
    return typeof folder === 'string' ? { ...file, folder: rename(folder) } : file;
  });
  return { ...details, files: named };
}
