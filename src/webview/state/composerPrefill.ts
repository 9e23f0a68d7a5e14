/** What the host wants of the input. */
export interface ComposerPrefill {
  readonly text?: string;
  readonly sideQuestion: boolean;
  /** It is a question of the conversation: as long as nobody changes it, nothing was said with it. */
  readonly isStored?: boolean;
}
