import * as vscode from 'vscode';
import { nameFor, PROMPT_FOLDERS } from '../../agent/prompts/findPrompts.ts';
import type { Conversations } from '../../conversation/conversations.ts';
import { OffshootError } from '../../engine/errors.ts';
import { uriBelow } from '../../host/fileUri.ts';
import type { GuardedFiles } from '../../host/guardedFiles.ts';
import { reservedNames } from '../../protocol/slashCommands.ts';
import { messageIdOf } from '../commands/commandArguments.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import { editorTexts } from '../files/editorEncodings.ts';
import { askText } from '../ui/inputBox.ts';
import { pickOne } from '../ui/quickPick.ts';
import type { PromptsWork } from './prompts.ts';
import { listPrompts, takePrompt } from './takePrompt.ts';

/** What agent files need is loaded with the commands as well. */
export { AgentReader } from './readAgents.ts';

/** The code prompts need once a slash is typed, loaded with the commands: splitting the file would save nothing. */
export const promptsWork: PromptsWork = { listPrompts, takePrompt };

export function promptsCommands({
  conversations,
  guarded,
}: {
  readonly conversations: Conversations;
  readonly guarded: GuardedFiles;
}): CommandHandlers<'createPromptFile' | 'saveAsPrompt'> {
  return {
    createPromptFile: () => createPromptFile(guarded, template()),
    saveAsPrompt: async (argument) => {
      const messageId = messageIdOf(argument);
      if (messageId === undefined) return;
      const text = await conversations.textOf(messageId);
      await createPromptFile(guarded, `---\ndescription: \n---\n${text.trim()}\n`);
    },
  };
}

/** An existing file is opened as it is. */
async function createPromptFile(guarded: GuardedFiles, content: string): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    throw new OffshootError(
      'restricted',
      vscode.l10n.t('Prompt files are off in Restricted Mode. Trust the workspace first.'),
    );
  }
  const folders = guarded.folders();
  if (folders.length === 0) {
    throw new OffshootError('no-folder', vscode.l10n.t('No folder is open. Open one and try again.'));
  }
  const rows = folders.flatMap(({ name, uri }) =>
    PROMPT_FOLDERS.map(({ folder }) => ({
      label: folders.length > 1 ? `${name}/${folder}` : folder,
      description:
        folder === '.github/prompts'
          ? vscode.l10n.t('Also for other agents and VS Code’s chat')
          : vscode.l10n.t('For Offshoot alone'),
      uri: uriBelow(uri, folder),
    })),
  );
  const place = await pickOne(rows, { title: vscode.l10n.t('Select a folder for the prompt file') });
  if (!place) return;
  const given = await askText({
    title: vscode.l10n.t('Create Prompt File'),
    prompt: vscode.l10n.t('What is typed behind the slash to run it'),
    placeHolder: 'review',
    validateInput: nameProblem,
  });
  const name = given === undefined ? undefined : nameFor(given.trim());
  if (name === undefined) return;
  const at = await guarded.resolveForWriting({ uri: `${place.uri}/${encodeURIComponent(name)}.prompt.md` });
  const uri = vscode.Uri.parse(at.uri, true);
  if (!(await exists(uri))) {
    await vscode.workspace.fs.writeFile(uri, await editorTexts.contentOfNew(uri.toString(), content));
  }
  await vscode.window.showTextDocument(uri, { preview: false });
}

function nameProblem(given: string): string | undefined {
  const name = nameFor(given.trim());
  if (name === undefined) return vscode.l10n.t('Enter a name of letters and digits.');
  return reservedNames.has(name) ? vscode.l10n.t('/{0} is a command. Enter another name.', name) : undefined;
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}

function template(): string {
  return `---
description: ${vscode.l10n.t('What this prompt does')}
# agent: ask
# tools: ['search', 'read', 'edit', 'execute']
# model: GPT-5
# argument-hint: ${vscode.l10n.t('what to type behind its name')}
---
${vscode.l10n.t('Review {0} for {1}.', '${file}', '${input:focus:what to look for}')}

\${selection}
`;
}
