import type { Browser } from 'playwright-core';
import { startOpenAiServer } from '../../../fixtures/openaiServer.ts';
import { loadHost } from '../../support/host.ts';
import { Workbench } from '../../support/workbench.ts';
import { picturesOf, play } from '../scene.ts';
import { writeSheet, type Tile } from '../sheet.ts';
import { agentTask, approvalTask, windowsTask } from './agentTasks.ts';
import { firstMinuteTask, longAnswerTask, wrongAnswerTask } from './firstTasks.ts';
import { aroundTask, foldersTask, longChatTask, paletteTask } from './lookingTasks.ts';
import { taskScript } from './script.ts';
import type { Task } from './task.ts';

const tasks: readonly Task[] = [
  firstMinuteTask,
  wrongAnswerTask,
  longAnswerTask,
  agentTask,
  approvalTask,
  longChatTask,
  windowsTask,
  aroundTask,
  paletteTask,
  foldersTask,
];

const viewport = { width: 1440, height: 900 };

/**
 * A sheet for each step of the tasks of a day, and one with all of them; each task has a window of its own.
 * @param only the number of one task; NaN for all of them
 */
export async function writeTaskSheets(only: number): Promise<void> {
  const browser = await (await loadHost()).sharedBrowser();
  for (const [index, task] of tasks.entries()) {
    const name = `task ${index + 1} ${task.name}`;
    if (!Number.isNaN(only) && only !== index + 1) continue;
    await writeTask(browser, task, name);
    console.log(name);
  }
}

async function writeTask(browser: Browser, task: Task, name: string): Promise<void> {
  await using server = await startOpenAiServer({ script: taskScript });
  const workbench = await Workbench.open({
    viewport,
    settings: {
      'offshoot.demo.pace': 0,
      'workbench.quickOpen.closeOnFocusLost': false,
      ...(task.model !== 'demo' && {
        'offshoot.openaiCompatible.baseUrl': server.baseUrl,
        'offshoot.openaiCompatible.model': 'test-model',
      }),
      ...task.settings,
    },
  });
  const rows: Tile[][] = [];
  try {
    await play(workbench, task.steps(server), async (step) => {
      const pictures = await picturesOf(workbench, step);
      await writeSheet(browser, `${name} ${step.name}`, pictures);
      rows.push(...pictures);
    });
  } finally {
    await workbench.close();
    if (rows.length > 0) await writeSheet(browser, name, rows);
  }
}
