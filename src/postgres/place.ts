/** Where the user of a store is. */
export interface Place {
  readonly chatId: string;
  readonly branch: string | undefined;
}
