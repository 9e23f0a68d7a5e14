import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { BranchData } from '../../src/engine/graph.ts';
import type { TreeNode } from '../../src/extension/tree/treeNodes.ts';
import type { BranchFilesRecord } from '../../src/host/branchFiles.ts';
import { answer, lastQuestion, useTools, type OpenAiServer } from '../fixtures/openaiServer.ts';
import { FolderFiles } from './folderFiles.ts';
import { useShownTree, type ShownTree } from './shownTree.ts';
import { ask, setSetting, useModelServer } from './support.ts';

export interface BranchRow {
  readonly kind: 'branch';
  readonly chatId: string;
  readonly name: string;
}

export interface OwnFilesWorld {
  readonly shown: () => ShownTree;
  /** Those of the test in the workspace. */
  readonly files: () => FolderFiles;
  readonly server: () => OpenAiServer;
  readonly secondBranch: () => Promise<BranchRow>;
  readonly changedBranch: () => Promise<BranchRow>;
  readonly ownText: (record: Pick<BranchFilesRecord, 'folders'>, name: string) => Promise<string>;
  readonly activeBranch: () => Promise<BranchData>;
  readonly ownOfActive: () => Promise<BranchFilesRecord>;
  readonly descriptions: () => Promise<string[]>;
  readonly results: () => Promise<string>;
}

/** Chats whose branches get files of their own, which are gone after each test. */
export function useOwnFiles(): OwnFilesWorld {
  const shown = useShownTree();
  let files: FolderFiles;
  const server = useModelServer((request) => {
    if (request.body.messages.at(-1)?.role === 'tool') return answer('Done.');
    switch (lastQuestion(request)) {
      case 'write':
      case 'Implement this plan.':
        return useTools(
          ['write_file', { path: files.path('made.txt'), content: 'made\n' }],
          ['write_file', { path: files.path('there.txt'), content: 'ONE\ntwo\nthree\n' }],
        );
      case 'write more':
        return useTools(['write_file', { path: files.path('made.txt'), content: 'more\n' }]);
      case 'find':
        return useTools(['search_files', { query: 'made' }], ['find_files', { pattern: '**/made.txt' }]);
      case 'run':
        return useTools(['run_command', { command: 'cat made.txt && pwd', folder: files.path('.') }]);
      default:
        return answer('Hello.');
    }
  });
  beforeEach(async () => {
    files = FolderFiles.forOneTest('own-files');
    await setSetting('tools.edits', 'reviewAfterwards');
    await files.write('there.txt', 'one\ntwo\nthree\n');
  });
  afterEach(async () => {
    await setSetting('tools.edits', undefined);
    const { ownFiles } = shown().api.parts;
    const host = await (await ownFiles.load()).host();
    for (const { id } of await host.list()) await host.remove(id);
    await ownFiles.refresh();
    await files.remove();
  });

  /** A second branch of a new chat, which is the active one. */
  async function secondBranch(): Promise<BranchRow> {
    const { api } = shown();
    const { conversations, current } = api.parts;
    await ask(api, 'hello');
    const head = (await conversations.path()).at(-1)?.id ?? assert.fail('nothing was said');
    const { to } = await conversations.rewind(head);
    await conversations.keepActiveBranch();
    return { kind: 'branch', chatId: await current.chatId(), name: to.name };
  }

  /** Another that begins where it does, with files of its own in which something was changed. */
  async function changedBranch(): Promise<BranchRow> {
    const branch = await secondBranch();
    await vscode.commands.executeCommand('offshoot.workInOwnFiles', branch);
    await ask(shown().api, 'write');
    return branch;
  }

  /** A file as the branch has it. */
  async function ownText({ folders }: Pick<BranchFilesRecord, 'folders'>, name: string): Promise<string> {
    const uri = vscode.Uri.joinPath(vscode.Uri.parse(folders[0]?.uri ?? '', true), files.path(name));
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  }

  const activeBranch = async () => {
    const { current, store } = shown().api.parts;
    return (await store.getActiveBranch(await current.chatId())) ?? assert.fail('there is no branch');
  };
  /** Those that the chat works with now. */
  const ownOfActive = async (): Promise<BranchFilesRecord> =>
    (await (await shown().api.parts.ownFiles.known())?.openAt(await activeBranch())) ??
    assert.fail('it has no files');

  const descriptions = async (): Promise<string[]> => {
    shown().reopen();
    const { tree, openChat } = shown();
    const below = async (node: TreeNode): Promise<string[]> => {
      const texts: string[] = [];
      for (const child of await tree.getChildren(node)) {
        texts.push(String((await tree.getTreeItem(child)).description), ...(await below(child)));
      }
      return texts;
    };
    return below(await openChat());
  };
  const results = async (): Promise<string> => JSON.stringify(await shown().api.parts.conversations.path());

  return {
    shown,
    files: () => files,
    server,
    secondBranch,
    changedBranch,
    ownText,
    activeBranch,
    ownOfActive,
    descriptions,
    results,
  };
}
