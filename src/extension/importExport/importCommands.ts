import * as vscode from 'vscode';
import type { Conversations } from '../../conversation/conversations.ts';
import type { Chosen, ImportOutcome, Imports } from '../../conversation/imports.ts';
import type { BatchList, FoundChat, ImportBatch } from '../../importExport/importBatch.ts';
import { programs } from '../../importExport/importPrograms.ts';
import type { ChatsOfUser } from '../commands/pickChat.ts';
import type { ShownChat } from '../commands/currentChat.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import { messagesText, momentText, sentences } from '../ui/formats.ts';
import { logFailure, messageOf } from '../ui/failures.ts';
import { notify } from '../ui/notifications.ts';
import { oneLine } from '../ui/shownName.ts';
import { withProgress } from '../ui/progress.ts';
import { pickMany, pickOne, type PickRow } from '../ui/quickPick.ts';
import { ChosenFiles } from './chosenFiles.ts';
import { findSessions, localFolders, type ForeignPlaces } from './foreignSessions.ts';
import type { ImportReports } from './importReports.ts';
import { hasDetails, outcomeText, reportDocument } from './importReportText.ts';

export function importCommands(
  deps: ChatsOfUser & {
    readonly conversations: Conversations;
    readonly foreign: ForeignPlaces;
    readonly importReports: ImportReports;
    readonly log: vscode.LogOutputChannel;
  },
  chat: ShownChat,
): CommandHandlers<'import' | 'openInOffshoot'> {
  return {
    openInOffshoot: async (file, selection) => {
      const files = urisOf(file, selection);
      if (files.length === 0) {
        void notify.information(vscode.l10n.t('Open a file of conversations first.'));
        return;
      }
      const importing = new Importing(deps, chat, await deps.conversations.imports());
      await importing.fromFiles(files, true);
    },
    import: async (given) => {
      const imports = await deps.conversations.imports();
      const importing = new Importing(deps, chat, imports);
      if (given instanceof vscode.Uri) await importing.fromFiles([given], false);
      else {
        const from = await askWhereFrom(deps.foreign, imports);
        if (from === 'sessions') await importing.fromSessions();
        else if (from === 'files') await importing.fromFiles(await askForFiles(), true);
      }
    },
  };
}

/** The files of a menu, several if they are selected in the Explorer; else the file in the editor. */
function urisOf(file: unknown, selection: unknown): vscode.Uri[] {
  const given = (Array.isArray(selection) ? (selection as unknown[]) : [file]).filter(
    (each) => each instanceof vscode.Uri,
  );
  const active = vscode.window.activeTextEditor?.document;
  return given.length > 0 ? given : active && !active.isUntitled ? [active.uri] : [];
}

class Importing {
  constructor(
    private readonly deps: Parameters<typeof importCommands>[0],
    private readonly chat: ShownChat,
    private readonly imports: Imports,
  ) {}

  async fromSessions(): Promise<void> {
    const title = vscode.l10n.t('Looking for sessions');
    const list = await this.during(title, (signal, tell) => {
      const found = this.imports.list(signal);
      return findSessions(this.deps.foreign, this.imports, found, Date.now(), tell).then(() => found);
    });
    if (!list) return;
    if (list.batches.length === 0) {
      await this.tellNothingFound(list);
      return;
    }
    await this.take(list, await chosenOf(list.batches, false));
  }

  /** @param asks lets the user choose if there are several */
  async fromFiles(files: readonly vscode.Uri[], asks: boolean): Promise<void> {
    if (files.length === 0) return;
    const chosenFiles = new ChosenFiles(this.deps.foreign, this.imports);
    try {
      const list = await this.during(vscode.l10n.t('Reading'), async (signal, tell) => {
        const found = this.imports.list(signal);
        for (const file of files) {
          tell(file.path.slice(file.path.lastIndexOf('/') + 1));
          await chosenFiles.add(found, file, Date.now());
        }
        return found;
      });
      if (!list) return;
      const all = list.batches.map((batch) => ({ batch, found: batch.found }));
      const isOne = all.length === 1 && all[0]?.found.length === 1;
      await this.take(list, asks && !isOne && all.length > 0 ? await chosenOf(list.batches, true) : all);
    } finally {
      chosenFiles.dispose();
    }
  }

  private async take(list: BatchList, chosen: readonly Chosen[] | undefined): Promise<void> {
    if (!chosen) return;
    for (const { error } of list.unread) logFailure(this.deps.log, 'Import', error);
    if (chosen.length === 0) {
      // An unreadable file does not block the others; if it is the only one, there is nothing else to report.
      for (const { name, error } of list.unread) await this.tellFailure(name, error);
      return;
    }
    const title = vscode.l10n.t('Importing');
    const outcome = await this.during(title, (signal, tell) =>
      this.imports.take(chosen, Date.now(), signal, (each) => tell(oneLine(each ?? '', 60))),
    );
    if (!outcome) return;
    for (const { error } of outcome.failed) logFailure(this.deps.log, 'Import', error);
    const first = outcome.created[0] ?? outcome.extended[0]?.chatId ?? outcome.unchanged[0];
    if (first !== undefined) {
      await this.deps.current.open(first);
      await this.chat.focus();
    }
    void this.report(outcome, list);
  }

  private async report(outcome: ImportOutcome, { unread }: BatchList): Promise<void> {
    const { created, extended, unchanged, failed } = outcome;
    const ids = [...created, ...extended.map(({ chatId }) => chatId), ...unchanged];
    const titles = new Map<string, string>();
    for (const id of ids)
      titles.set(id, (await this.deps.store.getChat(id))?.title ?? vscode.l10n.t('New chat'));
    const only =
      ids.length === 1 && failed.length === 0 ? oneLine(titles.get(ids[0] ?? '') ?? '', 80) : undefined;
    const text = only === undefined || outcome.isStopped ? outcomeText(outcome) : textOfOne(only, outcome);
    if (ids.length === 1 && !hasDetails(outcome, unread)) {
      void notify.information(text);
      return;
    }
    const show = vscode.l10n.t('Show Report');
    const notified = failed.length > 0 ? notify.warning(text, show) : notify.information(text, show);
    if ((await notified) !== show) return;
    await this.deps.importReports.show(reportDocument(outcome, unread, titles));
  }

  private async tellNothingFound({ unread }: BatchList): Promise<void> {
    for (const { name, error } of unread) await this.tellFailure(name, error);
    if (unread.length > 0) return;
    const choose = vscode.l10n.t('Select Files…');
    const text = vscode.l10n.t('No sessions of other programs were found for this workspace.');
    if ((await notify.information(text, choose)) === choose) {
      await this.fromFiles(await askForFiles(), true);
    }
  }

  /** An import that failed left everything unchanged: reported while the same chat is current. */
  private async tellFailure(name: string, error: unknown): Promise<void> {
    const { store, current } = this.deps;
    const title = (await store.getChat(await current.chatId()))?.title ?? vscode.l10n.t('New chat');
    void notify.error(
      sentences(
        vscode.l10n.t('Couldn’t import {0}.', oneLine(name, 80)),
        messageOf(error),
        vscode.l10n.t('“{0}” is still open.', oneLine(title, 80)),
      ),
    );
  }

  /** @returns undefined when it was canceled, or failed and this was reported */
  private async during<T>(
    title: string,
    work: (signal: AbortSignal, tell: (what: string) => void) => Promise<T>,
  ): Promise<T | undefined> {
    const stop = new AbortController();
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    try {
      return await withProgress(options, (progress, token) => {
        token.onCancellationRequested(() => stop.abort());
        return work(stop.signal, (message) => progress.report({ message }));
      });
    } catch (error) {
      if (stop.signal.aborted) return undefined;
      logFailure(this.deps.log, 'Import', error);
      void notify.error(messageOf(error));
      return undefined;
    }
  }
}

function textOfOne(title: string, { created, extended }: ImportOutcome): string {
  if (created.length > 0) return vscode.l10n.t('Imported “{0}”.', title);
  return extended.length > 0
    ? vscode.l10n.t('Brought “{0}” up to date.', title)
    : vscode.l10n.t('“{0}” is already up to date.', title);
}

/** Without a folder there can be no sessions. */
async function askWhereFrom(
  { files: machine }: ForeignPlaces,
  imports: Pick<Imports, 'programs'>,
): Promise<'sessions' | 'files' | undefined> {
  if (!machine || localFolders().length === 0) return 'files';
  const sessions: PickRow = {
    label: vscode.l10n.t('Sessions of This Workspace'),
    detail: imports.programs.flatMap(({ program, find }) => (find ? programs[program].name : [])).join(', '),
    icon: 'search',
  };
  const files: PickRow = {
    label: vscode.l10n.t('Files…'),
    detail: vscode.l10n.t(
      'Exports of ChatGPT, Claude.ai, LibreChat, Open WebUI, big-AGI, Cherry Studio, VS Code and Offshoot (ZIP or JSON), and session files',
    ),
    icon: 'folder-opened',
  };
  const picked = await pickOne([sessions, files], { title: vscode.l10n.t('Import') });
  return picked && (picked === sessions ? 'sessions' : 'files');
}

interface FoundRow extends PickRow {
  readonly batch: ImportBatch;
  readonly found: FoundChat;
}

/**
 * Lets the user choose, newest first.
 * @param picked whether all are selected at first: a user who opens an export wants its content
 * @returns undefined when the list was closed
 */
async function chosenOf(
  batches: readonly ImportBatch[],
  picked: boolean,
): Promise<readonly Chosen[] | undefined> {
  const all = batches.flatMap((batch) => batch.found.map((found) => ({ batch, found })));
  const rows = all
    .toSorted((one, other) => other.found.updatedAt - one.found.updatedAt)
    .map(({ batch, found }): FoundRow => ({
      label: oneLine(found.title ?? vscode.l10n.t('New chat'), 100),
      description: programs[found.program].name,
      detail: detailOf(found),
      batch,
      found,
      picked,
    }));
  const chosen = await pickMany(rows, {
    title: vscode.l10n.t('Import'),
    placeHolder: vscode.l10n.t('Select conversations to import'),
    matchOnDescription: true,
  });
  if (!chosen) return undefined;
  return batches.flatMap((batch) => {
    const found = chosen.flatMap((row) => (row.batch === batch ? [row.found] : []));
    return found.length > 0 ? [{ batch, found }] : [];
  });
}

function detailOf({ updatedAt, messages, branches }: FoundChat): string {
  const parts = [momentText(updatedAt), messagesText(messages)];
  if (branches > 1) parts.push(vscode.l10n.t('{0} branches', branches));
  return parts.join(' · ');
}

async function askForFiles(): Promise<readonly vscode.Uri[]> {
  const files = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Import'),
    openLabel: vscode.l10n.t('Import'),
    canSelectMany: true,
    filters: { [vscode.l10n.t('Conversations')]: ['json', 'jsonl', 'zip', 'db', 'vscdb'] },
  });
  return files ?? [];
}
