import * as vscode from 'vscode';
import type { AllowanceMemory } from '../../agent/tools/approvals.ts';
import type { ChatModel, ReasoningEffort } from '../../models/chatModel.ts';
import { effortsOf, maxTemperatureOf } from '../../models/modelProviders.ts';
import { sandboxText } from '../files/ownFilesProgress.ts';
import type { StoredRacer } from '../files/storedRacers.ts';
import { workspaceFolders } from '../files/openFolders.ts';
import { readTemperature } from '../models/pickModel.ts';
import { capTexts, raiseCap, type CapContext } from '../models/raiseCap.ts';
import { effortText } from '../models/reasoningEffort.ts';
import { askText } from '../ui/inputBox.ts';
import { choose } from '../ui/notifications.ts';
import { pickMany, pickOne, type PickRow } from '../ui/quickPick.ts';

/** What is set for one branch; they take turns where there are fewer than branches. */
export type Variation = Pick<StoredRacer, 'effort' | 'hint' | 'temperature'>;

interface VariationRow extends PickRow {
  readonly ask: () => Promise<readonly Variation[] | undefined>;
}

/** Asks how the branches differ, besides in their models. Undefined when the user canceled. */
export async function askVariations(
  title: string,
  models: readonly ChatModel[],
  count: number,
): Promise<readonly Variation[] | undefined> {
  const efforts = [...new Set(models.flatMap((model) => effortsOf(model)))];
  const rows: VariationRow[] = [
    {
      label: models.length > 1 ? vscode.l10n.t('Models Only') : vscode.l10n.t('Nothing'),
      icon: 'symbol-method',
      ask: () => Promise.resolve([{}]),
    },
    { label: vscode.l10n.t('Hints…'), icon: 'lightbulb', ask: () => askHints(title, count) },
    ...(efforts.length > 0
      ? [{ label: vscode.l10n.t('Reasoning Efforts…'), icon: 'pulse', ask: () => askEfforts(title, efforts) }]
      : []),
    {
      label: vscode.l10n.t('Temperatures…'),
      icon: 'flame',
      ask: () => askTemperatures(title, Math.min(...models.map(maxTemperatureOf))),
    },
  ];
  const placeHolder = vscode.l10n.t('Select what the branches differ in');
  const picked = await pickOne(rows, { title, placeHolder, ignoreFocusOut: true });
  return picked?.ask();
}

async function askHints(title: string, count: number): Promise<readonly Variation[] | undefined> {
  const hints: Variation[] = [];
  for (let index = 1; index <= count; index += 1) {
    const hint = await askText({
      title,
      prompt: vscode.l10n.t(
        'How to go about it on branch {0} of {1}. Leave it empty for no hint.',
        index,
        count,
      ),
      placeHolder: vscode.l10n.t('such as: change as little as possible'),
    });
    if (hint === undefined) return undefined;
    hints.push(hint.trim() === '' ? {} : { hint: hint.trim() });
  }
  return hints;
}

async function askEfforts(
  title: string,
  efforts: readonly ReasoningEffort[],
): Promise<readonly Variation[] | undefined> {
  const rows = efforts.map((effort) => ({ effort, label: effortText(effort) }));
  const placeHolder = vscode.l10n.t('Select one effort, or several that take turns');
  const picked = await pickMany(rows, { title, placeHolder, ignoreFocusOut: true });
  return picked && picked.length > 0 ? picked.map(({ effort }) => ({ effort })) : undefined;
}

async function askTemperatures(title: string, limit: number): Promise<readonly Variation[] | undefined> {
  const read = (text: string) =>
    text.split(/[\s;]+/u).flatMap((each) => readTemperature(each, limit) ?? [NaN]);
  const entered = await askText({
    title,
    prompt: vscode.l10n.t(
      'Temperatures from 0 (the same each time) to {0} (the most varied), separated by spaces. They take turns.',
      limit,
    ),
    placeHolder: vscode.l10n.t('such as: 0.2 0.8'),
    validateInput: (text) =>
      read(text.trim()).some((each) => each === 'own' || Number.isNaN(each))
        ? vscode.l10n.t('Enter numbers from 0 to {0}.', limit)
        : undefined,
  });
  if (entered === undefined) return undefined;
  return read(entered.trim()).map((each) => (typeof each === 'number' ? { temperature: each } : {}));
}

const REMEMBERED = 'offshoot.check';

interface CheckRow extends PickRow {
  /** Left out: none. */
  readonly check?: string;
  /** It is entered. */
  readonly isOther?: true;
  /** A cap is to be raised first. */
  readonly isBudget?: true;
}

export type AskedCheck = Pick<NonNullable<StoredRacer['check']>, 'command' | 'folder' | 'isOutside'>;

/**
 * Asks for the command that is run in each branch when it has answered; what was chosen last comes first. It is to be
 * approved once, as any command is: what it runs may be something that a model wrote.
 * @returns `none`: the user wants none; undefined: the user canceled
 */
export async function askCheck(
  title: string,
  {
    memory,
    allowed,
    caps,
    hasSandbox,
  }: {
    readonly memory: vscode.Memento;
    readonly allowed: AllowanceMemory;
    /** What holds for the answers of a race together is said before they begin. */
    readonly caps: CapContext;
    readonly hasSandbox: () => Promise<boolean>;
  },
): Promise<AskedCheck | 'none' | undefined> {
  const remembered = memory.get<unknown>(REMEMBERED);
  const last = typeof remembered === 'string' ? remembered : undefined;
  const commands = [
    ...new Set([...(last === undefined || last === '' ? [] : [last]), ...(await usualChecks())]),
  ];
  const none: CheckRow = { label: vscode.l10n.t('No Check'), icon: 'circle-slash' };
  const rows: CheckRow[] = [
    ...(last === '' ? [none] : []),
    ...commands.map((check): CheckRow => ({ label: check, icon: 'terminal', check })),
    { label: vscode.l10n.t('Other Command…'), icon: 'edit', isOther: true },
    ...(last === '' ? [] : [none]),
    ...budgetRows(caps),
  ];
  const placeHolder = vscode.l10n.t('Select the command that checks each branch when it is done');
  const picked = await pickOne(rows, { title, placeHolder, ignoreFocusOut: true });
  if (!picked) return undefined;
  if (picked.isBudget) {
    await raiseCap(caps);
    return askCheck(title, { memory, allowed, caps, hasSandbox });
  }
  const entered = picked.isOther ? await enterCheck(title, last) : picked.check;
  if (picked.isOther && entered === undefined) return undefined;
  const command = entered?.trim() ?? '';
  if (command === '') {
    await memory.update(REMEMBERED, '');
    return 'none';
  }
  const folder = await askFolder(title);
  if (folder === undefined) return undefined;
  const isOutside = await askLeave(command, folder, allowed, hasSandbox);
  if (isOutside === undefined) return undefined;
  await memory.update(REMEMBERED, command);
  return { command, folder, ...(isOutside ? { isOutside } : {}) };
}

/** Whether it is to leave the sandbox, if there is one. Undefined: the user canceled. */
async function askLeave(
  command: string,
  folder: string,
  allowed: AllowanceMemory,
  hasSandbox: () => Promise<boolean>,
): Promise<boolean | undefined> {
  const about = JSON.stringify([folder, command]);
  const [kind, outsideKind] = [`check:${about}`, `check-outside:${about}`];
  if (allowed.has(outsideKind)) return true;
  if (allowed.has(kind)) return false;
  const run = vscode.l10n.t('Run Check');
  const isWalled = await hasSandbox();
  const outside = vscode.l10n.t('Run Outside of Sandbox');
  const chosen = await choose(
    vscode.l10n.t('Run “{0}” in each branch when it is done?', command),
    [
      [
        vscode.l10n.t(
          'It runs in a terminal, with what the models have changed by then. Asked once in this workspace.',
        ),
      ],
      ...(isWalled ? [[sandboxText()]] : []),
    ],
    run,
    ...(isWalled ? [outside] : []),
  );
  if (chosen === undefined) return undefined;
  await allowed.add(chosen === outside ? outsideKind : kind);
  return chosen === outside;
}

/** None without a cap. */
function budgetRows({ settings }: CapContext): CheckRow[] {
  const caps = capTexts(settings);
  if (caps.length === 0) return [];
  return [
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    { label: vscode.l10n.t('Raise Cap…'), description: caps.join(', '), icon: 'credit-card', isBudget: true },
  ];
}

function enterCheck(title: string, last: string | undefined): Promise<string | undefined> {
  return askText({
    title,
    prompt: vscode.l10n.t('Command that ends with exit code 0 where a branch is right'),
    placeHolder: 'npm test',
    value: last ?? '',
    validateInput: (text) =>
      /\p{Cc}/u.test(text) ? vscode.l10n.t('The command has control characters in it.') : undefined,
  });
}

/** The URI of the one that the check is for. */
async function askFolder(title: string): Promise<string | undefined> {
  const folders = workspaceFolders();
  if (folders.length < 2) return folders[0]?.uri;
  const rows = folders.map(({ name, uri }) => ({ label: name, icon: 'folder', uri }));
  const placeHolder = vscode.l10n.t('Select the folder that the check runs in');
  return (await pickOne(rows, { title, placeHolder, ignoreFocusOut: true }))?.uri;
}

/** What projects of a kind are checked with, by a file that they have. */
const USUAL: readonly (readonly [file: string, command: string])[] = [
  ['package.json', 'npm test'],
  ['Cargo.toml', 'cargo test'],
  ['go.mod', 'go test ./...'],
  ['pyproject.toml', 'pytest'],
];

async function usualChecks(): Promise<string[]> {
  const [folder] = workspaceFolders();
  if (!folder) return [];
  const found = await Promise.all(
    USUAL.map(async ([file, command]) => {
      const uri = vscode.Uri.joinPath(vscode.Uri.parse(folder.uri, true), file);
      return vscode.workspace.fs.stat(uri).then(
        () => [command],
        () => [],
      );
    }),
  );
  return found.flat();
}
