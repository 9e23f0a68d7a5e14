import { spawn } from 'node:child_process';
import path from 'node:path';
import { installHost } from './host/install.mjs';
import { hostNode } from './host/paths.mjs';

/** What the AI SDK and VS Code's test and packaging tools need; the extension host has it. */
const neededMajor = 22;

const isModern = Number(process.versions.node.split('.')[0]) >= neededMajor;

/**
 * Runs the same command again with the local VS Code's Node when this one is too old, and ends with its
 * exit code. With a Node that is new enough it returns at once.
 */
export async function continueWithModernNode() {
  if (isModern) return;
  try {
    await installHost();
  } catch (error) {
    throw new Error(`Node ${neededMajor} or newer is needed, this is ${process.version}. ${error.message}`, {
      cause: error,
    });
  }
  const child = spawn(hostNode, process.argv.slice(1), {
    stdio: 'inherit',
    env: { ...process.env, PATH: `${path.dirname(hostNode)}${path.delimiter}${process.env.PATH}` },
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  process.exit(code ?? 1);
}
