import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, lstat, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { writeTools } from '../../src/agent/tools/workspace/writeTools.ts';
import type { ToolContext } from '../../src/agent/tools/tool.ts';
import { ToolError } from '../../src/agent/tools/toolError.ts';
import type { TestWorkspace } from './testWorkspace.ts';

const run = promisify(execFile);

/**
 * The tool as a model calls it, by a user who allows everything.
 * @param onAsked the user is asked
 */
export function createFile(
  workspace: TestWorkspace,
  onAsked: () => void = () => undefined,
): (file: string, content: string) => Promise<boolean> {
  const { files } = workspace;
  const tool = writeTools(workspace).find(({ name }) => name === 'write_file') ?? assert.fail();
  const context: Partial<ToolContext> = {
    signal: new AbortController().signal,
    approve: () => {
      onAsked();
      return Promise.resolve();
    },
    files: {
      write: async ({ folder, path: below, identity }, before, after) => {
        assert.ok(before === null && after !== null);
        const content = { bytes: Uint8Array.from(after), mode: undefined };
        await files.write({ folder, path: below }, content, 't', { hash: null, identity });
      },
      move: () => assert.fail('nothing is moved'),
      makeFolder: async (location) => void (await files.makeFolder(location)),
      recordEdit: () => assert.fail('no editor is open'),
      recordFound: () => assert.fail('no command runs'),
      changed: () => Promise.resolve([]),
    },
  };
  return async (file, content) => {
    try {
      await tool.call({ path: file, content }, context as ToolContext);
      return true;
    } catch (error) {
      if (error instanceof ToolError && error.code === 'git-repository') return false;
      throw error;
    }
  };
}

/** A program that leaves a mark when git runs it. */
export async function spy(workspace: TestWorkspace): Promise<{ config: string; mark: string }> {
  const [program, mark] = [workspace.at('spy.sh'), `${workspace.root}-mark`];
  await writeFile(program, `#!/bin/sh\ntouch ${mark}\n`);
  await chmod(program, 0o755);
  const config = `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ${workspace.root}\n\tfsmonitor = ${program}\n`;
  return { config, mark };
}

/** Runs git in every folder, where there is one to run; all it may run automatically is in the workspace. */
export async function gitRuns(root: string): Promise<void> {
  const folders = (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name));
  // Not all of git's own objects: there is no repository in them.
  const wanted = folders.filter((folder) => !/[/\\]objects[/\\]/u.test(folder));
  for (const cwd of [root, ...wanted]) await git(root, cwd, 'status').catch(() => undefined);
}

/** Runs git as nobody has set it up, in a folder below `root`. */
export async function git(root: string, cwd: string, ...args: string[]): Promise<void> {
  const env = {
    PATH: process.env['PATH'],
    HOME: root,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CEILING_DIRECTORIES: path.dirname(root),
  };
  await run('git', args, { cwd, env });
}

/** Runs a script of a shell in a workspace, where git knows an author and may clone from folders. */
export async function script(workspace: TestWorkspace, text: string): Promise<void> {
  const env = {
    PATH: process.env['PATH'],
    HOME: workspace.root,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'protocol.file.allow',
    GIT_CONFIG_VALUE_0: 'always',
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@b.test',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@b.test',
  };
  await run('sh', ['-ec', text], { cwd: workspace.root, env });
}

/** Whether this machine has git. */
export function hasGit(): Promise<boolean> {
  return run('git', ['--version']).then(
    () => true,
    () => false,
  );
}

export const isThere = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false,
  );
