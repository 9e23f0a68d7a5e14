/** The position of a store's user. */
export interface Place {
  readonly chatId: string;
  readonly branch: string | undefined;
}
