import * as vscode from 'vscode';
import { z } from 'zod';

const FILE = 'machine.txt';

const name = z.uuid();

/**
 * The name of this machine in a shared store, where changes of files name the machine they were made on. It is stored
 * with the extension's own files, on the machine with the folders: on the remote one, if the window works on one.
 */
export async function machineName(globalStorage: vscode.Uri): Promise<string> {
  const file = vscode.Uri.joinPath(globalStorage, FILE);
  const known = await read(file);
  if (known !== undefined) return known;
  await vscode.workspace.fs.createDirectory(globalStorage);
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(crypto.randomUUID()));
  const written = await read(file);
  if (written === undefined) throw new Error(`${file.toString()} can’t be read.`);
  return written;
}

async function read(file: vscode.Uri): Promise<string | undefined> {
  try {
    return name.safeParse(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)).trim()).data;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}
