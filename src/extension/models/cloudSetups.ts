import * as vscode from 'vscode';
import type { Host } from '../../host/hostMachine.ts';
import { bedrock } from '../../models/providers/cloud/bedrock.ts';
import { vertex } from '../../models/providers/cloud/vertex.ts';
import type { Settings } from '../manifest/settings.ts';
import { askText } from '../ui/inputBox.ts';
import { messageOf } from '../ui/failures.ts';
import { notify } from '../ui/notifications.ts';
import type { PickRow } from '../ui/quickPick.ts';
import { missing, PROJECT, REGION } from './cloudAccess.ts';

/** How the models of a cloud are set up: nothing but where they run is asked. */
export interface CloudSetup {
  readonly label: string;
  /** What it needs, or why it cannot be had here. */
  readonly description: string;
  /** False when the user stops it, or cannot have it here. */
  readonly run: () => Promise<boolean>;
}

/** A row of the list of models. */
interface CloudRow extends PickRow {
  readonly choice: { readonly cloud: CloudSetup };
}

/** Each cloud, also one that is set up: its row is the only place that changes where its models run. */
export function cloudRows(...access: Parameters<typeof cloudSetups>): CloudRow[] {
  return cloudSetups(...access).map((cloud) => ({
    icon: 'cloud',
    label: vscode.l10n.t('Set up {0}…', cloud.label),
    description: cloud.description,
    choice: { cloud },
  }));
}

function cloudSetups(
  settings: Pick<Settings, 'get' | 'set'>,
  { cloudAccounts }: Pick<Host, 'cloudAccounts'>,
  askFor: typeof askText = askText,
): readonly CloudSetup[] {
  const ask = (options: CheckedOptions): Promise<string | undefined> => askChecked(options, askFor);
  const isHere = cloudAccounts !== undefined;
  const describe = (here: string): string => (isHere ? here : vscode.l10n.t('not in a browser'));
  return [
    {
      label: bedrock.label,
      description: describe(vscode.l10n.t('uses the sign-in of the AWS CLI')),
      run: async () => {
        if (!isHere) return tellMissing(bedrock.label);
        const of = settings.get('clouds').bedrock;
        const profile = await ask({
          title: vscode.l10n.t('Profile of AWS'),
          prompt: vscode.l10n.t('As in the files of the AWS CLI. Leave it empty for the default.'),
          value: of?.profile ?? '',
        });
        if (profile === undefined) return false;
        const region = await ask({
          title: vscode.l10n.t('Region of AWS'),
          prompt: vscode.l10n.t('Where the models run, as in us-east-1'),
          value: given(of?.region) ?? (await (await cloudAccounts()).awsRegion(profile)) ?? '',
          form: REGION,
        });
        if (region === undefined) return false;
        await settings.set('clouds', { ...settings.get('clouds'), bedrock: { region, profile } });
        return true;
      },
    },
    {
      label: vertex.label,
      description: describe(vscode.l10n.t('uses the sign-in of gcloud')),
      run: async () => {
        if (!isHere) return tellMissing(vertex.label);
        const of = settings.get('clouds').vertex;
        const project = await ask({
          title: vscode.l10n.t('Project of Google Cloud'),
          prompt: vscode.l10n.t('Its ID. The project pays for what its models answer.'),
          value: given(of?.project) ?? (await (await cloudAccounts()).googleProject()) ?? '',
          form: PROJECT,
        });
        if (project === undefined) return false;
        const location = await ask({
          title: vscode.l10n.t('Location of Google Cloud'),
          prompt: vscode.l10n.t('Where the models run: global, or a region, as in europe-west1'),
          value: of?.location ?? 'global',
          form: REGION,
        });
        if (location === undefined) return false;
        await settings.set('clouds', { ...settings.get('clouds'), vertex: { project, location } });
        return true;
      },
    },
  ];
}

function tellMissing(label: string): false {
  void notify.information(messageOf(missing(label, true)));
  return false;
}

type CheckedOptions = Parameters<typeof askText>[0] & { readonly form?: RegExp };

async function askChecked(
  { form, ...options }: CheckedOptions,
  askFor: typeof askText,
): Promise<string | undefined> {
  const validateInput = (value: string): string | undefined =>
    form === undefined || form.test(value.trim())
      ? undefined
      : vscode.l10n.t('Only small letters, digits and hyphens.');
  return (await askFor({ ...options, validateInput }))?.trim();
}

function given(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
