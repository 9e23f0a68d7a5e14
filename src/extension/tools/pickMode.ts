import * as vscode from 'vscode';
import { chatMode, type ChatMode } from '../../agent/run/chatMode.ts';
import type { NoSandboxReason } from '../../host/sandbox.ts';
import { notify } from '../ui/notifications.ts';
import { pickOne, type PickRow } from '../ui/quickPick.ts';
import { shownName } from '../ui/shownName.ts';
import { modeText, type SelectedMode } from './selectedMode.ts';

interface AgentHandoff {
  readonly label: string;
  /** A mode, or the name of a custom agent. */
  readonly agent: string;
  readonly prompt?: string | undefined;
}

/** The custom agents that the user can select in place of a mode. */
interface SelectableAgents {
  reader(): Promise<ReadableAgents>;
}

interface ReadableAgents {
  list(): Promise<{ readonly name: string; readonly detail: string; readonly isUsable: boolean }[]>;
  /** What one asks for that is not there. @throws OffshootError when it cannot be used */
  missingOf(name: string): Promise<readonly string[]>;
  handoffsOf(name: string): Promise<readonly AgentHandoff[]>;
}

interface Focusable {
  focus(prefill?: { readonly text: string }): Promise<void>;
}

interface ModeRow extends PickRow {
  readonly select?: () => Promise<void>;
}

interface PickableMode {
  readonly mode: ChatMode;
  /** The name of a custom agent. */
  readonly agent?: string;
  /** What to ask then, for the user to send. */
  readonly prompt?: string | undefined;
}

/** The same ones as at the input. */
const icons: Readonly<Record<ChatMode, string>> = { agent: 'tools', plan: 'checklist', ask: 'comment' };

/** Applies from the next question on; what is set for commands, from the next command on. */
export async function pickMode(
  { mode, agents: all }: { readonly mode: SelectedMode; readonly agents: SelectableAgents },
  chat: Focusable,
): Promise<void> {
  const readRows = async (): Promise<ModeRow[]> => {
    const agents = await all.reader();
    const select = (picked: PickableMode): Promise<void> => selectPicked(picked, { mode, agents, chat });
    const current = { description: vscode.l10n.t('current') };
    const modes = chatMode.options.map((each): ModeRow => {
      const { label, description } = modeText(each);
      const isCurrent = each === mode.current && mode.agent === undefined;
      return {
        select: () => select({ mode: each }),
        label,
        icon: icons[each],
        detail: description,
        ...(isCurrent ? current : {}),
      };
    });
    const custom = (await agents.list()).map(({ name, detail, isUsable }): ModeRow => ({
      select: () => select({ mode: 'agent', agent: name }),
      label: shownName(name),
      icon: isUsable ? 'robot' : 'warning',
      detail,
      ...(name === mode.agent ? current : {}),
    }));
    const handoffs = (mode.agent === undefined ? [] : await agents.handoffsOf(mode.agent)).map(
      (handoff): ModeRow => handoffRow(handoff, select),
    );
    const heading = { label: vscode.l10n.t('Commands'), kind: vscode.QuickPickItemKind.Separator };
    return [...handoffs, ...modes, ...custom, heading, await sandboxRow(mode)];
  };
  const picked = await pickOne(readRows(), {
    title: vscode.l10n.t('Select Mode'),
    placeHolder: vscode.l10n.t('Select what the model may do from the next question on'),
  });
  await picked?.select?.();
}

function handoffRow(
  { label, agent, prompt }: AgentHandoff,
  select: (picked: PickableMode) => Promise<void>,
): ModeRow {
  const known = chatMode.safeParse(agent.toLowerCase()).data;
  const to = known === undefined ? shownName(agent) : modeText(known).label;
  return {
    select: () => select({ prompt, ...(known === undefined ? { mode: 'agent', agent } : { mode: known }) }),
    label: shownName(label),
    icon: 'arrow-right',
    detail: vscode.l10n.t('Hands over to {0}', to),
  };
}

/** An agent that can't be used is not selected; what it asks for in vain is told. */
async function selectPicked(
  { mode: picked, agent, prompt }: PickableMode,
  {
    mode,
    agents,
    chat,
  }: { readonly mode: SelectedMode; readonly agents: ReadableAgents; readonly chat: Focusable },
): Promise<void> {
  const missing = agent === undefined ? [] : await agents.missingOf(agent);
  await mode.select(picked, agent);
  if (agent !== undefined && missing.length > 0) {
    void notify.information(
      vscode.l10n.t(
        'The agent {0} asks for what isn’t there: {1}. It works without.',
        shownName(agent),
        shownName(missing.join(', '), 300),
      ),
    );
  }
  if (prompt !== undefined && prompt !== '') await chat.focus({ text: prompt });
}

/** Where there is no sandbox, it says why, and sets nothing. */
async function sandboxRow(mode: SelectedMode): Promise<ModeRow> {
  const label = vscode.l10n.t('Run in Sandbox Without Asking');
  const reason = await mode.whyNoSandbox();
  if (reason !== undefined) return { label, icon: 'circle-slash', detail: noSandboxText(reason) };
  return {
    label,
    icon: mode.isUnasked ? 'check' : 'shield',
    detail: vscode.l10n.t(
      'Commands write only in the workspace, without its protected files, and reach only allowed hosts',
    ),
    ...(mode.isUnasked ? { description: vscode.l10n.t('turned on') } : {}),
    select: () => mode.setUnasked(!mode.isUnasked),
  };
}

function noSandboxText(reason: NoSandboxReason): string {
  switch (reason) {
    case 'system':
      return vscode.l10n.t('Not available on this system. You are asked before commands run.');
    case 'program':
      return vscode.l10n.t(
        'Install bubblewrap and reload the window. Until then, you are asked before commands run.',
      );
    case 'refused':
      return vscode.l10n.t('This system doesn’t allow sandboxes. You are asked before commands run.');
  }
}
