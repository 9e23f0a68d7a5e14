import { z } from 'zod';
import { conversationsFile } from './conversationsFile.ts';

/** The JSON Schema of a conversations file, for other programs that read or write one. */
export function conversationsJsonSchema(): object {
  const schema = z.toJSONSchema(conversationsFile, { io: 'input' });
  return { ...schema, title: 'Conversations exported from Offshoot' };
}
