import { z } from 'zod';
import type { AgentTool } from './tool.ts';

/** The JSON Schema of a tool's input, without the schema dialect, which is not sent. */
export function inputSchema(input: AgentTool['input']): object {
  if (!(input instanceof z.ZodType)) return input.jsonSchema;
  const { $schema: _language, ...schema } = z.toJSONSchema(input, { io: 'input' });
  return schema;
}
