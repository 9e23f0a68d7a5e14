import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { awsRegion, awsSession } from '../../../src/host/node/awsAccount.ts';
import type { ToolRun } from '../../../src/host/node/cloudTools.ts';
import { runTool } from '../../../src/host/node/cloudTools.ts';
import { googleProject, googleSession } from '../../../src/host/node/googleAccount.ts';
import { NodeCloudAccounts } from '../../../src/host/node/nodeCloudAccounts.ts';

const notThere: ToolRun = { status: undefined, output: '', problem: '' };
const ends = (run: Partial<ToolRun>) => () => Promise.resolve({ status: 0, output: '', problem: '', ...run });
const unused = (): Promise<ToolRun> => Promise.reject(new Error('No program is to run.'));

let folder: string;
let env: Record<string, string>;

async function put(name: string, text: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
}

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'offshoot-clouds-'));
  env = {
    AWS_CONFIG_FILE: path.join(folder, 'config'),
    AWS_SHARED_CREDENTIALS_FILE: path.join(folder, 'credentials'),
    CLOUDSDK_CONFIG: folder,
  };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the sign-in to AWS', () => {
  it('is that of the environment, unless a profile is named', async () => {
    Object.assign(env, { AWS_ACCESS_KEY_ID: 'AKIA1', AWS_SECRET_ACCESS_KEY: 's', AWS_SESSION_TOKEN: 't' });
    const keys = { accessKeyId: 'AKIA1', secretAccessKey: 's', sessionToken: 't' };
    assert.deepEqual(await awsSession('', { env, run: unused }), { keys });
    await put('credentials', '[work]\naws_access_key_id = AKIA2\naws_secret_access_key=s2\n');
    const work = { keys: { accessKeyId: 'AKIA2', secretAccessKey: 's2' } };
    assert.deepEqual(await awsSession('work', { env, run: unused }), work);
    env['AWS_PROFILE'] = 'work';
    assert.deepEqual(await awsSession('', { env, run: unused }), work);
    env['AWS_BEARER_TOKEN_BEDROCK'] = 'key';
    assert.deepEqual(await awsSession('', { env, run: unused }), { keys: { bearer: 'key' } });
  });

  it('is left to the AWS CLI for a profile that signs in by its browser, and good until it ends', async () => {
    await put(
      'config',
      '[profile  sso]\nsso_session = mine\nregion = eu-west-1\n\n[sso-session mine]\nx = y\n',
    );
    const asked: string[] = [];
    const run = (program: string, options: readonly string[]): Promise<ToolRun> => {
      asked.push([program, ...options].join(' '));
      const Expiration = '2026-11-26T20:00:00Z';
      const output = JSON.stringify({
        Version: 1,
        AccessKeyId: 'ASIA',
        SecretAccessKey: 's',
        SessionToken: 't',
        Expiration,
      });
      return Promise.resolve({ status: 0, output, problem: '' });
    };
    assert.deepEqual(await awsSession('sso', { env, run }), {
      keys: { accessKeyId: 'ASIA', secretAccessKey: 's', sessionToken: 't' },
      until: Date.parse('2026-11-26T20:00:00Z'),
    });
    assert.deepEqual(asked, ['aws configure export-credentials --format process --profile sso']);
    assert.equal(await awsRegion('sso', env), 'eu-west-1');
    env['AWS_REGION'] = 'us-east-1';
    assert.equal(await awsRegion('', env), 'us-east-1');
    assert.equal(await awsRegion('sso', env), 'eu-west-1');
  });

  const failures: readonly (readonly [string, Partial<ToolRun>, object])[] = [
    ['the CLI is missing', notThere, { reason: 'none', command: 'aws sso login --profile sso' }],
    [
      'the session has expired',
      { status: 255, problem: 'Error when retrieving token from sso: Token has expired and refresh failed' },
      { reason: 'expired', command: 'aws sso login --profile sso' },
    ],
    [
      'nobody has signed in',
      { status: 255, problem: 'Unable to locate credentials' },
      { reason: 'none', command: 'aws sso login --profile sso' },
    ],
    ['the CLI fails', { status: 1, problem: 'Oh no' }, { reason: 'failed', words: 'Oh no' }],
    ['the CLI says something else', { output: '<html>' }, { reason: 'failed' }],
  ];
  for (const [title, result, expected] of failures) {
    it(`tells what to run when ${title}`, async () => {
      await put('config', '[profile sso]\nsso_session = mine\n');
      await assert.rejects(awsSession('sso', { env, run: ends(result) }), expected);
    });
  }
});

describe('the sign-in to Google Cloud', () => {
  const user = {
    type: 'authorized_user',
    client_id: 'id',
    client_secret: 'secret',
    refresh_token: 'refresh',
    quota_project_id: 'project-1',
  };
  const answers = (status: number, body: object, seen: string[] = []): typeof globalThis.fetch => {
    return async (input, init) => {
      seen.push(
        `${input instanceof Request ? input.url : input.toString()} ${await new Response(init?.body ?? null).text()}`,
      );
      return Response.json(body, { status });
    };
  };

  it('is a token for what the user has signed in with', async () => {
    await put('application_default_credentials.json', JSON.stringify(user));
    const seen: string[] = [];
    const fetch = answers(200, { access_token: 'ya29', expires_in: 3_599 }, seen);
    const { token, until = 0 } = await googleSession({ env, fetch, run: unused });
    assert.equal(token, 'ya29');
    assert.ok(until > Date.now() + 3_000_000);
    assert.deepEqual(seen, [
      'https://oauth2.googleapis.com/token grant_type=refresh_token&client_id=id&client_secret=secret&refresh_token=refresh',
    ]);
    assert.equal(await googleProject({ env, fetch }), 'project-1');
  });

  it('is a token for a service account, whose key signs the request', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' });
    const service = { type: 'service_account', client_email: 'a@b', private_key, project_id: 'project-2' };
    env['GOOGLE_APPLICATION_CREDENTIALS'] = await put('service.json', JSON.stringify(service));
    const seen: string[] = [];
    const fetch = answers(200, { access_token: 'ya29' }, seen);
    assert.equal((await googleSession({ env, fetch, run: unused })).token, 'ya29');
    const [, claims = ''] = /assertion=[^.]+\.([^.]+)\./u.exec(seen[0] ?? '') ?? [];
    const { iss, aud } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, string>;
    assert.deepEqual([iss, aud], ['a@b', 'https://oauth2.googleapis.com/token']);
    assert.equal(await googleProject({ env, fetch }), 'project-2');
  });

  it('is left to gcloud for all others', async () => {
    await put('application_default_credentials.json', JSON.stringify({ type: 'external_account' }));
    const run = ends({ output: 'ya29.other\n' });
    assert.deepEqual(await googleSession({ env, fetch: answers(500, {}), run, platform: 'linux' }), {
      token: 'ya29.other',
    });
  });

  it('tells what to run when it has expired, is missing or cannot be read', async () => {
    const fetch = answers(400, { error: 'invalid_grant', error_description: 'Token has been revoked.' });
    const command = 'gcloud auth application-default login';
    await assert.rejects(googleSession({ env, fetch, run: ends(notThere) }), { reason: 'none', command });
    await put('application_default_credentials.json', JSON.stringify(user));
    await assert.rejects(googleSession({ env, fetch }), {
      reason: 'expired',
      command,
      words: 'Token has been revoked.',
    });
    await put('application_default_credentials.json', 'not JSON');
    await assert.rejects(googleSession({ env, fetch }), { reason: 'failed' });
  });

  it('is asked for once by all who wait, and again after a failure', async () => {
    await put('application_default_credentials.json', JSON.stringify(user));
    let count = 0;
    const fetch: typeof globalThis.fetch = () => {
      count += 1;
      return Promise.resolve(
        count === 1
          ? Response.json({ error: 'internal' }, { status: 500 })
          : Response.json({ access_token: `token ${count}`, expires_in: 3_599 }),
      );
    };
    const accounts = new NodeCloudAccounts({ env, fetch });
    await assert.rejects(accounts.googleToken(), { reason: 'failed' });
    assert.deepEqual(await Promise.all([accounts.googleToken(), accounts.googleToken()]), [
      'token 2',
      'token 2',
    ]);
    assert.equal(await accounts.googleToken(), 'token 2');
  });
});

describe('a tool of a cloud', () => {
  it('is run without a shell, and missed without harm', async () => {
    const { status, output } = await runTool(process.execPath, ['-p', '1 + 1']);
    assert.deepEqual([status, output.trim()], [0, '2']);
    assert.deepEqual(await runTool('no-such-program-anywhere', []), notThere);
  });
});
