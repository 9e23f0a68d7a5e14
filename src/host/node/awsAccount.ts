import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { tryParseJson } from '../../base/tryParseJson.ts';
import { CloudAccountError, type AwsKeys } from '../cloudAccounts.ts';
import { nonEmpty, runTool, type ToolRun } from './cloudTools.ts';

/** An entry of the shared files, by its names in small letters. */
type Profile = Readonly<Record<string, string>>;

/** https://docs.aws.amazon.com/cli/latest/reference/configure/export-credentials.html */
const exported = z.object({
  AccessKeyId: z.string().min(1),
  SecretAccessKey: z.string().min(1),
  SessionToken: z.string().optional(),
  Expiration: z.string().optional(),
});

export interface AwsSource {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Runs a program, and waits for what it says. */
  readonly run?: (program: string, options: readonly string[]) => Promise<ToolRun>;
}

/** Keys, and until when they are good, in milliseconds. */
export interface AwsSession {
  readonly keys: AwsKeys;
  readonly until?: number;
}

/**
 * As the tools of AWS do it: first the environment, then the shared files. Every other way to sign in (SSO, roles,
 * programs, the browser) is left to the AWS CLI, which a user of one has.
 * @param chosen a profile; empty: the one of the environment @throws CloudAccountError
 */
export async function awsSession(chosen: string, { env, run = runTool }: AwsSource): Promise<AwsSession> {
  const bearer = env['AWS_BEARER_TOKEN_BEDROCK']?.trim() ?? '';
  if (chosen === '' && bearer !== '') return { keys: { bearer } };
  const named = chosen === '' ? (env['AWS_PROFILE'] ?? '') : chosen;
  const { AWS_ACCESS_KEY_ID: id = '', AWS_SECRET_ACCESS_KEY: secret = '', AWS_SESSION_TOKEN: token } = env;
  if (named === '' && id !== '' && secret !== '') return { keys: keysOf(id, secret, token) };
  const profile = named === '' ? 'default' : named;
  const found = await profileOf(profile, env);
  const { aws_access_key_id: ownId, aws_secret_access_key: ownSecret, aws_session_token: ownToken } = found;
  if (found['role_arn'] === undefined && ownId !== undefined && ownSecret !== undefined) {
    return { keys: keysOf(ownId, ownSecret, ownToken) };
  }
  const command = signInCommand(found, profile);
  const options = ['configure', 'export-credentials', '--format', 'process', '--profile', profile];
  // Without a profile, the CLI also asks the machine, as on a server of AWS.
  const { status, output, problem } = await run('aws', named === '' ? options.slice(0, -2) : options);
  if (status === undefined) throw new CloudAccountError('none', command, 'The AWS CLI was not found');
  if (status !== 0) throw new CloudAccountError(reasonIn(problem), command, problem);
  const session = exported.safeParse(tryParseJson(output)).data;
  if (session === undefined)
    throw new CloudAccountError('failed', command, 'The AWS CLI gave no credentials');
  const until = Date.parse(session.Expiration ?? '');
  return {
    keys: keysOf(session.AccessKeyId, session.SecretAccessKey, session.SessionToken),
    ...(Number.isNaN(until) ? {} : { until }),
  };
}

/** @param chosen as above */
export async function awsRegion(chosen: string, env: AwsSource['env']): Promise<string | undefined> {
  const given =
    chosen === '' ? (nonEmpty(env['AWS_REGION']) ?? nonEmpty(env['AWS_DEFAULT_REGION'])) : undefined;
  if (given !== undefined) return given;
  return (await profileOf(nonEmpty(chosen) ?? nonEmpty(env['AWS_PROFILE']) ?? 'default', env))['region'];
}

function keysOf(accessKeyId: string, secretAccessKey: string, sessionToken: string | undefined): AwsKeys {
  return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
}

function signInCommand(profile: Profile, name: string): string {
  const suffix = name === 'default' ? '' : ` --profile ${name}`;
  if ('sso_session' in profile || 'sso_start_url' in profile) return `aws sso login${suffix}`;
  if ('login_session' in profile) return `aws login${suffix}`;
  return Object.keys(profile).length === 0 ? `aws configure sso${suffix}` : `aws login${suffix}`;
}

function reasonIn(problem: string): CloudAccountError['reason'] {
  if (/expired|refresh failed|reauthenticate|error loading sso token|sso login|aws login/iu.test(problem)) {
    return 'expired';
  }
  return /could not be found|unable to locate credentials|no credentials/iu.test(problem) ? 'none' : 'failed';
}

/** https://docs.aws.amazon.com/sdkref/latest/guide/file-format.html: the file of credentials wins. */
async function profileOf(name: string, env: AwsSource['env']): Promise<Profile> {
  const folder = path.join(homedir(), '.aws');
  const [config, credentials] = await Promise.all([
    sectionsIn(nonEmpty(env['AWS_CONFIG_FILE']) ?? path.join(folder, 'config')),
    sectionsIn(nonEmpty(env['AWS_SHARED_CREDENTIALS_FILE']) ?? path.join(folder, 'credentials')),
  ]);
  return { ...(config.get(`profile ${name}`) ?? config.get(name)), ...credentials.get(name) };
}

async function sectionsIn(file: string): Promise<ReadonlyMap<string, Profile>> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    // Most machines have only one of the files, or none.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw new CloudAccountError('failed', 'aws configure', `${file} cannot be read`, { cause: error });
  });
  const sections = new Map<string, Record<string, string>>();
  let section: Record<string, string> = {};
  for (const line of text.split(/\r?\n/u)) {
    const heading = /^\s*\[\s*([^\]]*?)\s*\]/u.exec(line)?.[1]?.replace(/\s+/gu, ' ');
    const [, name, value = ''] = /^([\w-]+)\s*=\s*(.*?)\s*$/u.exec(line) ?? [];
    if (heading !== undefined) sections.set(heading, (section = sections.get(heading) ?? {}));
    else if (name !== undefined) section[name.toLowerCase()] = value;
  }
  return sections;
}
