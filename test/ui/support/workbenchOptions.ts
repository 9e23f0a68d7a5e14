import type { Server, WebServer } from '../../../scripts/host/index.mjs';
import type { Theme } from './settings.ts';

export interface WorkbenchOptions {
  /** The folder to open, written into as it stands; else a copy of the sample folder. */
  folder?: string;
  /** What is done with the folder before it is opened. */
  prepare?: (folder: string) => void;
  /** Open copies of the sample folder together, at these paths below a temporary folder. */
  folders?: readonly [string, ...string[]];
  /** Open VS Code without a folder. */
  noFolder?: boolean;
  settings?: Record<string, unknown>;
  theme?: Theme;
  /** Open the folder as one the user has not said they trust. */
  untrusted?: boolean;
  viewport?: { width: number; height: number };
  /** The display language; VS Code's own texts stay English where no language pack is installed. */
  language?: keyof typeof viewNames;
  /** Environment of the extension host. */
  env?: Record<string, string>;
  /** The package to install; else the one `npm test` names, else the extension runs from its sources. */
  vsix?: string;
  /** Folders of further extensions. */
  linked?: string[];
  /** Open VS Code without a server: the extension runs in a worker, and all is kept in the browser. */
  web?: true;
  /** Start a server for this workbench alone. */
  ownServer?: true;
  /** The test file whose server is used, where the other options let it; one workbench at a time. */
  file?: string;
}

/** The folder is opened in restricted mode, and nobody is asked. */
export const untrustedSettings = {
  'security.workspace.trust.enabled': true,
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
};

/** What our views are called in each language. */
export const viewNames = {
  en: { tree: 'Tree', context: 'Context', active: 'active', mainLine: 'Main line' },
  'zh-cn': { tree: '对话树', context: '上下文', active: '当前', mainLine: '主线' },
} as const;

/** What a workbench asks of its server, where there is only one that hands out files. */
export function inPlaceOfServer(server: WebServer, dataDir: string): Server {
  const none = (): Promise<never> => Promise.reject(new Error('This workbench has no server.'));
  return { origin: server.origin, dataDir, machineSettings: '', restart: none, stop: () => server.stop() };
}

/** Whether a workbench asks for what a server is started with, or for a state that other workbenches are not to meet. */
export function needsOwnServer({
  ownServer,
  env,
  untrusted,
  linked,
  noFolder,
  language,
}: WorkbenchOptions): boolean {
  return Boolean(ownServer ?? env ?? untrusted ?? linked ?? noFolder ?? language);
}
