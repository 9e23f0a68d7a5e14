/** What JSON can hold. Message data, metadata and state values are of this type and nothing else. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** An object as JSON holds it. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}
