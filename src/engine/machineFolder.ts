// A folder has the same URI on many machines. Where several share a conversation, its file changes name the machine,
// so that changes made on one machine never affect files on another.

const MARK = 'machine:';

/** The folder as other machines know it. A URI that already names its machine is returned unchanged. */
export function folderOnMachine(machine: string, folder: string): string {
  return isOnNamedMachine(folder) ? folder : `${MARK}${encodeURIComponent(machine)}/${folder}`;
}

/** The folder as this machine knows it; a folder of another machine is returned unchanged. */
export function folderHere(machine: string, folder: string): string {
  const ours = `${MARK}${encodeURIComponent(machine)}/`;
  return folder.startsWith(ours) ? folder.slice(ours.length) : folder;
}

/** Whether a folder belongs to another machine. */
export function isOnNamedMachine(folder: string): boolean {
  return folder.startsWith(MARK);
}
