import * as vscode from 'vscode';
import { z } from 'zod';
import { RESOURCE_SCHEME } from '../../agent/tools/foreignResource.ts';
import type { ResultPiece } from '../../agent/tools/foreignResult.ts';

/** The type of an MCP server's resource in a result. */
const RESOURCE_LINK = 'application/vnd.code.resource-link';

const resourceLink = z.object({
  uri: z.object({
    scheme: z.literal(RESOURCE_SCHEME),
    authority: z.string().max(1_000),
    path: z.string().max(4_000).startsWith('/'),
  }),
  underlyingMimeType: z.string().max(200).catch(''),
});

/** An address of a few lines has no more bytes. */
const MAX_LINK = 20_000;

/** A part of a result of VS Code's. */
export function readPart(part: unknown): ResultPiece {
  if (part instanceof vscode.LanguageModelTextPart) return { type: 'text', text: part.value };
  if (part instanceof vscode.LanguageModelPromptTsxPart)
    return { type: 'text', text: JSON.stringify(part.value) };
  if (!(part instanceof vscode.LanguageModelDataPart)) return { type: 'text', text: '' };
  const { mimeType: mediaType, data: bytes } = part;
  return (mediaType === RESOURCE_LINK ? readLink(bytes) : undefined) ?? { type: 'data', mediaType, bytes };
}

/** Undefined for what is no link: a server can call anything one. */
function readLink(bytes: Uint8Array): ResultPiece | undefined {
  if (bytes.byteLength > MAX_LINK) return undefined;
  try {
    const link = resourceLink.parse(JSON.parse(new TextDecoder().decode(bytes)));
    const uri = vscode.Uri.from(link.uri).toString();
    return { type: 'resource', uri, mediaType: link.underlyingMimeType };
  } catch {
    return undefined;
  }
}
