import { z } from 'zod';
import { readingTools } from '../reading/readingTools.ts';
import { writingTools } from '../asking/writingTools.ts';

/** An object's schema, as the protocol wants it. */
export interface ObjectSchema {
  readonly [member: string]: unknown;
  readonly type: 'object';
  readonly properties?: Record<string, object>;
  readonly required?: string[];
}

/** A schema as clients and models get it. @param io what is written, or what comes out with defaults filled in */
export function jsonSchemaOf(schema: z.ZodObject, io: 'input' | 'output'): ObjectSchema {
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io });
  return { ...made, type: 'object' } as ObjectSchema;
}

/** A tool as a client lists it. */
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

/** The tools as a client lists them. */
export function listedTools(): ListedTool[] {
  return [
    ...readingTools.map(({ name, title, description, input, output }) => ({
      ...{ name, title, description, inputSchema: jsonSchemaOf(input, 'input') },
      ...(output ? { outputSchema: jsonSchemaOf(output, 'output') } : {}),
      annotations: { title, readOnlyHint: true, openWorldHint: false },
    })),
    ...writingTools.map(({ name, title, description, input }) => ({
      ...{ name, title, description, inputSchema: jsonSchemaOf(input, 'input') },
      annotations: {
        ...{
          title,
          readOnlyHint: false,
          destructiveHint: false,
          idempotentHint: false,
          openWorldHint: false,
        },
      },
    })),
  ];
}
