import { z } from 'zod';
import { chatRequest } from '../../fixtures/openaiRequests.ts';

// What tests in a browser and the servers that run for them in Node say to each other. A browser can open no port, so
// that each call goes to one server, which has the others.

const id = z.string();
const gate = z.string();
const reply = z.custom<object>((value) => typeof value === 'object' && value !== null);

/** What a test asks for. */
export const callSchema = z.discriminatedUnion('call', [
  z.object({ call: z.literal('start'), models: z.array(z.string()).optional(), key: z.string().optional() }),
  /** Waits for the next question to a script. */
  z.object({ call: z.literal('listen') }),
  z.object({ call: z.literal('reply'), number: z.number(), reply }),
  z.object({ call: z.literal('release'), id, gate }),
  z.object({ call: z.literal('pauseReached'), id, gate }),
  z.object({ call: z.literal('clientHungUp'), id, count: z.number() }),
  z.object({ call: z.literal('close'), id }),
  z.object({
    call: z.literal('ended'),
    tests: z.array(
      z.object({
        title: z.string(),
        state: z.enum(['passed', 'failed', 'pending']),
        ms: z.number().optional(),
        error: z.string().optional(),
      }),
    ),
  }),
]);
export type Call = z.infer<typeof callSchema>;
export type TestResults = Extract<Call, { call: 'ended' }>['tests'];

/** What `start` gives. */
export const startedSchema = z.object({ id, origin: z.string() });

/** What `listen` gives: a model was asked, and its script is with the test. */
export const askedSchema = z.object({
  number: z.number(),
  id,
  index: z.number(),
  request: z.object({
    path: z.string(),
    headers: z.record(z.string(), z.union([z.string(), z.array(z.string())]).optional()),
    body: chatRequest,
  }),
});
export type Asked = z.infer<typeof askedSchema>;
