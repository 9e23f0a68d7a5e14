import { PDF_TYPE } from '../../models/messages/messageFiles.ts';
import type { ToolFile } from '../../models/messages/toolFiles.ts';
import { MAX_STORED_STRING, startOf } from './textLimits.ts';
import type { ToolOutput } from './tool.ts';
import { ToolError } from './toolError.ts';
import type { KeptResource } from './foreignResource.ts';
import { ownAddress } from './resourceAddress.ts';

/** A piece of what another program's tool returned. */
export type ResultPiece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'data'; readonly mediaType: string; readonly bytes: Uint8Array }
  /** What an MCP server embeds or links to: editors give its address for both. */
  | { readonly type: 'resource'; readonly uri: string; readonly mediaType: string };

/** Reads a resource, once the user has allowed it. @throws ToolError, whose message the model gets */
export type ReadResource = (uri: string) => Promise<Uint8Array>;

/** How many pieces of a result count, how many of its resources are read, and the size of one, in bytes. */
const MAX_PIECES = 1_000;
const MAX_READ = 10;
const MAX_RESOURCE = 5_000_000;

const MAX_TYPE = 100;

/** What is sent to models as it is. */
const SENT = /^(?:image\/|application\/pdf$)/iu;

const TEXT = /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|yaml|javascript|toml)$)/iu;

/**
 * What the model gets of a result: its texts in order, pictures and PDFs as files, and its resources as what they hold.
 * What is none of these is named. The details list the resources, so that they can be opened.
 */
export async function foreignResult(pieces: readonly ResultPiece[], read: ReadResource): Promise<ToolOutput> {
  const hasData = pieces.some(({ type }) => type === 'data');
  const texts: string[] = [];
  const files: ToolFile[] = [];
  const resources: KeptResource[] = [];
  const add = (bytes: Uint8Array, type: string, name: string): void => {
    if (SENT.test(type)) files.push({ bytes, mediaType: type, name });
    else texts.push(textIn(bytes, type) ?? `[${type}, ${bytes.byteLength} bytes]`);
  };
  for (const [index, piece] of pieces.slice(0, MAX_PIECES).entries()) {
    if (piece.type === 'text') texts.push(hasData ? withoutBytes(piece.text) : piece.text);
    else if (piece.type === 'data') {
      const type = typeOf(piece.mediaType);
      add(piece.bytes, type, fileName(type, index));
    } else {
      const { uri, mediaType } = piece;
      const shown = ownAddress(uri);
      resources.push({ uri, name: shown });
      if (resources.length > MAX_READ) {
        texts.push(`[Resource ${shown} was not read: a result may bring ${MAX_READ}.]`);
        continue;
      }
      const bytes = await readOr(read, uri);
      if (typeof bytes === 'string') texts.push(`[Resource ${shown} was not read: ${bytes}]`);
      else if (bytes.byteLength > MAX_RESOURCE) {
        texts.push(`[Resource ${shown} was left out: it has ${bytes.byteLength} bytes.]`);
      } else {
        texts.push(`Resource ${shown}:`);
        add(bytes, typeOf(mediaType), lastOf(shown));
      }
    }
  }
  const left = pieces.length - MAX_PIECES;
  if (left > 0) texts.push(`[${left} more pieces of this result were left out.]`);
  const text = texts.join('\n');
  return {
    // Editors leave out what is meant for users alone.
    text: text === '' && files.length === 0 ? '[The tool returned nothing for you.]' : text,
    files,
    ...(resources.length === 0 ? {} : { details: { resources: resources.slice(0, MAX_READ) } }),
  };
}

/** Bytes as text in JSON. */
const BYTES = /"([\w+/]{1000,}={0,2})"/gu;

/** Structured results repeat the pictures and sounds next to them, as text that no model can read. */
function withoutBytes(text: string): string {
  return text.replaceAll(BYTES, (_all, bytes: string) => `"[base64, ${bytes.length} characters]"`);
}

/** @returns why it was not read */
async function readOr(read: ReadResource, uri: string): Promise<Uint8Array | string> {
  try {
    return await read(uri);
  } catch (error) {
    if (error instanceof ToolError) return error.message;
    throw error;
  }
}

/** Undefined for what is no text: of an unknown type, that is what UTF-8 cannot be. */
function textIn(bytes: Uint8Array, type: string): string | undefined {
  const start = bytes.subarray(0, MAX_STORED_STRING * 4);
  if (TEXT.test(type)) return new TextDecoder().decode(start);
  if (type !== UNKNOWN) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(start);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

const UNKNOWN = 'application/octet-stream';

/** In one line: what a server says of a type may be anything. */
function typeOf(given: string): string {
  const [type = ''] = given.slice(0, MAX_TYPE).split(';');
  const read = type.trim().toLowerCase();
  return given.length <= MAX_TYPE && /^[\w.+-]+\/[\w.+-]+$/u.test(read) ? read : UNKNOWN;
}

/** Parts of results have no names. */
function fileName(type: string, index: number): string {
  const ending = type === PDF_TYPE ? 'pdf' : type.slice(type.indexOf('/') + 1);
  return `${index + 1}.${ending}`;
}

function lastOf(shown: string): string {
  return startOf(shown.slice(shown.lastIndexOf('/') + 1) || 'resource', MAX_TYPE);
}
