import * as vscode from 'vscode';
import { z } from 'zod';
import { reasoningEffort } from '../../models/chatModel.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import type { SettingValues } from './ids.ts';
import { configuration, keyOf, rememberedSetting, SECTION } from './storedSettings.ts';

const optionalText = z.string().trim().default('');

/** package.json has the same names and defaults. */
const listed = {
  /** Each is parsed separately, so that an error in one does not affect the others. */
  'openaiCompatible.servers': z.array(z.unknown()).default([]),
  /** By the id of their source. */
  baseUrls: z.record(z.string(), z.string()).default({}),
  /** The model of each deployment. */
  'azure.deployments': z.record(z.string(), z.string()).default({}),
  /** By `provider/model`. Each is parsed separately, as above. */
  modelOverrides: z.record(z.string(), z.unknown()).default({}),
  /** Parsed before each request, which a mistake stops: it must not count as no cap. */
  budget: z.unknown().transform((value) => value ?? {}),
  /** In tokens; 0: the best value for each model. */
  'ollama.contextLength': z.number().int().min(0).max(10_000_000).default(0),
  'localServers.enabled': z.boolean().default(true),
  'tools.enabled': z.boolean().default(true),
  'tools.external': z.boolean().default(true),
  'tools.maxSteps': z.number().int().min(1).max(1_000).default(50),
  'commands.enabled': z.boolean().default(true),
  'commands.allow': z.array(z.string()).default([]),
  'web.enabled': z.boolean().default(true),
  /** Hosts whose pages may be read without asking the user. */
  'web.allowedHosts': z.array(z.string()).default([]),
  'tools.edits': z.enum(['ask', 'reviewAfterwards']).default('ask'),
  /** Where runs wrote lines of files that still stand. */
  lineMarks: z.enum(['off', 'hover', 'always', 'codeLens']).default('hover'),
  titles: z.enum(['model', 'words']).default('model'),
  /** `small`: the small one of the provider. */
  'explore.model': z.enum(['current', 'small']).default('current'),
  /** A share of the context window; 0: never. */
  'compaction.threshold': z.number().min(0.3).max(0.95).or(z.literal(0)).default(0.85),
  'instructions.files': z.boolean().default(true),
  restoreFiles: z.enum(['ask', 'always', 'never']).default('ask'),
  /** In megabytes. */
  'files.maxFileSize': z.number().min(0).max(1_000).default(20),
  /** In megabytes. */
  'files.budget': z.number().min(0).default(1_000),
  /** A file with the certificate of a private authority. */
  'sharedStore.connection': z
    .object({
      certificateAuthority: z.string().trim().optional(),
      allowPlainConnection: z.boolean().optional(),
    })
    .default({}),
  'notifications.runs': z.enum(['whenUnattended', 'always', 'never']).default('whenUnattended'),
} as const satisfies Readonly<Record<keyof SettingValues, z.ZodType>>;

/**
 * What lists remember, or what something newer took the place of: not in the Settings editor. What a user wrote into
 * settings.json under these names counts until something is picked.
 */
const unlisted = {
  model: z.string().trim().default(''),
  /** By model id; others use their default. */
  reasoningEffort: z.record(z.string(), reasoningEffort.optional().catch(undefined)).default({}),
  /** One without a region or a project is not set up. An empty profile is the one that AWS's tools take. */
  clouds: z
    .object({
      bedrock: z.object({ region: optionalText, profile: optionalText }).optional(),
      vertex: z.object({ project: optionalText, location: z.string().trim().default('global') }).optional(),
    })
    .default({}),
  'tools.off': z.array(z.string()).default([]),
  /** By the name of the set. */
  'tools.sets': z.record(z.string(), z.array(z.string())).default({}),
  /** How many answers “Generate Alternatives” proposes. */
  'tries.count': z.number().int().min(2).max(8).default(3),
  /** What of the last text editor is attached to a question automatically, unless its chip in the chat was switched. */
  activeEditor: z.enum(['selection', 'file', 'off']).default('selection'),
  /** Empty: conversations are stored on this machine. */
  'sharedStore.address': z.string().trim().default(''),
  /** `sharedStore.connection` has both. */
  'sharedStore.certificateAuthority': z.string().trim().default(''),
  'sharedStore.allowPlainConnection': z.boolean().default(false),
  /** The only server there was before `openaiCompatible.servers`. */
  'openaiCompatible.baseUrl': z.string().trim().default(''),
  'openaiCompatible.model': z.string().trim().default(''),
  /** “Select Tools” does the same for each of these tools. */
  'checkpoint.enabled': z.boolean().default(true),
  /** A threshold of 0 does the same. */
  'compaction.enabled': z.boolean().default(true),
  /** Of branches with files of their own; `knownOwnFiles.ts` parses each of its members. */
  branchFiles: z.record(z.string(), z.unknown()).default({}),
  /** For tests, in milliseconds between two words. */
  /** Whether problems of files offer to be attached. */
  'problems.quickFix': z.boolean().default(true),
  'demo.pace': z.number().min(0).max(1_000).default(33),
} as const satisfies Readonly<Record<string, z.ZodType>>;

const schemas = { ...listed, ...unlisted };

/** Those that are about a workspace; the others are about the user. */
const OF_WORKSPACE: ReadonlySet<string> = new Set<UnlistedName>(['tools.off']);

/** Those that a user has alike on every machine. */
const SYNCED: readonly UnlistedName[] = ['model', 'reasoningEffort', 'tools.sets'];

type UnlistedName = keyof typeof unlisted;

/** Settings of which package.json allows values that are not parsed here: there must be none for it to compile. */
type Misread = {
  [N in keyof SettingValues]: SettingValues[N] extends z.input<(typeof listed)[N]> ? never : N;
}[keyof SettingValues];

export type SettingName = Exclude<keyof SettingValues, Misread> | UnlistedName;
export type SettingValue<N extends SettingName> = z.infer<(typeof schemas)[N]>;

/** Where what lists remember is stored. */
export interface SettingsMemory {
  readonly globalState: vscode.Memento & { setKeysForSync(keys: readonly string[]): void };
  readonly workspaceState: vscode.Memento;
}

export function isUnlisted(name: SettingName): name is UnlistedName {
  return name in unlisted;
}

/** A value of the wrong type counts as not set, and is logged. */
export class Settings implements Disposable {
  /** Those whose value was already reported: they are read often. */
  private readonly reported = new Set<SettingName>();
  private readonly remembered = new Emitter<void>();

  constructor(
    private readonly log: vscode.LogOutputChannel,
    private readonly memory: SettingsMemory,
  ) {
    memory.globalState.setKeysForSync(SYNCED.map(keyOf));
  }

  get<N extends SettingName>(name: N): SettingValue<N> {
    const schema: z.ZodType<SettingValue<N>> = schemas[name] as unknown as z.ZodType<SettingValue<N>>;
    const read = schema.safeParse(this.stored(name) ?? undefined);
    if (read.success) {
      this.reported.delete(name);
      return read.data;
    }
    if (!this.reported.has(name))
      this.log.warn(`Setting ${SECTION}.${name} has a value of the wrong kind; its default is used.`);
    this.reported.add(name);
    return schema.parse(undefined);
  }

  /** @param value undefined: as if nothing had been set */
  async set<N extends SettingName>(name: N, value: SettingValue<N> | undefined): Promise<void> {
    if (!isUnlisted(name)) {
      await configuration().update(name, value, vscode.ConfigurationTarget.Global);
      return;
    }
    await this.memoryOf(name).update(keyOf(name), value);
    this.remembered.fire();
  }

  onDidChange(listener: () => void): vscode.Disposable {
    const subscriptions = [
      this.remembered.event(listener),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SECTION)) listener();
      }),
    ];
    return {
      dispose: () => {
        for (const subscription of subscriptions) subscription.dispose();
      },
    };
  }

  dispose(): void {
    this.remembered.dispose();
  }

  private stored(name: SettingName): unknown {
    if (!isUnlisted(name)) return configuration().get(name);
    return rememberedSetting(this.memoryOf(name), name, OF_WORKSPACE.has(name));
  }

  /** What is about a workspace is the user's where none is open. */
  private memoryOf(name: UnlistedName): vscode.Memento {
    const isHere = OF_WORKSPACE.has(name) && vscode.workspace.workspaceFolders !== undefined;
    return isHere ? this.memory.workspaceState : this.memory.globalState;
  }
}

/** How a shared store is connected to. */
export function sharedConnectionOf(settings: Pick<Settings, 'get'>): {
  /** The path of a file; empty: none of the user's own. */
  readonly authority: string;
  readonly allowPlainConnection: boolean;
} {
  const { certificateAuthority, allowPlainConnection } = settings.get('sharedStore.connection');
  return {
    authority: certificateAuthority ?? settings.get('sharedStore.certificateAuthority'),
    allowPlainConnection: allowPlainConnection ?? settings.get('sharedStore.allowPlainConnection'),
  };
}

/** When a conversation is compacted. */
export function compactionOf(settings: Pick<Settings, 'get'>): {
  readonly enabled: boolean;
  readonly threshold: number;
} {
  const threshold = settings.get('compaction.threshold');
  return { enabled: threshold > 0 && settings.get('compaction.enabled'), threshold };
}
