import * as vscode from 'vscode';
import type { CommittedFiles } from '../../host/committedFiles.ts';
import { OffshootError } from '../../engine/errors.ts';
import { confirm, notify } from '../ui/notifications.ts';

/** Of GitHub, for VS Code: it asks for all that a pull request needs, and pushes the branch. */
const EXTENSION = 'GitHub.vscode-pull-request-github';

type BranchRepository = Pick<CommittedFiles, 'repository' | 'remote' | 'hasGitHubTool'>;

export interface NewPullRequest {
  /** The git branch. */
  readonly name: string;
  readonly title: string;
  readonly body: string;
  /** The repositories that have the git branch. */
  readonly made: readonly BranchRepository[];
}

/** Says that the branch is there. Nothing is pushed before the user says so. */
export async function offerPullRequest(request: NewPullRequest): Promise<void> {
  const { name, made } = request;
  const text = vscode.l10n.t('Created git branch “{0}”', name);
  const [first, ...others] = made;
  // Of several repositories, each would need one.
  const create = first && others.length === 0 ? creatorFor(first) : undefined;
  const button = vscode.l10n.t('Create Pull Request…');
  const pressed = create ? await notify.information(text, button) : await notify.information(text);
  if (pressed === button) await create?.(request);
}

type CreatePullRequest = (request: NewPullRequest) => Promise<void>;

function creatorFor({
  repository: cwd,
  remote,
  hasGitHubTool,
}: BranchRepository): CreatePullRequest | undefined {
  if (remote === undefined) return undefined;
  if (vscode.extensions.getExtension(EXTENSION)) {
    return async ({ name }) => {
      await vscode.commands.executeCommand('pr.create', { repoPath: cwd, compareBranch: name });
    };
  }
  if (!hasGitHubTool) return undefined;
  return async ({ name, title, body }) => {
    const isSure = await confirm(
      vscode.l10n.t('Push “{0}” to “{1}” and create a pull request?', name, remote),
      [vscode.l10n.t('Git and the GitHub command-line tool do this in a terminal, with your accounts.')],
      vscode.l10n.t('Push and Create'),
    );
    if (!isSure) return;
    const ref = `refs/heads/${name}`;
    await runInTerminal('git', ['push', '--', remote, `${ref}:${ref}`], cwd);
    await runInTerminal('gh', ['pr', 'create', `--head=${name}`, `--title=${title}`, `--body=${body}`], cwd);
  };
}

/** Each argument as it is: no shell reads them. @throws OffshootError if it fails, which the terminal explains */
async function runInTerminal(program: string, args: string[], cwd: string): Promise<void> {
  const task = new vscode.Task(
    { type: 'process' },
    vscode.TaskScope.Workspace,
    `${program} ${args[0] ?? ''}`,
    'Offshoot',
    new vscode.ProcessExecution(program, args, { cwd }),
  );
  const ends: vscode.TaskProcessEndEvent[] = [];
  let look = (): void => undefined;
  const subscription = vscode.tasks.onDidEndTaskProcess((event) => {
    ends.push(event);
    look();
  });
  try {
    const execution = await vscode.tasks.executeTask(task);
    const exitCode = await new Promise<number | undefined>((resolve) => {
      look = () => {
        // It may have ended before this knows which one it is.
        const end = ends.find((each) => each.execution === execution);
        if (end) resolve(end.exitCode);
      };
      look();
    });
    if (exitCode === 0) return;
  } finally {
    subscription.dispose();
  }
  throw new OffshootError(
    'pull-request-failed',
    vscode.l10n.t(
      '“{0}” failed. Its terminal says why. The git branch is there.',
      `${program} ${args[0] ?? ''}`,
    ),
  );
}
