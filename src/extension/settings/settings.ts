import * as vscode from 'vscode';
import { z } from 'zod';
import { reasoningEffort } from '../../agent/reasoning/efforts.ts';
import type { SettingValues } from '../manifest/ids.ts';

const SECTION = 'offshoot';

/** Each setting with its default; the same names and defaults stand in package.json. */
const schemas = {
  model: z.string().trim().default(''),
  'openaiCompatible.baseUrl': z.string().trim().default(''),
  'openaiCompatible.model': z.string().trim().default(''),
  /** Each is read by itself, so that one with a mistake leaves the others. */
  'openaiCompatible.servers': z.array(z.unknown()).default([]),
  /** Other addresses of providers, by the id of their source. */
  baseUrls: z.record(z.string(), z.string()).default({}),
  /** What the user says of models, by `provider/model`. Each is read by itself, as above. */
  modelOverrides: z.record(z.string(), z.unknown()).default({}),
  /** How hard models are to think, by their ids; the others as they do by themselves. */
  reasoningEffort: z.record(z.string(), reasoningEffort.optional().catch(undefined)).default({}),
  /** In tokens; 0: what suits each model. */
  'ollama.contextLength': z.number().int().min(0).max(10_000_000).default(0),
  'tools.enabled': z.boolean().default(true),
  'tools.external': z.boolean().default(true),
  'tools.maxSteps': z.number().int().min(1).max(1_000).default(50),
  /** The names of tools that models are not offered. */
  'tools.off': z.array(z.string()).default([]),
  /** Tools to be offered together, by the name of the set. */
  'tools.sets': z.record(z.string(), z.array(z.string())).default({}),
  /** When the user decides about changes of files. */
  'commands.enabled': z.boolean().default(true),
  'commands.allow': z.array(z.string()).default([]),
  'web.enabled': z.boolean().default(true),
  /** Hosts whose pages the user need not be asked about. */
  'web.allowedHosts': z.array(z.string()).default([]),
  'tools.edits': z.enum(['ask', 'reviewAfterwards']).default('ask'),
  /** How many answers “Generate Alternatives” proposes. */
  'tries.count': z.number().int().min(2).max(8).default(3),
  /** What of the last text editor goes with a question by itself. */
  activeEditor: z.enum(['selection', 'file', 'off']).default('selection'),
  'problems.quickFix': z.boolean().default(true),
  titles: z.enum(['model', 'words']).default('model'),
  /** The model that explores tasks for an answer: the same, or the small one of its provider. */
  'explore.model': z.enum(['current', 'small']).default('current'),
  'checkpoint.enabled': z.boolean().default(true),
  'compaction.enabled': z.boolean().default(true),
  /** A share of the context window. */
  'compaction.threshold': z.number().min(0.3).max(0.95).default(0.85),
  'instructions.files': z.boolean().default(true),
  restoreFiles: z.enum(['ask', 'always', 'never']).default('ask'),
  /** In megabytes. */
  'files.maxFileSize': z.number().min(0).max(1_000).default(20),
  /** In megabytes. */
  'files.budget': z.number().min(0).default(1_000),
  /** Where conversations are shared; empty: they are kept on this machine. */
  'sharedStore.address': z.string().trim().default(''),
  /** A file with the certificate of an authority of one's own. */
  'sharedStore.certificateAuthority': z.string().trim().default(''),
  'sharedStore.allowPlainConnection': z.boolean().default(false),
  'notifications.runs': z.enum(['whenUnattended', 'always', 'never']).default('whenUnattended'),
  'demo.pace': z.number().min(0).max(1_000).default(33),
} as const satisfies Readonly<Record<keyof SettingValues, z.ZodType>>;

/** Settings of which package.json allows values that are not read here: there is none, else its users do not compile. */
type Misread = {
  [N in keyof SettingValues]: SettingValues[N] extends z.input<(typeof schemas)[N]> ? never : N;
}[keyof SettingValues];

export type SettingName = Exclude<keyof SettingValues, Misread>;
export type SettingValue<N extends SettingName> = z.infer<(typeof schemas)[N]>;

/** Reads and writes the settings. A value of the wrong kind counts as not set, and the log says so. */
export class Settings {
  /** Those whose value has been complained about: they are read often. */
  private readonly reported = new Set<SettingName>();

  constructor(private readonly log: vscode.LogOutputChannel) {}

  get<N extends SettingName>(name: N): SettingValue<N> {
    const schema: z.ZodType<SettingValue<N>> = schemas[name] as unknown as z.ZodType<SettingValue<N>>;
    const value: unknown = vscode.workspace.getConfiguration(SECTION).get(name);
    const read = schema.safeParse(value ?? undefined);
    if (read.success) {
      this.reported.delete(name);
      return read.data;
    }
    if (!this.reported.has(name))
      this.log.warn(`Setting ${SECTION}.${name} has a value of the wrong kind; its default is used.`);
    this.reported.add(name);
    return schema.parse(undefined);
  }

  /** Changes a setting of the user, for all workspaces. */
  async set<N extends SettingName>(name: N, value: SettingValue<N>): Promise<void> {
    await vscode.workspace.getConfiguration(SECTION).update(name, value, vscode.ConfigurationTarget.Global);
  }

  /** Changes a setting for this workspace, or, where none is open, of the user. */
  async setHere<N extends SettingName>(name: N, value: SettingValue<N>): Promise<void> {
    const hasWorkspace = vscode.workspace.workspaceFolders !== undefined;
    const target = hasWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
    await vscode.workspace.getConfiguration(SECTION).update(name, value, target);
  }

  onDidChange(listener: () => void): vscode.Disposable {
    return vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(SECTION)) listener();
    });
  }
}
