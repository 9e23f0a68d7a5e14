/** Credentials of AWS that its tools keep, or a key of Bedrock's own. */
export type AwsKeys =
  | { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string }
  | { readonly bearer: string };

/** The sign-ins that the tools of AWS and Google Cloud keep on this machine. Nothing of them is stored. */
export interface CloudAccounts {
  /** @param profile empty: the one the tools take @throws CloudAccountError */
  aws(profile: string): Promise<AwsKeys>;
  /** The region that the tools take. Undefined if none is set. @param profile as above */
  awsRegion(profile: string): Promise<string | undefined>;
  /** A token for Google Cloud: of its application default credentials. @throws CloudAccountError */
  googleToken(): Promise<string>;
  /** The project that those credentials name. */
  googleProject(): Promise<string | undefined>;
}

export class CloudAccountError extends Error {
  /**
   * @param reason `none`: nobody has signed in, `expired`: they have to again
   * @param command signs in
   * @param words of the tool, without anything secret
   */
  constructor(
    readonly reason: 'none' | 'expired' | 'failed',
    readonly command: string,
    readonly words: string,
    options?: ErrorOptions,
  ) {
    super(words, options);
    this.name = 'CloudAccountError';
  }
}
