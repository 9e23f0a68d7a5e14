// What the tests, which are TypeScript, use of the host; the options are explained where they are taken.
import type { Browser, BrowserContext } from 'playwright-core';

export interface ServerOptions {
  dataDir?: string;
  port?: number;
  env?: Record<string, string>;
  settings?: Record<string, unknown>;
  vsix?: string;
  linked?: string[];
  workspaceTrust?: boolean;
  development?: boolean;
}

export interface Server {
  origin: string;
  dataDir: string;
  machineSettings: string;
  /** @param how.whileStopped runs between the end and the start */
  restart(how?: { whileStopped?: () => Promise<void> }): Promise<void>;
  stop(): Promise<void>;
}

export interface WebServerOptions {
  port?: number;
  extensions?: readonly string[];
  folder?: string;
  settings?: Record<string, unknown>;
}

/** Serves the workbench that needs no server. */
export interface WebServer {
  origin: string;
  /** What the next page is opened with. */
  settings: Record<string, unknown>;
  stop(): Promise<void>;
}

export function startWebServer(options: WebServerOptions): Promise<WebServer>;
/** The server of a test file, for one workbench at a time; `stop` gives it back. */
export function lendServer(
  file: string,
  options: { settings: Record<string, unknown>; linked: string[] },
): Promise<Server>;
/** Uninstalls an extension and installs it again, while the server is stopped. */
export function reinstall(dataDir: string, extension: { id: string; vsix: string }): Promise<void>;
/** Settings of a workbench in which nothing moves by itself. */
export const withoutMotion: Readonly<Record<string, unknown>>;
export function startServer(options?: ServerOptions): Promise<Server>;
export function workbenchUrl(
  origin: string,
  what?: { folder?: string; workspace?: string; development?: string; tests?: string },
): string;
export function sharedBrowser(): Promise<Browser>;
export function closeBrowser(): Promise<void>;
export function launchWithProfile(profile: string): Promise<BrowserContext>;
