import { loadHost } from '../support/host.ts';
import { ChatPage } from '../support/chatPage.ts';
import { themes, type Theme } from '../support/settings.ts';
import { Workbench } from '../support/workbench.ts';
import { writeSheet, type Tile } from './sheet.ts';

/** What VS Code draws of the extension, each with what brings it onto the screen; one follows the other. */
const scenes: readonly {
  readonly name: string;
  readonly show: (workbench: Workbench) => Promise<void>;
  readonly hide?: (workbench: Workbench) => Promise<void>;
}[] = [
  { name: 'nothing yet', show: async (workbench) => workbench.contextView.open() },
  {
    name: 'sample chat and tree',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await workbench.runCommand('Offshoot: Open Sample Chat');
      await chat.message('I want to build a small habit tracker').waitFor();
      await chat.frame.locator('.message').last().scrollIntoViewIfNeeded();
      await workbench.tree.root.locator('.monaco-list-row').nth(3).waitFor();
    },
  },
  {
    name: 'graph',
    show: async (workbench) => {
      await workbench.runCommand('Offshoot: Show Graph');
      await workbench.panel.locator('.graph-row').first().waitFor();
    },
  },
  {
    name: 'search view',
    show: async (workbench) => {
      await workbench.runCommand('Offshoot: Search in View…');
      await workbench.quickInput.answer('habit');
      await workbench.page
        .locator('.sidebar .pane', { hasText: 'Search' })
        .last()
        .locator('.highlight')
        .first()
        .waitFor();
    },
  },
  {
    name: 'search without hits',
    show: async (workbench) => {
      await workbench.runCommand('Offshoot: Search in View…');
      await workbench.quickInput.answer('nosuchword');
      await workbench.page.getByText('Nothing was found').waitFor();
    },
    hide: (workbench) => workbench.runCommand('Offshoot: Clear Search'),
  },
  {
    name: 'timeline',
    show: async (workbench) => {
      await workbench.runCommand('Offshoot: Show Timeline');
      await workbench.quickInput.shown('Timeline');
      await workbench.page.locator('.quick-input-list .monaco-list-row').nth(2).waitFor();
    },
    hide: (workbench) => workbench.quickInput.dismiss(),
  },
  {
    name: 'compare branches',
    show: async (workbench) => {
      await workbench.runCommand('Offshoot: Compare Branches…');
      await workbench.page.locator('.quick-input-list .monaco-list-row').first().waitFor();
    },
    hide: (workbench) => workbench.quickInput.dismiss(),
  },
  {
    name: 'context document',
    show: async (workbench) => {
      await workbench.runCommand('Offshoot: Inspect Context');
      await workbench.page.locator('.editor-instance .view-lines').first().waitFor();
    },
  },
  {
    name: 'walkthrough',
    show: async (workbench) => {
      await workbench.runCommand('Offshoot: Get Started');
      await workbench.page
        .frameLocator('.getting-started-media iframe.webview.ready')
        .frameLocator('iframe#active-frame')
        .locator('svg')
        .waitFor();
    },
  },
];

/** A sheet for each thing that the workbench draws, in four themes. */
export async function writeWorkbenchSheets(): Promise<void> {
  const browser = await (await loadHost()).sharedBrowser();
  const workbench = await Workbench.open({
    settings: { 'offshoot.demo.pace': 0 },
    viewport: { width: 1280, height: 860 },
  });
  try {
    await workbench.openOffshoot();
    await workbench.setSidebarWidth(300);
    for (const { name, show, hide } of scenes) {
      await show(workbench);
      // No tooltip of what the pointer is left on.
      await workbench.page.mouse.move(640, 855);
      const tiles: Tile[] = [];
      for (const theme of Object.keys(themes) as Theme[]) {
        await workbench.setTheme(theme);
        // Pages take a theme a moment after the workbench.
        await workbench.page.waitForTimeout(700);
        tiles.push({ title: `${name} · ${theme}`, png: await workbench.page.screenshot() });
      }
      await hide?.(workbench);
      await writeSheet(browser, `workbench ${name}`, [tiles.slice(0, 2), tiles.slice(2)]);
      console.log(name);
    }
  } finally {
    await workbench.close();
  }
}
