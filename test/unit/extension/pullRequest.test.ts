import assert from 'node:assert/strict';
import type { NewPullRequest } from '../../../src/extension/branches/pullRequest.ts';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';

interface World {
  readonly hasExtension?: boolean;
  readonly hasGitHubTool?: boolean;
  readonly hasRemote?: boolean;
  /** How many have the git branch. */
  readonly repositories?: number;
  /** What is pressed in the notification and in the question. */
  readonly presses?: readonly string[];
  readonly exitCode?: number;
}

/** What VS Code was asked to do. */
async function offer({
  hasExtension = false,
  hasGitHubTool = true,
  hasRemote = true,
  repositories = 1,
  presses = [],
  exitCode = 0,
}: World): Promise<{ readonly buttons: string[]; readonly ran: string[][]; readonly commands: unknown[] }> {
  const buttons: string[] = [];
  const ran: string[][] = [];
  const commands: unknown[] = [];
  const press = (_text: string, _options: unknown, ...items: { title: string }[]) => {
    buttons.push(...items.map(({ title }) => title));
    return Promise.resolve(items.find(({ title }) => presses.includes(title)));
  };
  class ProcessExecution {
    constructor(
      readonly program: string,
      readonly args: string[],
      readonly options: { readonly cwd: string },
    ) {}
  }
  class Task {
    constructor(
      readonly definition: unknown,
      readonly scope: unknown,
      readonly name: string,
      readonly source: string,
      readonly execution: ProcessExecution,
    ) {}
  }
  const listeners = new Set<(event: unknown) => void>();
  const more = {
    window: { showInformationMessage: press, showWarningMessage: press },
    extensions: { getExtension: () => (hasExtension ? {} : undefined) },
    commands: { executeCommand: (...args: unknown[]) => Promise.resolve(void commands.push(args)) },
    Task,
    TaskScope: { Workspace: 2 },
    ProcessExecution,
    tasks: {
      onDidEndTaskProcess: (listener: (event: unknown) => void) => {
        listeners.add(listener);
        return { dispose: () => listeners.delete(listener) };
      },
      executeTask: ({ execution }: Task) => {
        ran.push([execution.options.cwd, execution.program, ...execution.args]);
        const running = {};
        // One that ends before anybody knows it.
        for (const listener of listeners) listener({ execution: running, exitCode });
        return Promise.resolve(running);
      },
    },
  };
  const request: NewPullRequest = {
    name: 'attempt',
    title: '--title "x" $(y)',
    body: '- a\n- b',
    made: Array.from({ length: repositories }, (_, index) => ({
      repository: index === 0 ? '/repo' : `/repo-${index}`,
      remote: hasRemote ? 'origin' : undefined,
      hasGitHubTool,
    })),
  };
  const { offerPullRequest } = await withVsCodeStub(
    () => import('../../../src/extension/branches/pullRequest.ts'),
    more,
  );
  try {
    await offerPullRequest(request);
  } finally {
    assert.equal(listeners.size, 0, 'nothing listens any more');
  }
  return { buttons, ran, commands };
}

const CREATE = 'Create Pull Request…';

describe('a pull request of a branch', () => {
  it('is not offered where nothing could make it', async () => {
    for (const world of [
      { hasGitHubTool: false },
      { repositories: 2 },
      { hasRemote: false },
      { hasRemote: false, hasExtension: true },
    ]) {
      assert.deepEqual(await offer({ presses: [CREATE], ...world }), { buttons: [], ran: [], commands: [] });
    }
  });

  it('is left to the extension of GitHub where it is installed', async () => {
    const { ran, commands } = await offer({ hasExtension: true, presses: [CREATE] });
    assert.deepEqual(ran, []);
    assert.deepEqual(commands, [['pr.create', { repoPath: '/repo', compareBranch: 'attempt' }]]);
  });

  it('pushes nothing unasked', async () => {
    assert.deepEqual((await offer({ presses: [] })).ran, []);
    const { buttons, ran } = await offer({ presses: [CREATE] });
    assert.deepEqual(buttons, [CREATE, 'Push and Create']);
    assert.deepEqual(ran, []);
  });

  it('is pushed and made by programs that get each text as it is', async () => {
    const { ran } = await offer({ presses: [CREATE, 'Push and Create'] });
    assert.deepEqual(ran, [
      ['/repo', 'git', 'push', '--', 'origin', 'refs/heads/attempt:refs/heads/attempt'],
      ['/repo', 'gh', 'pr', 'create', '--head=attempt', '--title=--title "x" $(y)', '--body=- a\n- b'],
    ]);
  });

  it('is not made where the branch could not be pushed', async () => {
    const failing = offer({ presses: [CREATE, 'Push and Create'], exitCode: 128 });
    await assert.rejects(failing, { code: 'pull-request-failed' });
  });
});
