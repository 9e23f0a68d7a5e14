import * as vscode from 'vscode';
import { z } from 'zod';
import { OffshootError } from '../../engine/errors.ts';
import type { Reading } from '../../mcp/reading/readingTool.ts';
import { readingTools } from '../../mcp/reading/readingTools.ts';
import { inertHoverText } from '../ui/inertText.ts';
import { shownName } from '../ui/shownName.ts';

/** Of the tool names of the MCP server. */
const PREFIX = 'offshoot_';

const named = z.looseObject({
  query: z.string().optional(),
  branch: z.string().optional(),
  left: z.string().optional(),
  right: z.string().optional(),
  path: z.string().optional(),
});

/** VS Code offers to allow the tool for longer. */
export function prepareTool(name: string, input: unknown): vscode.PreparedToolInvocation {
  const { query, branch, left, right, path } = named.safeParse(input).data ?? {};
  const { doing, question } = texts(name, { query, branch, left, right, path });
  return {
    invocationMessage: doing,
    confirmationMessages: {
      title: question,
      message: [doing, vscode.l10n.t('What is found goes to the model that asks for it.')].join('\n\n'),
    },
  };
}

/** @throws Error with a message that a model reads */
export async function invokeTool(
  reading: Reading,
  name: string,
  input: unknown,
): Promise<vscode.LanguageModelToolResult> {
  // VS Code offers no tools there; a program could call one by its name.
  if (!vscode.workspace.isTrusted)
    throw new Error('The workspace is in Restricted Mode: no tools work there.');
  const tool = readingTools.find((each) => `${PREFIX}${each.name}` === name);
  if (!tool) throw new Error(`There is no tool ${JSON.stringify(name)}.`);
  try {
    const { text } = await tool.run(reading, input ?? {});
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
  } catch (error) {
    throw new Error(failureText(error), { cause: error });
  }
}

function failureText(error: unknown): string {
  if (error instanceof z.ZodError) return `Invalid input: ${z.prettifyError(error)}`;
  return error instanceof OffshootError ? error.message : 'The conversations could not be read.';
}

/** VS Code shows these texts as Markdown in a chat, and unformatted in a dialog. */
function name(given: string): string {
  return inertHoverText(shownName(given));
}

interface Named {
  readonly query: string | undefined;
  readonly branch: string | undefined;
  readonly left: string | undefined;
  readonly right: string | undefined;
  readonly path: string | undefined;
}

function texts(
  tool: string,
  { query = '', branch, left = '', right = '', path = '' }: Named,
): { readonly doing: string; readonly question: string } {
  switch (tool.slice(PREFIX.length)) {
    case 'search_conversations':
      return {
        doing: vscode.l10n.t('Searching conversations for “{0}”', name(query)),
        question: vscode.l10n.t('Search Offshoot conversations?'),
      };
    case 'read_path':
      return {
        doing:
          branch === undefined
            ? vscode.l10n.t('Reading a conversation')
            : vscode.l10n.t('Reading branch “{0}” of a conversation', name(branch)),
        question: vscode.l10n.t('Read an Offshoot conversation?'),
      };
    case 'list_checkpoints':
      return {
        doing: vscode.l10n.t('Listing checkpoints'),
        question: vscode.l10n.t('List checkpoints of an Offshoot conversation?'),
      };
    case 'compare_branches':
      return {
        doing: vscode.l10n.t('Comparing branches “{0}” and “{1}”', name(left), name(right)),
        question: vscode.l10n.t('Compare branches of an Offshoot conversation?'),
      };
    case 'explain_line':
      return {
        doing: vscode.l10n.t('Looking up who wrote lines of “{0}”', name(path)),
        question: vscode.l10n.t('Look up in Offshoot why lines were written?'),
      };
    default:
      return {
        doing: vscode.l10n.t('Listing chats and branches'),
        question: vscode.l10n.t('List Offshoot chats and branches?'),
      };
  }
}
