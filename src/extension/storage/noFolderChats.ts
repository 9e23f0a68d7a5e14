import * as vscode from 'vscode';
import { z } from 'zod';
import type { Runs } from '../../agent/run/runs.ts';
import type { Host } from '../../host/hostMachine.ts';
import { logFailure } from '../ui/failures.ts';
import type { OpenedProject } from './openProject.ts';

export const NO_FOLDER_PREFIX = 'offshoot.noFolder.';

/** What a window without a folder notes of each chat that is used in it. */
export const usedChat = z.object({ at: z.number(), pid: z.number(), host: z.string() });

/** A chat that was begun in a window without a folder may move into the folder that is opened in that window. */
export function registerNoFolderChats(
  deps: {
    readonly globalState: vscode.Memento;
    readonly globalStorage: vscode.Uri;
    readonly host: Pick<Host, 'platformFor'>;
    readonly log: vscode.LogOutputChannel;
    readonly project: OpenedProject;
    readonly runs: Runs;
    /** Left out if the conversations are on this machine. */
    readonly workplace: object | undefined;
  },
  offer: () => Promise<void>,
): vscode.Disposable {
  const { globalState, globalStorage, host, log, project, runs, workplace } = deps;
  const failed = (error: unknown): void => logFailure(log, 'Chats without a folder', error);
  if (workplace) return vscode.Disposable.from();
  if (project.given) {
    if (globalState.keys().some((key) => key.startsWith(NO_FOLDER_PREFIX))) {
      offer().catch(failed);
    }
    return vscode.Disposable.from();
  }
  const { owner } = host.platformFor(globalStorage.toString());
  const noted = new Set<string>();
  return vscode.Disposable.from(
    runs.onDidChange(({ run: { chatId } }) => {
      if (noted.has(chatId)) return;
      noted.add(chatId);
      const note: z.infer<typeof usedChat> = { at: Date.now(), pid: owner.pid, host: owner.host };
      globalState.update(NO_FOLDER_PREFIX + chatId, note).then(undefined, failed);
    }),
  );
}
