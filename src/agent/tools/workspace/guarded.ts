import { WorkspaceFileError } from '../../../host/workspaceFiles.ts';
import { ToolError } from '../toolError.ts';

/** Runs work that the path guard may refuse; the model gets the refusal's message. @throws ToolError */
export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof WorkspaceFileError) throw toolErrorFor(error);
    if (error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error) {
      throw new ToolError(`The system refuses it (${error.code}).`, 'unreadable', { cause: error });
    }
    throw error;
  }
}

function toolErrorFor(error: WorkspaceFileError): ToolError {
  return new ToolError(messageFor(error), error.code, { cause: error });
}

function messageFor({ code, path, meant }: WorkspaceFileError): string {
  switch (code) {
    case 'invalid-path':
      return (
        `“${path}” is not a path that can be used. Give a path below the workspace folder, with names that mean the ` +
        'same on every system, and no scheme.'
      );
    case 'no-folder':
      return 'No folder is open in the editor.';
    case 'which-folder':
      return `Several folders are open. Begin “${path}” with the name of one of them; list_files lists them.`;
    case 'ambiguous':
      return `“${path}” can mean each of these: ${meant.join(', ')}. Name one of them.`;
    case 'outside-workspace':
      return `“${path}” is not in the folders that are open in the editor. Only files there can be used.`;
    case 'git-repository':
      return (
        `“${path}” belongs to a git repository itself, or would make one. No tool reads or writes there; use another ` +
        'folder or name.'
      );
    case 'is-folder':
      return `${path} is a folder. Use list_files.`;
    case 'not-found':
      return `There is no ${path === '' ? 'such folder' : path}.`;
    case 'not-a-file':
      return `${path} is not a file.`;
    case 'changed':
      return `${path} has changed since it was shown, and was skipped. Read it again.`;
    case 'read-only':
      return `“${path}” cannot be changed: the folder can only be read. Say what you would change instead.`;
    case 'no-permission':
      return (
        `“${path}” belongs to another user, or is locked, and cannot be written. It is not replaced, since that would ` +
        'change whose it is. Tell the user.'
      );
    case 'mounted':
      return `“${path}” is mounted from elsewhere: it can be edited, but neither deleted nor renamed.`;
    case 'other-disk':
      return `“${path}” is on another disk: a file cannot be moved there. Tell the user.`;
    case 'other-machine':
      return `“${path}” was changed on another machine. It is not here.`;
    case 'unsaved':
      return (
        `The user has changes of ${path} that are not saved, in an editor that does not give them away. Ask them to ` +
        'save or revert the file first.'
      );
    case 'unreachable':
      return `“${path}” cannot be reached.`;
  }
}
