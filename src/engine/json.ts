/** What JSON can hold. The only type of message data, metadata and state values. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** An object as JSON holds it. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}
