import { z } from 'zod';
import { defineTool, ToolError, type AgentTool, type ToolContext } from '../tool.ts';
import { replaceOnce } from './replaceOnce.ts';
import { readWhole } from './readTools.ts';
import type { WorkspaceHost } from './workspaceHost.ts';
import { resolvePath, type WorkspacePath } from './workspacePaths.ts';

/** What an allowance to write covers. */
export const WRITE = 'write';

const MAX_CONTENT = 2_000_000;
const pathInput = z.string().min(1).max(4_096);

/** Tools that change files of the workspace, each time with the person's leave. */
export function writeTools(host: WorkspaceHost): readonly AgentTool[] {
  return [createFile(host), editFile(host)];
}

function createFile(host: WorkspaceHost): AgentTool {
  return defineTool({
    name: 'create_file',
    description:
      'Makes a new text file in the workspace, and the folders it needs. Refuses where one is already.',
    input: z.object({ path: pathInput, content: z.string().max(MAX_CONTENT) }),
    mustFinish: true,
    run: async ({ path, content }, context) => {
      const at = await resolvePath(host.folders(), path);
      if (await exists(at)) {
        throw new ToolError(`There is a ${at.shown} already. Use edit_file to change it.`, 'exists');
      }
      const after = content.toWellFormed();
      await write(host, context, { at, before: null, beforeText: null, after });
      return { text: `Created ${at.shown}.` };
    },
  });
}

function editFile(host: WorkspaceHost): AgentTool {
  return defineTool({
    name: 'edit_file',
    description:
      'Changes a text file of the workspace by replacing one piece of text. oldText has to be in the file exactly ' +
      'once, with the same blanks and line ends: take enough lines around the change to make it so.',
    input: z.object({
      path: pathInput,
      oldText: z.string().min(1).max(MAX_CONTENT),
      newText: z.string().max(MAX_CONTENT),
    }),
    mustFinish: true,
    run: async ({ path, oldText, newText }, context) => {
      const at = await resolvePath(host.folders(), path);
      if (host.hasUnsavedChanges(at.fsPath)) {
        throw new ToolError(
          `The person has changes of ${at.shown} in the editor that are not saved. Ask them to save the file first.`,
          'unsaved-changes',
        );
      }
      const before = await readWhole(at);
      const beforeText = exactText(at, before);
      const after = replaceOnce(at.shown, beforeText, oldText, newText.toWellFormed());
      await write(host, context, { at, before, beforeText, after });
      return { text: `Changed ${at.shown}.` };
    },
  });
}

interface Write {
  readonly at: WorkspacePath;
  readonly before: Uint8Array | null;
  readonly beforeText: string | null;
  readonly after: string;
}

async function write(
  host: WorkspaceHost,
  { approve, files, signal }: ToolContext,
  { at, before, beforeText, after }: Write,
): Promise<void> {
  if (!files) throw new ToolError('Files cannot be written here.', 'no-writer');
  const { shown, fsPath } = at;
  await approve({
    kind: WRITE,
    protection: at.protection,
    preview: { shown, fsPath, before: beforeText, after },
  });
  signal.throwIfAborted();
  // While the person made up their mind, a link may have been put in the way.
  const again = await resolvePath(host.folders(), fsPath);
  if (again.fsPath !== fsPath) throw new ToolError(`${shown} leads elsewhere by now.`, 'moved');
  if (host.hasUnsavedChanges(fsPath)) {
    throw new ToolError(`${shown} was changed in the editor meanwhile. Read it again.`, 'unsaved-changes');
  }
  await files.write(at, before, new TextEncoder().encode(after));
}

async function exists(at: WorkspacePath): Promise<boolean> {
  try {
    await readWhole(at);
    return true;
  } catch (error) {
    // A folder, or a file that cannot be read, is there as well.
    return !(error instanceof ToolError && error.code === 'not-found');
  }
}

/** The text byte for byte: what could not be written back as it was is not edited. */
function exactText(at: WorkspacePath, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new ToolError(`${at.shown} is not text in UTF-8 and cannot be edited.`, 'binary', { cause: error });
  }
}
