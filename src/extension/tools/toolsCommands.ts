import * as vscode from 'vscode';
import { notify } from '../ui/notifications.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import type { Approvals } from '../../agent/tools/approvals.ts';
import { PickList, type PickRow } from '../ui/quickPick.ts';
import type { AgentTool } from '../../agent/tools/tool.ts';
import { runCommand } from '../manifest/runCommand.ts';
import type { Settings } from '../manifest/settings.ts';
import { numberText, tokensText } from '../ui/formats.ts';
import { askText } from '../ui/inputBox.ts';
import { oneLine } from '../ui/shownName.ts';
import type { AgentTools, SelectableTools } from './agentTools.ts';
import type { pickMode } from './pickMode.ts';
import { toolsOfExtensions, type ExtensionTool } from './lmTools.ts';
import { shownTool } from './shownTools.ts';
import { groupForeign, turnedOff, type ToolGroup } from './toolGroups.ts';

/** In characters. */
const QUOTE = 120;

interface ToolRow extends PickRow {
  /** Left out for a heading. */
  readonly tool?: AgentTool;
}

interface SetRow extends PickRow {
  readonly name: string;
}

interface Answer {
  readonly kind: 'accept' | 'save' | 'sets' | 'reset';
  readonly selected: ReadonlySet<string>;
}

async function selectTools({
  approvals,
  settings,
  tools,
}: {
  readonly approvals: Approvals;
  readonly settings: Settings;
  readonly tools: Pick<AgentTools, 'selectable'>;
}): Promise<void> {
  const ofExtensions = toolsOfExtensions();
  const groups = groupsOf(tools.selectable(), ofExtensions);
  const known = groups.flatMap((group) => group.tools);
  if (known.length === 0) {
    void notify.information(
      vscode.l10n.t('There are no tools here: they are turned off, or the workspace is not trusted.'),
    );
    return;
  }
  const tokens = await countTokens(known);
  const off = new Set(settings.get('tools.off'));
  let selected: ReadonlySet<string> = new Set(known.map(({ name }) => name).filter((name) => !off.has(name)));
  for (;;) {
    const answer = await ask(groups, ofExtensions, tokens, selected, approvals.hasAny());
    if (!answer) return;
    ({ selected } = answer);
    if (answer.kind === 'accept') break;
    if (answer.kind === 'reset') await runCommand('offshoot.resetApprovals');
    else if (answer.kind === 'save') await saveSet(settings, selected);
    else selected = (await pickSet(settings)) ?? selected;
  }
  await settings.set('tools.off', turnedOff(settings.get('tools.off'), known, selected));
}

function groupsOf(
  { cycle, reading, exploring, writing, commands, web, notes, foreign }: SelectableTools,
  ofExtensions: ReadonlyMap<string, ExtensionTool>,
): ToolGroup[] {
  const groups: ToolGroup[] = [
    { label: vscode.l10n.t('Offshoot: reading'), tools: [...reading, ...exploring] },
    { label: vscode.l10n.t('Offshoot: writing files'), tools: writing },
    { label: vscode.l10n.t('Offshoot: commands'), tools: commands },
    { label: vscode.l10n.t('Offshoot: web pages'), tools: web },
    { label: vscode.l10n.t('Offshoot: notes and checkpoints'), tools: [...notes, ...cycle] },
    ...groupForeign(foreign, ofExtensions, {
      server: (name) => vscode.l10n.t('MCP server {0}', name),
      others: vscode.l10n.t('Others'),
    }),
  ];
  return groups.filter(({ tools }) => tools.length > 0);
}

/** Undefined: change nothing. */
async function ask(
  groups: readonly ToolGroup[],
  ofExtensions: ReadonlyMap<string, ExtensionTool>,
  tokens: ReadonlyMap<string, number>,
  selected: ReadonlySet<string>,
  canReset: boolean,
): Promise<Answer | undefined> {
  const save = { iconPath: new vscode.ThemeIcon('save'), tooltip: vscode.l10n.t('Save as a Set…') };
  const sets = { iconPath: new vscode.ThemeIcon('library'), tooltip: vscode.l10n.t('Use a Saved Set…') };
  const reset = { iconPath: new vscode.ThemeIcon('shield'), tooltip: vscode.l10n.t('Reset Tool Approvals') };
  const picker = new PickList<ToolRow>({
    title: vscode.l10n.t('Select Tools'),
    placeholder: vscode.l10n.t('Select what models are offered from the next request on'),
    canSelectMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
    buttons: canReset ? [reset, save, sets] : [save, sets],
  });
  const rows = groups.flatMap((group): ToolRow[] => [
    { label: group.label, kind: vscode.QuickPickItemKind.Separator },
    ...group.tools.map((tool) => ({
      tool,
      ...shownTool(tool, ofExtensions),
      // The chat and the Context view call it so.
      description: `${tool.name}, ${tokensText(tokens.get(tool.name) ?? 0)}`,
    })),
  ]);
  const chosen = (): ToolRow[] => [...picker.selectedRows];
  const describe = (): void => {
    picker.title = titleOf(chosen(), rows, tokens);
  };
  picker.rows = rows;
  picker.selectedRows = rows.filter(({ tool }) => tool && selected.has(tool.name));
  describe();
  try {
    return await new Promise<Answer | undefined>((resolve) => {
      const answer = (kind: Answer['kind']): void =>
        resolve({ kind, selected: new Set(chosen().flatMap(({ tool }) => tool?.name ?? [])) });
      picker.onDidChangeSelection(describe);
      picker.onDidTriggerButton((button) => {
        if (button === reset) answer('reset');
        else answer(button === save ? 'save' : 'sets');
      });
      picker.onDidAccept(() => answer('accept'));
      picker.onDidHide(() => resolve(undefined));
      picker.show();
    });
  } finally {
    picker.dispose();
  }
}

function titleOf(
  chosen: readonly ToolRow[],
  rows: readonly ToolRow[],
  tokens: ReadonlyMap<string, number>,
): string {
  const sum = chosen.reduce((total, { tool }) => total + (tool ? (tokens.get(tool.name) ?? 0) : 0), 0);
  const all = rows.filter(({ tool }) => tool).length;
  return vscode.l10n.t(
    'Select Tools ({0} of {1}, {2})',
    numberText(chosen.length),
    numberText(all),
    tokensText(sum),
  );
}

async function saveSet(settings: Settings, selected: ReadonlySet<string>): Promise<void> {
  const name = await askText({
    title: vscode.l10n.t('Save as a Set'),
    prompt: vscode.l10n.t('A name for the selected tools. A set of that name is replaced.'),
  });
  const trimmed = name?.trim() ?? '';
  if (trimmed === '') return;
  await settings.set('tools.sets', { ...settings.get('tools.sets'), [trimmed]: [...selected].sort() });
}

/** Undefined if none was picked. */
async function pickSet(settings: Settings): Promise<ReadonlySet<string> | undefined> {
  const sets = settings.get('tools.sets');
  if (Object.keys(sets).length === 0) {
    void notify.information(vscode.l10n.t('There is no set yet. Select tools and save them as one.'));
    return undefined;
  }
  const remove = { iconPath: new vscode.ThemeIcon('trash'), tooltip: vscode.l10n.t('Delete This Set') };
  const picker = new PickList<SetRow>({ title: vscode.l10n.t('Use a Saved Set') });
  const show = (shown: Readonly<Record<string, readonly string[]>>): void => {
    picker.rows = Object.entries(shown).map(([name, names]) => ({
      name,
      label: name,
      detail: oneLine(names.join(', '), QUOTE),
      buttons: [remove],
    }));
  };
  show(sets);
  try {
    return await new Promise((resolve, reject) => {
      picker.onDidTriggerRowButton(({ name }) => {
        const { [name]: _deleted, ...others } = settings.get('tools.sets');
        settings.set('tools.sets', others).then(() => show(others), reject);
      });
      picker.onDidAccept(() => {
        const [row] = picker.activeRows;
        if (row) resolve(new Set(settings.get('tools.sets')[row.name]));
      });
      picker.onDidHide(() => resolve(undefined));
      picker.show();
    });
  } finally {
    picker.dispose();
  }
}

/** The tokens of each in every request. */
async function countTokens(tools: readonly AgentTool[]): Promise<ReadonlyMap<string, number>> {
  const { TextTokens } = await import('../../agent/context/textTokens.ts');
  const { toolsText } = await import('../../agent/context/sentText.ts');
  const counter = new TextTokens();
  const counts = new Map<string, number>();
  for (const tool of tools) counts.set(tool.name, await counter.count(toolsText([tool])));
  return counts;
}

export function toolsCommands(
  deps: Parameters<typeof selectTools>[0] & Parameters<typeof pickMode>[0],
  chat: Parameters<typeof pickMode>[1],
): CommandHandlers<'resetApprovals' | 'selectMode' | 'selectTools'> {
  return {
    resetApprovals: async () => {
      await deps.approvals.reset();
      void notify.information(
        vscode.l10n.t('Tools ask again before they write files or use other programs.'),
      );
    },
    selectMode: async () => (await import('./pickMode.ts')).pickMode(deps, chat),
    selectTools: () => selectTools(deps),
  };
}
