import type { ShownChat } from '../commands/currentChat.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import { z } from 'zod';
import { artifactVersion, type ArtifactVersion } from '../../engine/effects.ts';
import { ArtifactNotFoundError } from '../../engine/errors.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { INSTRUCTIONS, type InstructionsKept } from './instructionsKept.ts';
import * as vscode from 'vscode';
import { showContext, showState } from './contextDocuments.ts';
import { fileNameFor, isShownAsPicture, shownName, oneLine } from '../ui/shownName.ts';
import { saveFile } from '../ui/saveFile.ts';
import { openComparison, openPlain } from '../ui/tabs.ts';
import { versionUri } from '../files/versionUris.ts';
import { sizeText } from '../ui/formats.ts';
import { messageIdOf } from '../commands/commandArguments.ts';
import { pickOne } from '../ui/quickPick.ts';
import { runCommand } from '../manifest/runCommand.ts';
import { artifactsOf, statesOf, type ShownState } from './contextNodes.ts';
import type { ContextMeter } from './contextMeter.ts';

const versionArgument = z.object({ kind: z.literal('artifactVersion'), version: artifactVersion });
const stateArgument = z.object({ kind: z.literal('state'), key: z.string(), value: z.json() });
const artifactArgument = z.union([
  z.object({ kind: z.literal('artifact'), versions: z.array(artifactVersion).min(1) }),
  versionArgument,
]);

export function contextCommands(
  deps: {
    readonly context: ContextMeter;
    readonly instructions: InstructionsKept;
    readonly store: ReadonlyStore;
  },
  chat: ShownChat,
): CommandHandlers<
  | 'inspectContext'
  | 'showMessage'
  | 'openState'
  | 'copyState'
  | 'openArtifact'
  | 'saveArtifactAs'
  | 'compareArtifact'
  | 'useInstructionsAgain'
> {
  const { context, instructions, store } = deps;
  return {
    inspectContext: () => showContext(),
    showMessage: async (argument) => {
      const messageId = messageIdOf(argument);
      if (messageId !== undefined) await chat.reveal(messageId);
      else await runCommand('offshoot.goToMessage');
    },
    openState: async (argument) => {
      const state = stateArgument.safeParse(argument).data ?? (await pickState(context));
      if (state) await showState(state.key);
    },
    copyState: async (argument) => {
      const state = stateArgument.safeParse(argument).data ?? (await pickState(context));
      if (state) await vscode.env.clipboard.writeText(JSON.stringify(state.value, undefined, 2));
    },
    openArtifact: async (argument) => {
      const version = versionOf(argument) ?? (await pickArtifact(context));
      if (version) await open(version);
    },
    saveArtifactAs: async (argument) => {
      const version = versionOf(argument) ?? (await pickArtifact(context));
      if (!version) return;
      const bytes = await store.blobs.get(version.hash);
      if (!bytes) throw new ArtifactNotFoundError(version.name);
      const target = await vscode.window.showSaveDialog({
        title: vscode.l10n.t('Save Artifact As'),
        ...defaultUri(version),
      });
      if (target) await saveFile(target, bytes);
    },
    compareArtifact: async (argument) => {
      const version = versionOf(argument) ?? (await pickArtifact(context));
      if (!version) return;
      const now = await context.read();
      const all = now.path.effects.artifacts.get(version.name) ?? now.userArtifacts.get(version.name) ?? [];
      const other = await pickVersion(all.filter((each) => each.version !== version.version));
      if (other) await compare(other, version);
    },
    useInstructionsAgain: async (argument) => {
      const version =
        versionArgument.safeParse(argument).data?.version ?? (await pickOldInstructions(context));
      if (!version?.name.startsWith(INSTRUCTIONS)) return;
      const bytes = await store.blobs.get(version.hash);
      if (!bytes) throw new ArtifactNotFoundError(version.name);
      await instructions.takeAgain(version, bytes);
    },
  };
}

/** The version a command was called on; for an artifact as a whole, the current one. */
function versionOf(argument: unknown): ArtifactVersion | undefined {
  const read = artifactArgument.safeParse(argument).data;
  return read?.kind === 'artifact' ? read.versions.at(-1) : read?.version;
}

function uriOf(version: ArtifactVersion): vscode.Uri {
  return versionUri(fileNameFor(version.name, version.mediaType), version);
}

/** Pictures open as pictures; everything else as text, regardless of its name. */
async function open(version: ArtifactVersion): Promise<void> {
  const options: vscode.TextDocumentShowOptions = { preview: true };
  if (isShownAsPicture(version.mediaType)) {
    await vscode.commands.executeCommand('vscode.open', uriOf(version), options);
  } else await openPlain(uriOf(version), shownName(version.name));
}

async function pickVersion(versions: readonly ArtifactVersion[]): Promise<ArtifactVersion | undefined> {
  const items = versions.toReversed().map((version) => ({
    label: vscode.l10n.t('Version {0}', version.version),
    description: `${sizeText(version.size)} · ${shownName(version.mediaType)}`,
    version,
  }));
  const picked = await pickOne(items, {
    title: vscode.l10n.t('Select a version to compare with'),
  });
  return picked?.version;
}

async function compare(one: ArtifactVersion, other: ArtifactVersion): Promise<void> {
  const [before, after] = one.version < other.version ? [one, other] : [other, one];
  await openComparison(
    uriOf(before),
    uriOf(after),
    vscode.l10n.t('{0}: version {1} ↔ {2}', shownName(after.name), before.version, after.version),
    { preview: true },
  );
}

function defaultUri({ name, mediaType }: ArtifactVersion): { defaultUri?: vscode.Uri } {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const file = fileNameFor(name, mediaType).split('/').at(-1) ?? 'artifact';
  return folder ? { defaultUri: vscode.Uri.joinPath(folder, file) } : {};
}

async function pickState(context: ContextMeter): Promise<ShownState | undefined> {
  const items = statesOf(await context.read()).map((state) => ({
    label: shownName(state.key),
    description: oneLine(JSON.stringify(state.value), 100),
    state,
  }));
  const title = vscode.l10n.t('Select a value');
  return (await pickOne(items, { title }))?.state;
}

async function pickArtifact(context: ContextMeter): Promise<ArtifactVersion | undefined> {
  const items = artifactsOf(await context.read()).flatMap(({ name, versions }) => {
    const version = versions.at(-1);
    return version ? [{ label: shownName(name), description: shownName(version.mediaType), version }] : [];
  });
  const title = vscode.l10n.t('Select an artifact');
  return (await pickOne(items, { title }))?.version;
}

async function pickOldInstructions(context: ContextMeter): Promise<ArtifactVersion | undefined> {
  const { chat, workspace } = (await context.read()).instructions;
  const items = [
    [vscode.l10n.t('Of this chat'), chat] as const,
    [vscode.l10n.t('Of this workspace'), workspace] as const,
  ].flatMap(([description, versions]) =>
    versions
      .slice(0, -1)
      .toReversed()
      .map((version) => ({ label: vscode.l10n.t('Version {0}', version.version), description, version })),
  );
  const title = vscode.l10n.t('Select a version');
  return (await pickOne(items, { title }))?.version;
}
