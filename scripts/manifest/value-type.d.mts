/** What of JSON Schema the settings of package.json use. */
export interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
}

/** The TypeScript type of the values that a schema allows. */
export function valueType(schema: Schema): string;
