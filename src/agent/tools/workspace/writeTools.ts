import { z } from 'zod';
import type { GuardedFiles } from '../../../host/guardedFiles.ts';
import { defineTool } from '../tool.ts';
import { ToolError } from '../toolError.ts';
import { pathInput } from './readTools.ts';
import { membersOf } from '../../../models/requests/schemaMembers.ts';
import type { WorkspaceHost } from './workspaceHost.ts';

/** The longest text that is written in one call, in UTF-16 units. */
const MAX_CONTENT = 2_000_000;

const MAX_EDITS = 100;

export const writeTools = (host: WorkspaceHost) =>
  [writeFile(host), editFile(host), deleteFile(host), renameFile(host), createFolder(host.guarded)] as const;

const writeFileInput = z.object({ path: pathInput, content: z.string().max(MAX_CONTENT) });

function writeFile(host: WorkspaceHost) {
  return defineTool({
    name: 'write_file',
    description:
      'Writes a whole text file of the workspace: a new one, with the folders it needs, or all of an existing one ' +
      'again. To change parts of a file use edit_file.',
    input: writeFileInput,
    mustFinish: true,
    run: async (input, context) => (await import('./writeWork.ts')).writeFile(host, input, context),
  });
}

const replacement = z.object({
  oldText: z.string().min(1).max(MAX_CONTENT),
  newText: z.string().max(MAX_CONTENT),
});

const editFileInput = z.object({
  path: pathInput,
  edits: z.array(replacement).min(1).max(MAX_EDITS),
});

/** Models and conversations of earlier versions give one replacement next to the path. */
function editsInOneForm(given: Readonly<Record<string, unknown>>): object {
  const { oldText, newText, edits, ...rest } = given;
  const one = {
    ...(oldText === undefined ? {} : { oldText }),
    ...(newText === undefined ? {} : { newText }),
  };
  const isEmpty = edits === undefined || edits === null || (Array.isArray(edits) && edits.length === 0);
  // Members that a model fills because they are there.
  const isBlank = [oldText, newText].every((text) => text === undefined || text === null || text === '');
  if (isEmpty && !isBlank) return { ...rest, edits: [one] };
  if (isBlank) return { ...rest, ...(edits === undefined ? {} : { edits }) };
  throw new ToolError(
    'Give every replacement in edits, each with oldText and newText, and none next to path.',
    'invalid-input',
  );
}

function editFile(host: WorkspaceHost) {
  return defineTool({
    name: 'edit_file',
    description:
      'Changes a text file of the workspace by replacing pieces of its text. Each oldText has to be in the file ' +
      'exactly once, with the same blanks and line ends: take enough lines around the change to make it so. Edits are ' +
      'made in order, all of them or none.',
    input: editFileInput,
    inOneForm: editsInOneForm,
    mustFinish: true,
    run: async (input, context) => (await import('./writeWork.ts')).editFile(host, input, context),
  });
}

/** What the input of a call writes, piece by piece; undefined if it is no such call. An unfinished call may have any. */
export function changesIn(
  tool: string,
  input: unknown,
): readonly { readonly before: string; readonly after: string }[] | undefined {
  // The second one is of earlier versions.
  if (tool === 'write_file' || tool === 'create_file') {
    const { data } = writeFileInput.safeParse(input);
    return data && [{ before: '', after: data.content }];
  }
  const given = tool === 'edit_file' ? membersOf(input) : undefined;
  if (!given) return undefined;
  try {
    const { data } = editFileInput.safeParse(editsInOneForm(given));
    return data?.edits.map(({ oldText, newText }) => ({ before: oldText, after: newText }));
  } catch {
    // The call fails, and its result contains the reason.
    return undefined;
  }
}

function deleteFile(host: WorkspaceHost) {
  return defineTool({
    name: 'delete_file',
    description: 'Deletes one file of the workspace.',
    input: z.object({ path: pathInput }),
    mustFinish: true,
    run: async (input, context) => (await import('./writeWork.ts')).deleteFile(host, input, context),
  });
}

function renameFile(host: WorkspaceHost) {
  return defineTool({
    name: 'rename_file',
    description: 'Renames or moves one file of the workspace, and makes the folders it needs.',
    input: z.object({ from: pathInput, to: pathInput }),
    mustFinish: true,
    run: async (input, context) => (await import('./writeWork.ts')).renameFile(host, input, context),
  });
}

function createFolder(guard: GuardedFiles) {
  return defineTool({
    name: 'create_folder',
    description: 'Makes an empty folder in the workspace. For files, write_file makes the folders itself.',
    input: z.object({ path: pathInput }),
    mustFinish: true,
    run: async (input, context) => (await import('./writeWork.ts')).createFolder(guard, input, context),
  });
}
