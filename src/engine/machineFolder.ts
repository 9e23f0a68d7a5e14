// A folder has the same URI on many machines. Where several share a conversation, its changes of files name the machine,
// so that nobody's files are changed by what happened elsewhere.

const MARK = 'machine:';

/** The folder as others know it. One that names its machine already stays as it is. */
export function folderOnMachine(machine: string, folder: string): string {
  return isOnNamedMachine(folder) ? folder : `${MARK}${encodeURIComponent(machine)}/${folder}`;
}

/** The folder as this machine knows it; that of another one stays as it is. */
export function folderHere(machine: string, folder: string): string {
  const ours = `${MARK}${encodeURIComponent(machine)}/`;
  return folder.startsWith(ours) ? folder.slice(ours.length) : folder;
}

/** Whether a folder is one of another machine. */
export function isOnNamedMachine(folder: string): boolean {
  return folder.startsWith(MARK);
}
