import { z } from 'zod';
import { readingTools } from '../reading/readingTools.ts';
import { writingTools } from '../asking/askedWrites.ts';

/** An object's schema, in the protocol's form. */
export interface ObjectSchema {
  readonly [member: string]: unknown;
  readonly type: 'object';
  readonly properties?: Record<string, object>;
  readonly required?: string[];
}

/** A schema for clients and models. @param io the accepted input, or the output with defaults filled in */
export function jsonSchemaOf(schema: z.ZodObject, io: 'input' | 'output'): ObjectSchema {
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io });
  return { ...made, type: 'object' } as ObjectSchema;
}

/** A tool in a client's list. */
interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema?: ObjectSchema;
  readonly annotations: {
    readonly title: string;
    readonly readOnlyHint: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint: boolean;
  };
}

/** The tools for a client's list. */
export function listedTools(): ListedTool[] {
  return [
    ...readingTools.map(({ name, title, description, input, output }) => ({
      name,
      title,
      description,
      inputSchema: jsonSchemaOf(input, 'input'),
      ...(output ? { outputSchema: jsonSchemaOf(output, 'output') } : {}),
      annotations: { title, readOnlyHint: true, openWorldHint: false },
    })),
    ...writingTools.map(({ name, title, description, input }) => ({
      name,
      title,
      description,
      inputSchema: jsonSchemaOf(input, 'input'),
      annotations: {
        title,
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      },
    })),
  ];
}
