import type { Browser } from 'playwright-core';
import { startOpenAiServer } from '../../fixtures/openaiServer.ts';
import { loadHost } from '../support/host.ts';
import { Workbench, type WorkbenchOptions } from '../support/workbench.ts';
import { askedScenes, askedScript } from './askedScenes.ts';
import { ownFilesScenes, ownFilesScript } from './ownFilesScenes.ts';
import { restrictedScenes, sampleScenes } from './sampleScenes.ts';
import { writeScenes, type Scene } from './scene.ts';

/** Wide enough for a side bar of 800 pixels, and for the pictures of the walkthrough. */
const viewport = { width: 1440, height: 900 };

/** A list closes when anything takes the keyboard, as a list that was open before does when it gives it back. */
const settings = { 'workbench.quickOpen.closeOnFocusLost': false };

/** A sheet for each thing that the workbench draws and whose name has these words, in four themes. */
export async function writeWorkbenchSheets(words: string): Promise<void> {
  const browser = await (await loadHost()).sharedBrowser();
  const sampleSettings = { ...settings, 'offshoot.demo.pace': 0 };
  await writeIn(browser, { settings: sampleSettings, viewport }, sampleScenes(), words);
  await writeIn(browser, { settings: sampleSettings, viewport, untrusted: true }, restrictedScenes(), words);
  await writeOwnFiles(browser, words);
  if (!askedScenes().some(({ name }) => name.includes(words))) return;
  await using server = await startOpenAiServer({ script: askedScript });
  const modelSettings = {
    ...settings,
    'offshoot.openaiCompatible.baseUrl': server.baseUrl,
    'offshoot.openaiCompatible.model': 'test-model',
    'offshoot.modelOverrides': {
      'openai-compatible/test-model': { input: 2, output: 10, cachedInput: 0.2, contextWindow: 128_000 },
    },
  };
  await writeIn(browser, { settings: modelSettings, viewport }, askedScenes(), words);
}

async function writeOwnFiles(browser: Browser, words: string): Promise<void> {
  if (!ownFilesScenes().some(({ name }) => name.includes(words))) return;
  await using server = await startOpenAiServer({ script: ownFilesScript });
  const modelSettings = {
    ...settings,
    'offshoot.openaiCompatible.baseUrl': server.baseUrl,
    'offshoot.openaiCompatible.model': 'test-model',
    'offshoot.tools.edits': 'reviewAfterwards',
  };
  await writeIn(browser, { settings: modelSettings, viewport }, ownFilesScenes(), words);
}

/** The scenes whose name has these words, in a window of their own. */
async function writeIn(
  browser: Browser,
  options: WorkbenchOptions,
  scenes: readonly Scene[],
  words: string,
): Promise<void> {
  if (!scenes.some(({ name }) => name.includes(words))) return;
  const workbench = await Workbench.open(options);
  try {
    await writeScenes(browser, workbench, scenes, words);
  } finally {
    await workbench.close();
  }
}
