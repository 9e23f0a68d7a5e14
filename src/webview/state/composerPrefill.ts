/** The host's text for the input. */
export interface ComposerPrefill {
  readonly text?: string;
  readonly sideQuestion: boolean;
  /** It is a stored question: until it is changed, it does not count as a draft. */
  readonly isStored?: boolean;
}
