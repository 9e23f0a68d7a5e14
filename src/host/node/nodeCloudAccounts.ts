import type { AwsKeys, CloudAccounts } from '../cloudAccounts.ts';
import { awsRegion, awsSession, type AwsSession } from './awsAccount.ts';
import { googleProject, googleSession, type GoogleSession, type GoogleSource } from './googleAccount.ts';

/** Renewed this long before its end, in milliseconds: an answer may take minutes to begin. */
const AHEAD = 5 * 60_000;
/** How long a session without an end is not asked for again, in milliseconds. */
const FRESH = 5 * 60_000;

interface Kept<T> {
  readonly session: T;
  /** In milliseconds. */
  readonly until: number;
}

/** Keeps sessions in memory only, each until shortly before it ends. */
export class NodeCloudAccounts implements CloudAccounts {
  private readonly source: GoogleSource;
  private readonly awsSessions = new Map<string, SessionOf<AwsSession>>();
  private readonly google: SessionOf<GoogleSession>;

  constructor(source: Partial<GoogleSource> = {}) {
    this.source = { env: process.env, fetch: globalThis.fetch, ...source };
    this.google = new SessionOf(() => googleSession(this.source));
  }

  async aws(profile: string): Promise<AwsKeys> {
    const known = this.awsSessions.get(profile) ?? new SessionOf(() => awsSession(profile, this.source));
    this.awsSessions.set(profile, known);
    return (await known.current()).keys;
  }

  awsRegion(profile: string): Promise<string | undefined> {
    return awsRegion(profile, this.source.env);
  }

  async googleToken(): Promise<string> {
    return (await this.google.current()).token;
  }

  googleProject(): Promise<string | undefined> {
    return googleProject(this.source);
  }
}

/** One request at a time asks for a new session; a failure is not kept. */
class SessionOf<T extends { readonly until?: number }> {
  private kept: Kept<T> | undefined;
  private asking: Promise<T> | undefined;

  constructor(private readonly ask: () => Promise<T>) {}

  current(): Promise<T> {
    if (this.kept !== undefined && Date.now() < this.kept.until) return Promise.resolve(this.kept.session);
    this.asking ??= this.ask()
      .then((session) => {
        const until = session.until === undefined ? Date.now() + FRESH : session.until - AHEAD;
        this.kept = { session, until };
        return session;
      })
      .finally(() => (this.asking = undefined));
    return this.asking;
  }
}
