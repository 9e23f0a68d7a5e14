import * as vscode from 'vscode';
import { artifactsOf, statesOf, type ShownState } from './contextNodes.ts';
import { shownName } from '../ui/shownName.ts';
import { oneLine } from '../ui/oneLine.ts';
import type { ArtifactVersion } from '../../engine/effects.ts';
import { pickOne } from '../ui/quickPick.ts';
import type { ContextMeter } from './contextMeter.ts';

export interface PickFromContextDeps {
  readonly context: ContextMeter;
}

/** Asks for a value at the head. */
export async function pickState({ context }: PickFromContextDeps): Promise<ShownState | undefined> {
  const items = statesOf(await context.read()).map((state) => ({
    label: shownName(state.key),
    description: oneLine(JSON.stringify(state.value), 100),
    state,
  }));
  const title = vscode.l10n.t('Select a value');
  return (await pickOne(items, { title }))?.state;
}

/** Asks for an artifact, in its current version. */
export async function pickArtifact({ context }: PickFromContextDeps): Promise<ArtifactVersion | undefined> {
  const items = artifactsOf(await context.read()).flatMap(({ name, versions }) => {
    const version = versions.at(-1);
    return version ? [{ label: shownName(name), description: shownName(version.mediaType), version }] : [];
  });
  const title = vscode.l10n.t('Select an artifact');
  return (await pickOne(items, { title }))?.version;
}

/** Asks for an earlier version of the instructions. */
export async function pickOldInstructions({
  context,
}: PickFromContextDeps): Promise<ArtifactVersion | undefined> {
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
