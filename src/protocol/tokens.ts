import { z } from 'zod';

/** Parts of code that a theme colors; each is a class that the page gives to pieces of highlighted code. */
export const TOKENS = [
  ...['keyword', 'control', 'builtin', 'type', 'literal', 'number', 'operator', 'punctuation', 'property'],
  ...[
    'regexp',
    'string',
    'escape',
    'symbol',
    'variable',
    'self',
    'constant',
    'function',
    'class',
    'parameter',
  ],
  ...['comment', 'doctag', 'directive', 'heading', 'tag', 'attribute', 'bullet', 'raw', 'link', 'quote'],
  ...['selector', 'pseudo', 'inserted', 'deleted'],
] as const;

/** How a theme shows a part of code. */
export const tokenStyle = z.object({
  color: z
    .string()
    .regex(/^#[0-9a-f]{3,8}$/i)
    .optional(),
  isItalic: z.boolean().optional(),
  isBold: z.boolean().optional(),
});
export type TokenStyle = z.infer<typeof tokenStyle>;

/** By the names in `TOKENS`. Missing parts have the color of plain text. */
export const tokenStyles = z.record(z.string(), tokenStyle);
export type TokenStyles = z.infer<typeof tokenStyles>;
