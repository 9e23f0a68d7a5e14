import assert from 'node:assert/strict';
import type * as cloudSetups from '../../../src/extension/models/cloudSetups.ts';
import type { CloudAccounts } from '../../../src/host/cloudAccounts.ts';
import type { SettingName, SettingValue } from '../../../src/extension/manifest/settings.ts';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';

type CloudRows = typeof cloudSetups.cloudRows;
type Rows = ReturnType<CloudRows>;

let cloudRows: CloudRows;

const notAsked = (): Promise<never> => Promise.reject(new Error('It is not to be asked.'));
const accounts: CloudAccounts = {
  aws: notAsked,
  awsRegion: (profile) => Promise.resolve(`eu-central-${profile.length}`),
  googleToken: notAsked,
  googleProject: () => Promise.resolve('project-1'),
};

interface Asked {
  readonly value: string | undefined;
  /** What it says to a text that leads elsewhere. */
  readonly problem: string | undefined;
}

/** The rows on a machine with tools of both clouds, and what they ask and set. */
function machine(
  ...typed: readonly (string | undefined)[]
): Record<'asked', Asked[]> & { rows: Rows; clouds: () => unknown } {
  const answers = [...typed];
  const asked: Asked[] = [];
  let clouds: SettingValue<'clouds'> = {};
  const settings = {
    // It is the only one.
    get: <N extends SettingName>() => clouds as SettingValue<N>,
    set: (_name: string, value: unknown) => {
      clouds = value as typeof clouds;
      return Promise.resolve();
    },
  };
  const rows = cloudRows(settings, { cloudAccounts: () => Promise.resolve(accounts) }, (options) => {
    asked.push({ value: options.value, problem: options.validateInput?.('a.test/') });
    return Promise.resolve(answers.shift());
  });
  return { asked, rows, clouds: () => clouds };
}

const named = (rows: Rows): unknown[] => rows.map(({ label, description }) => [label, description]);

describe('clouds in the list of models', () => {
  before(async () => {
    ({ cloudRows } = await withVsCodeStub(() => import('../../../src/extension/models/cloudSetups.ts')));
  });

  it('are offered, with what they sign in by', () => {
    assert.deepEqual(named(machine().rows), [
      ['Set up Amazon Bedrock…', 'uses the sign-in of the AWS CLI'],
      ['Set up Google Vertex AI…', 'uses the sign-in of gcloud'],
    ]);
  });

  it('say in a browser that they cannot be had there', () => {
    const settings = { get: () => ({}) as never, set: notAsked };
    const rows = cloudRows(settings, { cloudAccounts: undefined });
    assert.deepEqual(
      rows.map(({ description }) => description),
      ['not in a browser', 'not in a browser'],
    );
  });

  it('ask only where the models run, beginning with what the machine has', async () => {
    const { rows, asked, clouds } = machine('work', ' us-east-1 ', 'project-2', 'global');
    for (const { choice } of rows) assert.equal(await choice.cloud.run(), true);
    assert.deepEqual(
      asked.map(({ value }) => value),
      ['', 'eu-central-4', 'project-1', 'global'],
    );
    assert.deepEqual(
      asked.map(({ problem }) => problem),
      [undefined, ...Array.from({ length: 3 }, () => 'Only small letters, digits and hyphens.')],
    );
    assert.deepEqual(clouds(), {
      bedrock: { profile: 'work', region: 'us-east-1' },
      vertex: { project: 'project-2', location: 'global' },
    });
  });

  it('set nothing when the user stops', async () => {
    for (const typed of [[], ['work']]) {
      const { rows, clouds } = machine(...typed);
      assert.equal(await rows[0]?.choice.cloud.run(), false);
      assert.deepEqual(clouds(), {});
    }
  });
});
