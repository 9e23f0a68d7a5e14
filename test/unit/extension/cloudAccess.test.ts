import assert from 'node:assert/strict';
import { CloudAccountError, type CloudAccounts } from '../../../src/host/cloudAccounts.ts';
import { createCloudSources } from '../../../src/extension/models/cloudAccess.ts';
import type { SettingName, SettingValue } from '../../../src/extension/manifest/settings.ts';

const values: Partial<{ [N in SettingName]: SettingValue<N> }> = {
  clouds: {
    bedrock: { region: 'eu-central-1', profile: 'work' },
    vertex: { project: 'project-1', location: 'global' },
  },
};

function sourcesWith(
  given: typeof values,
  accounts: (() => Promise<CloudAccounts>) | undefined,
): ReturnType<typeof createCloudSources> {
  const all = { ...values, ...given };
  return createCloudSources({
    // The test sets every setting that is read.
    settings: { get: (name) => all[name] as never },
    accounts,
    fetch: () => Promise.reject(new Error('Nothing is to be asked.')),
  });
}

function failing(reason: CloudAccountError['reason']): () => Promise<CloudAccounts> {
  const fail = (): Promise<never> =>
    Promise.reject(new CloudAccountError(reason, 'aws sso login --profile work', 'The words of the tool'));
  return () => Promise.resolve({ aws: fail, awsRegion: fail, googleToken: fail, googleProject: fail });
}

describe('the clouds of the settings', () => {
  it('ask no tool before they are set up', async () => {
    const unset = { clouds: {} };
    const sources = sourcesWith(unset, () => Promise.reject(new Error('No tool is to be asked.')));
    for (const source of sources) {
      assert.deepEqual(await source.list(), []);
      const model = (await source.find(`${source.id}:x`)) ?? assert.fail();
      await assert.rejects(model.open(), { code: 'not-set-up', message: /Select Model/u });
    }
  });

  it('are not there in a browser, which an answer says', async () => {
    for (const source of sourcesWith({}, undefined)) {
      assert.deepEqual(await source.list(), []);
      const model = (await source.find(`${source.id}:x`)) ?? assert.fail();
      await assert.rejects(model.open(), {
        code: 'not-in-browser',
        message: /isn’t available in a browser/u,
      });
    }
  });

  it('say what to run when nobody is signed in, or no longer', async () => {
    const cases: readonly (readonly [CloudAccountError['reason'], RegExp])[] = [
      ['none', /^Nobody is signed in to .* on this machine: The words of the tool\. Run “aws sso login/u],
      ['expired', /^The sign-in to .* has expired\. Run “aws sso login --profile work” in a terminal/u],
      ['failed', /^Can’t use the sign-in to .*: The words of the tool\. Check it/u],
    ];
    for (const [reason, message] of cases) {
      for (const source of sourcesWith({}, failing(reason))) {
        await assert.rejects(source.list(), { code: 'sign-in', message });
      }
    }
  });

  it('refuse a name that would lead to another address', async () => {
    const odd = {
      clouds: {
        bedrock: { region: 'a.test/x', profile: '' },
        vertex: { project: 'project-1', location: 'a.test/' },
      },
    };
    for (const source of sourcesWith(odd, failing('none'))) {
      await assert.rejects(source.list(), { code: 'invalid-address', message: /“Offshoot: Select Model”/u });
    }
  });
});
