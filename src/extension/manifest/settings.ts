import * as vscode from 'vscode';
import { z } from 'zod';
import { reasoningEffort } from '../../models/chatModel.ts';
import type { SettingValues } from './ids.ts';

const SECTION = 'offshoot';

/** package.json has the same names and defaults. */
const schemas = {
  model: z.string().trim().default(''),
  'openaiCompatible.baseUrl': z.string().trim().default(''),
  'openaiCompatible.model': z.string().trim().default(''),
  /** Each is parsed separately, so that an error in one does not affect the others. */
  'openaiCompatible.servers': z.array(z.unknown()).default([]),
  /** By the id of their source. */
  baseUrls: z.record(z.string(), z.string()).default({}),
  /** The model of each deployment. */
  'azure.deployments': z.record(z.string(), z.string()).default({}),
  /** By `provider/model`. Each is parsed separately, as above. */
  modelOverrides: z.record(z.string(), z.unknown()).default({}),
  /** By model id; others use their default. */
  reasoningEffort: z.record(z.string(), reasoningEffort.optional().catch(undefined)).default({}),
  /** In tokens; 0: the best value for each model. */
  'ollama.contextLength': z.number().int().min(0).max(10_000_000).default(0),
  'localServers.enabled': z.boolean().default(true),
  'tools.enabled': z.boolean().default(true),
  'tools.external': z.boolean().default(true),
  'tools.maxSteps': z.number().int().min(1).max(1_000).default(50),
  'tools.off': z.array(z.string()).default([]),
  /** By the name of the set. */
  'tools.sets': z.record(z.string(), z.array(z.string())).default({}),
  'commands.enabled': z.boolean().default(true),
  'commands.allow': z.array(z.string()).default([]),
  'web.enabled': z.boolean().default(true),
  /** Hosts whose pages may be read without asking the user. */
  'web.allowedHosts': z.array(z.string()).default([]),
  'tools.edits': z.enum(['ask', 'reviewAfterwards']).default('ask'),
  /** How many answers “Generate Alternatives” proposes. */
  'tries.count': z.number().int().min(2).max(8).default(3),
  /** What of the last text editor is attached to a question automatically. */
  activeEditor: z.enum(['selection', 'file', 'off']).default('selection'),
  'problems.quickFix': z.boolean().default(true),
  titles: z.enum(['model', 'words']).default('model'),
  /** `small`: the small one of the provider. */
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
  /** Empty: conversations are stored on this machine. */
  'sharedStore.address': z.string().trim().default(''),
  /** A file with the certificate of a private authority. */
  'sharedStore.certificateAuthority': z.string().trim().default(''),
  'sharedStore.allowPlainConnection': z.boolean().default(false),
  'notifications.runs': z.enum(['whenUnattended', 'always', 'never']).default('whenUnattended'),
  'demo.pace': z.number().min(0).max(1_000).default(33),
} as const satisfies Readonly<Record<keyof SettingValues, z.ZodType>>;

/** Settings of which package.json allows values that are not parsed here: there must be none for it to compile. */
type Misread = {
  [N in keyof SettingValues]: SettingValues[N] extends z.input<(typeof schemas)[N]> ? never : N;
}[keyof SettingValues];

export type SettingName = Exclude<keyof SettingValues, Misread>;
export type SettingValue<N extends SettingName> = z.infer<(typeof schemas)[N]>;

/** A value of the wrong type counts as not set, and is logged. */
export class Settings {
  /** Those whose value was already reported: they are read often. */
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

  /** For all workspaces. */
  async set<N extends SettingName>(name: N, value: SettingValue<N>): Promise<void> {
    await vscode.workspace.getConfiguration(SECTION).update(name, value, vscode.ConfigurationTarget.Global);
  }

  /** For this workspace, or, if none is open, for all. */
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
