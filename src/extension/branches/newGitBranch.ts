import * as vscode from 'vscode';
import type { BranchData, MessageData } from '../../engine/graph.ts';
import { keyOf } from '../../files/contentVersion.ts';
import type { BranchFileChange, BranchFiles } from '../../host/branchFiles.ts';
import { isSameContent, mergeChanges } from '../../host/branchMerge.ts';
import type { CommittedFiles } from '../../host/committedFiles.ts';
import type { FileContent, FileLocation } from '../../host/workspaceFiles.ts';
import type { MergedChange } from '../files/keepBranchFiles.ts';
import { requireFolders } from '../files/knownOwnFiles.ts';
import { workspaceFolders } from '../files/openFolders.ts';
import { pickChanges } from '../files/pickChanges.ts';
import { askText } from '../ui/inputBox.ts';
import { choose, notify } from '../ui/notifications.ts';
import { oneLine } from '../ui/shownName.ts';
import { questionsOf } from './commitText.ts';
import type { KeepContext } from './keepBranch.ts';
import { offerPullRequest } from './pullRequest.ts';

/** How long the first line of a message is proposed, in characters: longer ones are cut where commits are listed. */
const SUBJECT_LENGTH = 72;

/** How many files are listed before the commit. */
const MAX_LISTED = 15;

/** Commits what a branch changed, as far as the user selects it, to a new branch of the repository. */
export async function createGitBranch(deps: KeepContext, branch: BranchData): Promise<void> {
  requireFolders();
  const { labels, ownFiles } = deps;
  const label = await labels.label(branch.chatId, branch.name);
  const host = await ownFiles.host();
  const path = await pathOf(deps, branch);
  const found = await changesSinceCommit(deps, { host, branch, path });
  if (found.changes.length === 0) {
    void notify.information(vscode.l10n.t('“{0}” changed no files that aren’t committed.', label));
    return;
  }
  const changes = await pickChanges(found.changes, {
    title: vscode.l10n.t('Commit Files of “{0}”', label),
    placeholder: vscode.l10n.t('Unselected files won’t be committed'),
    placesPlaceholder: vscode.l10n.t('Unselected changes won’t be committed'),
  });
  if (!changes || changes.length === 0) return;
  const name = await askText({
    title: vscode.l10n.t('Create Git Branch'),
    prompt: vscode.l10n.t('Commits the files of “{0}” to a new branch of the repository', label),
    value: gitNameFrom(label),
  });
  if (name === undefined || name.trim() === '') return;
  const subject = await askText({
    title: vscode.l10n.t('Commit Message'),
    prompt: vscode.l10n.t('The first line of the message'),
    value: oneLine(label, SUBJECT_LENGTH),
  });
  if (subject === undefined || subject.trim() === '') return;
  const title = subject.trim();
  const body = await chooseBody(title, questionsOf(path), changes);
  if (body === undefined) return;
  const made: CommittedFiles[] = [];
  const repositories = Map.groupBy(changes, ({ change }) => found.committed.get(change.folder)?.repository);
  for (const ofOne of repositories.values()) {
    const committed = found.committed.get(ofOne[0]?.change.folder ?? '');
    await host.createGitBranch({
      name: name.trim(),
      message: body === '' ? title : `${title}\n\n${body}`,
      commit: committed?.commit,
      files: ofOne.flatMap(({ files }) =>
        files.map(({ folder, path: file, result }) => ({ folder, path: file, content: result })),
      ),
    });
    if (committed) made.push(committed);
  }
  await offerPullRequest({ name: name.trim(), title, body, made });
}

/** The messages on the way to the end of a branch. */
async function pathOf({ store }: KeepContext, { chatId, headMessageId }: BranchData): Promise<MessageData[]> {
  return headMessageId === null ? [] : store.getPath(chatId, headMessageId);
}

interface SinceCommit {
  readonly changes: readonly MergedChange[];
  /** By the URI of a workspace folder. */
  readonly committed: ReadonlyMap<string, CommittedFiles>;
}

/** What a branch changed, merged into what is committed: changes of others to its own files stay out where they can. */
async function changesSinceCommit(
  deps: KeepContext,
  at: { readonly host: BranchFiles; readonly branch: BranchData; readonly path: readonly MessageData[] },
): Promise<SinceCommit> {
  const { host, branch, path } = at;
  const known = await deps.ownFiles.knownOf(branch.chatId);
  const record = known && (await known.hasOwn(branch)) ? await known.requireAt(branch) : undefined;
  const committed = new Map<string, CommittedFiles>();
  const committedIn = async (folder: string): Promise<CommittedFiles> => {
    const read = committed.get(folder);
    if (read) return read;
    const asked = await host.committed(folder);
    committed.set(folder, asked);
    return asked;
  };
  const all = record
    ? await host.changes(record.id)
    : await workspaceChanges(deps, { branch, path, committedIn });
  const changes: MergedChange[] = [];
  for (const change of all) {
    const contentAt = async (at: FileLocation): Promise<FileContent | null> =>
      (await committedIn(at.folder)).contentAt(at.path);
    const mergeText = host.mergeText.bind(host);
    const merged = await mergeChanges([change], { contentAt, mergeText });
    const files = merged.flatMap(({ result, ...file }) =>
      result === undefined ? [] : [{ ...file, result }],
    );
    const isMerged = files.length === merged.length && files.every(({ how }) => how !== 'conflict');
    // Where both changed the same lines, what the branch has is meant.
    const taken = isMerged ? files : await takenWhole(change, contentAt);
    if (taken.some(({ now, result }) => !isSameContent(now, result))) {
      changes.push({ change, files: taken, isMarked: false });
    }
  }
  return { changes, committed };
}

async function takenWhole(
  { folder, path, oldPath, after }: BranchFileChange,
  contentAt: (at: FileLocation) => Promise<FileContent | null>,
): Promise<MergedChange['files']> {
  const how = 'taken' as const;
  const old = oldPath === undefined ? [] : [{ folder, path: oldPath }];
  return [
    { folder, path, now: await contentAt({ folder, path }), result: after, how },
    ...(await Promise.all(old.map(async (at) => ({ ...at, now: await contentAt(at), result: null, how })))),
  ];
}

/** A branch without files of its own changed those of the workspace: they are as they are there now. */
async function workspaceChanges(
  { files, store }: KeepContext,
  {
    branch: { chatId },
    path,
    committedIn,
  }: {
    readonly branch: BranchData;
    readonly path: readonly MessageData[];
    readonly committedIn: (folder: string) => Promise<CommittedFiles>;
  },
): Promise<BranchFileChange[]> {
  const ids = new Set(path.map(({ id }) => id));
  const folders = new Set(workspaceFolders().map(({ uri }) => uri));
  const changed = (await store.listFileChanges(chatId))
    .filter(({ messageId }) => ids.has(messageId))
    .flatMap(({ files: ofMessage }) => ofMessage)
    // It had files of its own before, which are nobody’s repository.
    .filter(({ folder }) => folders.has(folder));
  const locations = new Map(
    changed.map(({ folder, path: file }) => [keyOf({ folder, path: file }), { folder, path: file }]),
  );
  const changes: BranchFileChange[] = [];
  for (const location of locations.values()) {
    const before = await (await committedIn(location.folder)).contentAt(location.path);
    const after = (await files.workspace.readEntry(location)) ?? null;
    changes.push({ ...location, before, after });
  }
  return changes;
}

/** The user sees all of the commit before it is made. @returns what follows the first line; undefined: cancelled */
async function chooseBody(
  title: string,
  questions: readonly string[],
  changes: readonly MergedChange[],
): Promise<string | undefined> {
  const listed = changes.slice(0, MAX_LISTED).map(({ change }) => change.path);
  const more = changes.length - listed.length;
  const body = questions.map((question) => `- ${question}`);
  const commit = vscode.l10n.t('Commit');
  const short = vscode.l10n.t('Commit Without Questions');
  const answer = await choose(
    vscode.l10n.t('Commit “{0}”?', title),
    [
      ...(body.length > 0 ? [[vscode.l10n.t('The message lists what you asked:'), ...body]] : []),
      [...listed, ...(more > 0 ? [vscode.l10n.t('… and {0} more', more)] : [])],
    ],
    commit,
    ...(body.length > 0 ? [short] : []),
  );
  if (answer === short) return '';
  return answer === commit ? body.join('\n') : undefined;
}

function gitNameFrom(label: string): string {
  const plain = label.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-');
  return plain.replaceAll(/^-|-$/gu, '').slice(0, 50) || 'branch';
}
