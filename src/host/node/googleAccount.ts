import { createSign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { CloudAccountError } from '../cloudAccounts.ts';
import { nonEmpty, runTool, type ToolRun } from './cloudTools.ts';

export interface GoogleSource {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly fetch: typeof globalThis.fetch;
  readonly run?: (program: string, options: readonly string[]) => Promise<ToolRun>;
  /** Default: the platform of this machine. */
  readonly platform?: NodeJS.Platform;
}

export interface GoogleSession {
  readonly token: string;
  /** In milliseconds. */
  readonly until?: number;
}

const TOKEN_ADDRESS = 'https://oauth2.googleapis.com/token';
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const SIGN_IN = 'gcloud auth application-default login';
/** In seconds. */
const HOUR = 3_600;

/** https://cloud.google.com/docs/authentication/application-default-credentials */
const credentials = z.looseObject({
  type: z.string(),
  quota_project_id: z.string().optional().catch(undefined),
  project_id: z.string().optional().catch(undefined),
});

const ofUser = z.object({
  type: z.literal('authorized_user'),
  client_id: z.string(),
  client_secret: z.string(),
  refresh_token: z.string(),
});

const ofService = z.object({
  type: z.literal('service_account'),
  client_email: z.string(),
  private_key: z.string(),
  private_key_id: z.string().optional(),
});

const answer = z.object({ access_token: z.string().min(1), expires_in: z.number().optional() });
const refusal = z.looseObject({ error: z.string(), error_description: z.string().optional() });

/**
 * A user's or a service's credentials are read; all others (federated, impersonated, of the machine) are left to
 * gcloud, which a user of one has.
 * @throws CloudAccountError
 */
export async function googleSession(source: GoogleSource): Promise<GoogleSession> {
  const found = await readCredentials(source);
  const user = ofUser.safeParse(found).data;
  if (user) {
    const { client_id, client_secret, refresh_token } = user;
    return exchange(source, { grant_type: 'refresh_token', client_id, client_secret, refresh_token });
  }
  const service = ofService.safeParse(found).data;
  if (service) {
    const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
    return exchange(source, { grant_type, assertion: assertionOf(service) });
  }
  return fromTool(source);
}

/** Undefined if they name none. @throws CloudAccountError */
export async function googleProject(source: GoogleSource): Promise<string | undefined> {
  const given = nonEmpty(source.env['GOOGLE_CLOUD_PROJECT']);
  if (given !== undefined) return given;
  const found = await readCredentials(source);
  return found?.quota_project_id ?? found?.project_id;
}

async function readCredentials({
  env,
  platform = process.platform,
}: GoogleSource): Promise<z.infer<typeof credentials> | undefined> {
  const folder =
    platform === 'win32'
      ? path.join(env['APPDATA'] ?? homedir(), 'gcloud')
      : path.join(homedir(), '.config', 'gcloud');
  const file =
    nonEmpty(env['GOOGLE_APPLICATION_CREDENTIALS']) ??
    path.join(nonEmpty(env['CLOUDSDK_CONFIG']) ?? folder, 'application_default_credentials.json');
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw new CloudAccountError('failed', SIGN_IN, `${file} cannot be read`, { cause });
  }
  try {
    return credentials.parse(JSON.parse(text));
  } catch (cause) {
    throw new CloudAccountError('failed', SIGN_IN, `${file} has no credentials of Google’s`, { cause });
  }
}

async function exchange(
  { fetch }: GoogleSource,
  form: Readonly<Record<string, string>>,
): Promise<GoogleSession> {
  const response = await fetch(TOKEN_ADDRESS, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'error',
    signal: AbortSignal.timeout(30_000),
  }).catch((cause: unknown) => {
    throw new CloudAccountError('failed', SIGN_IN, 'Google’s sign-in cannot be reached', { cause });
  });
  const body: unknown = await response.json().catch(() => undefined);
  const given = response.ok ? answer.safeParse(body).data : undefined;
  if (given) {
    const { access_token: token, expires_in: seconds = HOUR } = given;
    return { token, until: Date.now() + seconds * 1_000 };
  }
  const { error = '', error_description: words = error } = refusal.safeParse(body).data ?? {};
  throw new CloudAccountError(/invalid_(?:grant|rapt)/u.test(error) ? 'expired' : 'failed', SIGN_IN, words);
}

/** https://developers.google.com/identity/protocols/oauth2/service-account */
function assertionOf({ client_email, private_key, private_key_id }: z.infer<typeof ofService>): string {
  const now = Math.floor(Date.now() / 1_000);
  const header = {
    alg: 'RS256',
    typ: 'JWT',
    ...(private_key_id === undefined ? {} : { kid: private_key_id }),
  };
  const claims = { iss: client_email, scope: SCOPE, aud: TOKEN_ADDRESS, iat: now, exp: now + HOUR };
  const unsigned = [header, claims]
    .map((each) => Buffer.from(JSON.stringify(each)).toString('base64url'))
    .join('.');
  try {
    return `${unsigned}.${createSign('RSA-SHA256').update(unsigned).sign(private_key, 'base64url')}`;
  } catch (cause) {
    throw new CloudAccountError('failed', SIGN_IN, 'The key of the service account cannot be used', {
      cause,
    });
  }
}

async function fromTool({
  run = runTool,
  platform = process.platform,
}: GoogleSource): Promise<GoogleSession> {
  const options = ['auth', 'application-default', 'print-access-token'];
  const { status, output, problem } = await (platform === 'win32'
    ? // There it is a batch file, which only the shell starts.
      run('cmd.exe', ['/d', '/s', '/c', ['gcloud', ...options].join(' ')])
    : run('gcloud', options));
  if (status === undefined) throw new CloudAccountError('none', SIGN_IN, 'gcloud was not found');
  const token = output.trim();
  if (status === 0 && /^[\w.~+/=-]+$/u.test(token)) return { token };
  const isExpired = /reauth|refresh|expired|invalid_grant/iu.test(problem);
  const isNone = /could not be found|default credentials|not recognized|not found/iu.test(problem);
  throw new CloudAccountError(isExpired ? 'expired' : isNone ? 'none' : 'failed', SIGN_IN, problem);
}
