import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext, FrameLocator, Locator, Page } from 'playwright-core';
import type { Server, WebServer } from '../../../scripts/host/index.mjs';
import { CommandRunner } from './commandRunner.ts';
import { ContextMenu } from './contextMenu.ts';
import { Dialog } from './dialog.ts';
import { keepLogs, keepTrace, resultFile, startTrace } from './evidence.ts';
import { loadHost, root } from './host.ts';
import { Notifications } from './notifications.ts';
import { QuickInput } from './quickInput.ts';
import { copySampleFolder, makeWorkspace } from './sampleFolder.ts';
import { changeSettings, type Theme, themes } from './settings.ts';
import { TreeView } from './treeView.ts';
import {
  inPlaceOfServer,
  needsOwnServer,
  untrustedSettings,
  viewNames,
  type WorkbenchOptions,
} from './workbenchOptions.ts';
import { until } from '../../fixtures/until.ts';

export type { WorkbenchOptions } from './workbenchOptions.ts';

/** How long VS Code may take to show itself. */
const START_LIMIT_MS = 60_000;

/** How long it may take to answer a click. */
const ACTION_LIMIT_MS = 25_000;

/** How long a chat is waited for before it is looked whether the sidebar that holds it was closed again. */
const LOOK_AGAIN_MS = 3_000;

const activityBarLabel = 'a.action-label[aria-label^="Offshoot"]';

/** The page of a webview lies over the view or the editor that it belongs to; an editor tells the id of what lies over it. */
const ofEditor = `../@id = //*[starts-with(@id, "webview-editor-element")]/@aria-flowto`;

/** What the windows of one VS Code share. */
interface Parts {
  readonly folder: string;
  readonly server: Server;
  readonly commands: CommandRunner;
  readonly url: string;
  readonly temporary: string;
  readonly names: (typeof viewNames)[keyof typeof viewNames];
  readonly withoutServer?: WebServer;
}

/** VS Code in a browser, with the extension in it. */
export class Workbench {
  readonly contextMenu: ContextMenu;
  readonly dialog: Dialog;
  readonly notifications: Notifications;
  readonly quickInput: QuickInput;
  readonly tree: TreeView;
  readonly contextView: TreeView;
  private readonly complaints: string[] = [];
  private readonly printed: string[] = [];

  private constructor(
    readonly page: Page,
    private readonly parts: Parts,
  ) {
    const { names } = parts;
    page.on('console', (message) => {
      this.printed.push(`${message.type()}: ${message.text()}`);
      if (message.type() === 'error') this.complaints.push(message.text());
    });
    this.contextMenu = new ContextMenu(page);
    this.dialog = new Dialog(page);
    this.notifications = new Notifications(page);
    this.quickInput = new QuickInput(page);
    this.tree = new TreeView(page, this.contextMenu, { ...names, title: names.tree });
    this.contextView = new TreeView(page, this.contextMenu, { ...names, title: names.context });
  }

  static async open(options: WorkbenchOptions = {}): Promise<Workbench> {
    const host = await loadHost();
    const vsix = options.vsix ?? process.env['OFFSHOOT_VSIX'];
    const temporary = await mkdtemp(path.join(tmpdir(), 'offshoot-ui-'));
    const commands = await new CommandRunner().listen();
    let server: Server | undefined;
    let context: BrowserContext | undefined;
    try {
      const several = options.folders && (await makeWorkspace(temporary, options.folders));
      const folder = several?.folder ?? options.folder ?? (await copySampleFolder(temporary));
      options.prepare?.(folder);
      const settings = {
        ...(options.theme && { 'workbench.colorTheme': options.theme }),
        ...(options.untrusted && untrustedSettings),
        // Of most tests it is told how many requests they make.
        'offshoot.titles': 'words',
        'offshootTest.commands': commands.origin,
        // What takes the focus, as a page may do late, would close a quick pick or the palette.
        'workbench.quickOpen.closeOnFocusLost': false,
        ...host.withoutMotion,
        ...options.settings,
      };
      const linked = [path.join(root, 'test', 'fixtures', 'command-runner'), ...(options.linked ?? [])];
      const withoutServer = options.web
        ? await host.startWebServer({ extensions: [root, ...linked], folder, settings })
        : undefined;
      server = withoutServer
        ? inPlaceOfServer(withoutServer, temporary)
        : options.file !== undefined && !vsix && !needsOwnServer(options)
          ? await host.lendServer(options.file, { settings, linked })
          : await host.startServer({
              settings,
              linked,
              ...(options.env && { env: options.env }),
              ...(options.untrusted && { workspaceTrust: true }),
              ...(vsix ? { vsix } : { development: true }),
            });
      const browser = await host.sharedBrowser();
      context = await browser.newContext({
        viewport: options.viewport ?? { width: 1280, height: 800 },
        reducedMotion: 'reduce',
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      context.setDefaultTimeout(ACTION_LIMIT_MS);
      const language = options.language ?? 'en';
      // What a language pack would set. The workbench hands it on to the extension host and to what reads the
      // manifest of an extension.
      await context.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(language)}`);
      await startTrace(context);
      const page = await context.newPage();
      const url = options.web
        ? `${server.origin}/seed`
        : host.workbenchUrl(server.origin, {
            ...(several ? { workspace: several.file } : !options.noFolder && { folder }),
            ...(!vsix && { development: root }),
          });
      const names = viewNames[language];
      const parts = { folder, server, commands, url, temporary, names };
      const workbench = new Workbench(page, { ...parts, ...(withoutServer && { withoutServer }) });
      await workbench.load();
      return workbench;
    } catch (error) {
      if (context) await leave(context);
      await server?.stop();
      await commands.close();
      await rm(temporary, { recursive: true, force: true });
      throw error;
    }
  }

  /** The open folder, or the first of several. */
  get folder(): string {
    return this.parts.folder;
  }

  /** Closes the page, VS Code and whatever temporary folders they had. */
  async close(): Promise<void> {
    await leave(this.page.context());
    await this.parts.server.stop();
    await this.parts.commands.close();
    await rm(this.parts.temporary, { recursive: true, force: true });
  }

  /**
   * Reloads the window: a new extension host, the same storage. The browser writes `globalState` and
   * `workspaceState` a moment after the extension was told they were, so what changed right before may be gone.
   */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.shown();
    // Here the item shows before the sidebar that was open does: a click on it would close that.
    if (this.parts.withoutServer) await this.selectedItem.waitFor();
  }

  /** Reloads the window as a user does: what it shows is put away before, which {@link reload} does not wait for. */
  async reloadByCommand(): Promise<void> {
    await this.page.evaluate('window.isBeforeReload = true');
    await this.startCommand('workbench.action.reloadWindow');
    await until(() => this.page.evaluate<boolean>('window.isBeforeReload !== true'), 'the window to be new');
    await this.shown();
  }

  /**
   * Ends VS Code and starts it again with the same data, in the same browser; `whileStopped` runs in between.
   */
  async restartServer(how: { whileStopped?: () => Promise<void> } = {}): Promise<void> {
    await this.page.goto('about:blank');
    await this.parts.server.restart(how);
    await this.load();
  }

  /** Leaves the window, and opens a folder or the file of a workspace in its place, each as the address names it. */
  async openInstead(target: { readonly folder: string } | { readonly workspace: string }): Promise<void> {
    const to = new URL(this.page.url());
    for (const each of ['folder', 'workspace', 'ew']) to.searchParams.delete(each);
    for (const [name, value] of Object.entries(target)) to.searchParams.set(name, value);
    await this.page.goto('about:blank');
    await this.page.goto(to.href);
    await this.shown();
    await this.openOffshoot();
  }

  /**
   * After the file of a workspace was opened, which VS Code in a browser at times does with none of its folders, in its
   * own Explorer as well: reloads the window until they are there.
   */
  async hasFolders(): Promise<void> {
    const explorer = this.page.locator('.explorer-viewlet');
    const folders = explorer.locator('.explorer-folders-view .monaco-list-row').first();
    const none = explorer.getByText('No Folder Opened').first();
    await until(
      async () => {
        await this.startCommand('workbench.view.explorer');
        await folders.or(none).waitFor();
        if (await folders.isVisible()) return true;
        await this.reload();
        return false;
      },
      'VS Code to open the folders of the workspace',
      90_000,
    );
  }

  /** From the next one on, pages of webviews in this window get no frame: they never come to the end of what they draw. */
  async withoutFrames(): Promise<void> {
    // VS Code writes the page into the window of this document.
    const body = '<!doctype html><script>window.requestAnimationFrame = () => 0</script>';
    await this.page.route('**/fake.html*', (to) => to.fulfill({ contentType: 'text/html', body }));
  }

  /** The same VS Code in one more window of the browser. */
  async anotherWindow(): Promise<Workbench> {
    return this.openedIn(await this.page.context().newPage());
  }

  /** The window dies at once, while VS Code goes on and keeps its extension host. @returns another window */
  async lose(): Promise<Workbench> {
    const another = await this.page.context().newPage();
    await this.crashWindow();
    return this.openedIn(another);
  }

  private async openedIn(page: Page): Promise<Workbench> {
    const window = new Workbench(page, this.parts);
    await window.load();
    return window;
  }

  /** The window dies at once. Without a server its extension host is a part of it, and dies as well. */
  async crashWindow(): Promise<void> {
    const session = await this.page.context().newCDPSession(this.page);
    const crashed = this.page.waitForEvent('crash');
    // It has no time to answer.
    session.send('Page.crash').catch(() => undefined);
    await crashed;
    await this.page.close();
  }

  /** Where VS Code keeps its data. */
  get dataDir(): string {
    return this.parts.server.dataDir;
  }

  /** Runs a command by its id, and waits until it has ended or asks the user something. */
  async runCommand(command: string, ...args: unknown[]): Promise<void> {
    if (await this.quickInput.widget.isVisible()) await this.quickInput.dismiss();
    const { ended } = this.parts.commands.run(await this.shownWindow(), command, args);
    const asks = this.page.locator('.quick-input-widget:visible, .monaco-dialog-box:visible').first();
    // The one that comes later is waited for in vain, which is no error.
    const asked = asks.waitFor();
    asked.catch(() => undefined);
    await Promise.race([ended, asked]);
  }

  /** Runs a command by its id, and waits only until it has begun: what it brings about is to be waited for. */
  async startCommand(command: string, ...args: unknown[]): Promise<void> {
    await this.parts.commands.run(await this.shownWindow(), command, args).started;
  }

  /** What the extension that runs commands shows, by which its window is known. */
  private async shownWindow(): Promise<string> {
    const item = this.page.locator('[id="offshoot-test.command-runner.window"]');
    return ((await item.textContent()) ?? '').trim();
  }

  /** Keeps what may tell why a test failed: a picture, a trace, what the workbench, the extension and its host logged. */
  async keepEvidence(name: string): Promise<void> {
    await this.screenshot(name);
    await keepTrace(this.page.context(), name);
    await writeFile(resultFile(name, '.workbench.log'), this.printed.join('\n'));
    if (!this.parts.withoutServer) await keepLogs(path.join(this.dataDir, 'data', 'logs'), name);
  }

  /**
   * Shows the sidebar with the chat and the tree, and waits for the chat's page.
   * @throws Error with what the browser complained about
   */
  async openOffshoot(): Promise<void> {
    await this.chatShown(ACTION_LIMIT_MS)
      .catch(async () => {
        await this.reloadIfBroken();
        await this.chatShown(START_LIMIT_MS);
      })
      .catch(async (cause: unknown) => {
        await this.keepEvidence(`chat that did not show in ${path.basename(this.folder)}`);
        throw new Error(['VS Code shows no chat:', ...this.complaints].join('\n'), { cause });
      });
    // What the item tells of itself while the mouse is on it would cover what stands next to it.
    await this.page.mouse.move(0, 0);
  }

  private async chatShown(limitMs: number): Promise<void> {
    const selected = this.selectedItem;
    const shown = this.chat.locator('.model-button, .refusal').first();
    await until(
      async () => {
        // A click on the selected item would hide the sidebar; the workbench may undo one while it arranges itself.
        if (!(await selected.isVisible())) await this.activityBarItem.click();
        await shown.waitFor({ timeout: LOOK_AGAIN_MS });
        // It may be the page of a tab that is shown, and the click may have hidden what just came back.
        return await selected.isVisible();
      },
      'the chat to show itself',
      limitMs,
    );
  }

  /** VS Code cannot always register the worker of its webviews: it says so, and a reload helps. */
  private async reloadIfBroken(): Promise<void> {
    const notifications = await this.notifications.texts();
    this.complaints.push(...notifications);
    if (notifications.some((text) => text.includes('Error loading webview'))) await this.reload();
  }

  private get selectedItem(): Locator {
    return this.page.locator('.activitybar .action-item.checked').locator(activityBarLabel);
  }

  get activityBarItem(): Locator {
    return this.page.locator('.activitybar').locator(activityBarLabel);
  }

  /** The page of the chat view. */
  get chat(): FrameLocator {
    return this.webview(`not(${ofEditor})`);
  }

  /** The page of the extension's webview in the editor area. */
  get panel(): FrameLocator {
    return this.webview(ofEditor);
  }

  private webview(which: string): FrameLocator {
    const own = 'contains(@class, "ready") and contains(@src, "extensionId=offshoot.offshoot")';
    // A view that was hidden and is shown again has a new page; the old one may still be there, out of sight.
    const pages = this.page.locator(`xpath=//iframe[${own} and ${which}]`).filter({ visible: true });
    return pages.last().contentFrame().frameLocator('iframe#active-frame');
  }

  /** Changes settings while VS Code runs. Wait for what the change brings about. */
  async changeSettings(changes: Record<string, unknown>): Promise<void> {
    if (!this.parts.withoutServer) return changeSettings(this.parts.server.machineSettings, changes);
    // They are part of the page.
    this.parts.withoutServer.settings = { ...this.parts.withoutServer.settings, ...changes };
    await this.reload();
    await this.openOffshoot();
  }

  /** The same for a setting that a machine cannot have, such as those of the application. */
  async changeUserSetting(name: string, value: unknown): Promise<void> {
    await this.runCommand('offshoot-test.changeUserSetting', name, value);
  }

  async setTheme(theme: Theme): Promise<void> {
    await this.changeSettings({ 'workbench.colorTheme': theme });
    await this.page.locator(`.monaco-workbench.${themes[theme]}`).waitFor();
  }

  /** Drags the edge of the sidebar until it has this width. */
  async setSidebarWidth(width: number): Promise<void> {
    const sidebar = this.page.locator('.part.sidebar');
    await until(async () => {
      const box = await sidebar.boundingBox();
      if (!box) return false;
      if (Math.abs(box.width - width) <= 1) return true;
      const edge = { x: box.x + box.width + 1, y: box.y + box.height / 2 };
      await this.page.mouse.move(edge.x, edge.y);
      await this.page.mouse.down();
      await this.page.mouse.move(edge.x + width - box.width, edge.y, { steps: 4 });
      await this.page.mouse.up();
      return false;
    }, `a sidebar ${width} pixels wide`);
  }

  /** What was copied last. */
  async clipboard(): Promise<string> {
    return this.page.evaluate<string>('navigator.clipboard.readText()');
  }

  /** Keeps a picture of the window in out/results/. */
  async screenshot(name: string): Promise<void> {
    await this.page.screenshot({ path: resultFile(name, '.png') });
  }

  private async load(): Promise<void> {
    await this.page.goto(this.parts.url);
    await this.shown();
  }

  private async shown(): Promise<void> {
    await this.activityBarItem.waitFor({ timeout: START_LIMIT_MS });
  }
}

/** Closes all pages, each left before as by a user: the server then ends their extension hosts. */
async function leave(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) {
    // One that hangs or has crashed cannot leave; the server is not lent again then.
    await page.goto('about:blank').catch(() => undefined);
  }
  await context.close();
}
