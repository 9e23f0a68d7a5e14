import { z } from 'zod';

/** What a tool takes: a schema of zod, or (for external tools) JSON Schema. */
export type ToolInput = z.ZodType | { readonly jsonSchema: object };

/** The JSON Schema of a tool's input, without the schema dialect, which is not sent. */
export function inputSchema(input: ToolInput): object {
  if (!(input instanceof z.ZodType)) return input.jsonSchema;
  const { $schema: _language, ...schema } = z.toJSONSchema(input, { io: 'input' });
  return schema;
}
