import { z } from 'zod';
import { FileTooLargeError } from '../../../host/files.ts';
import type { FileText } from '../../../host/fileTexts.ts';
import type { GuardedFile, GuardedFiles } from '../../../host/guardedFiles.ts';
import { isSecretName } from '../../../host/protectedFiles.ts';
import { imageTypeOf, PDF_TYPE, isPdf, MAX_PDF_BYTES } from '../../../models/messages/messageFiles.ts';
import { limitedLine, limitedLines, startOf } from '../textLimits.ts';
import { defineTool, type ToolOutput, type ToolContext } from '../tool.ts';
import { ToolError } from '../toolError.ts';
import { guarded } from './guarded.ts';
import type { FoundFile, OpenTexts, WorkspaceHost } from './workspaceHost.ts';
import type { ApprovalRequest } from '../approvals.ts';

/** The most that one read returns. */
const MAX_LINES = 2_000;
const MAX_CHARACTERS = 100_000;
/** Files larger than this, in bytes, are not read: no model needs them whole. */
const MAX_FILE_SIZE = 10_000_000;
const MAX_ENTRIES = 500;
const MAX_FOUND = 300;
const MAX_MATCHES = 200;

export const pathInput = z.string().min(1).max(4_096);
export const lineNumber = z.number().int().min(1);

export const readTools = (host: WorkspaceHost) =>
  [
    listFiles(host, host.guarded),
    findFiles(host, host.guarded),
    readFileTool(host, host.guarded),
    searchFiles(host, host.guarded),
  ] as const;

function listFiles(host: WorkspaceHost, guard: GuardedFiles) {
  return defineTool({
    name: 'list_files',
    readsOnly: true,
    description: 'Lists what is in a folder of the workspace. Folders end with a slash.',
    input: z.object({
      path: z.string().max(4_096).optional().describe('The folder; without it, the top of the workspace.'),
    }),
    run: async ({ path: given = '' }) => {
      const folders = host.folders();
      const isTop = /^[./\\\s]*$/u.test(given) && !given.includes('..');
      if (isTop && folders.length > 1) return { text: folders.map(({ name }) => `${name}/`).join('\n') };
      const entries = await guarded(async () => guard.list(await guard.resolve(isTop ? '.' : given)));
      const names = entries.map(({ name, isFolder }) => `${name}${isFolder ? '/' : ''}`).sort();
      const text = limitedLines(names, MAX_ENTRIES, 'Use find_files with a pattern to narrow it down.');
      return { text: text === '' ? 'The folder is empty.' : text };
    },
  });
}

function findFiles(host: WorkspaceHost, guard: GuardedFiles) {
  return defineTool({
    name: 'find_files',
    readsOnly: true,
    description:
      'Finds files of the workspace by a glob pattern, such as `**/*.test.ts` or `src/**/index.*`.',
    input: z.object({ pattern: z.string().trim().min(1).max(1_000) }),
    run: async ({ pattern }, { signal }) => {
      const found = await host.findFiles(pattern, MAX_FOUND, signal);
      const shown = (await guard.nameable(found)).map((file) => file.shown).sort();
      if (shown.length === 0) return { text: 'No file matches.' };
      return { text: limitedLines(shown, MAX_FOUND, 'Use a narrower pattern.') };
    },
  });
}

function readFileTool(host: WorkspaceHost, guard: GuardedFiles) {
  return defineTool({
    name: 'read_file',
    readsOnly: true,
    description: `Reads a text file of the workspace, at most ${MAX_LINES} lines at once. Lines count from 1; endLine is read too. Shows images and PDFs.`,
    input: z.object({ path: pathInput, startLine: lineNumber.optional(), endLine: lineNumber.optional() }),
    run: async ({ path: given, ...part }, context) =>
      readPart(host, guard, await guarded(() => guard.resolve(given)), part, context),
  });
}

interface WantedPart {
  readonly startLine?: number | undefined;
  readonly endLine?: number | undefined;
}

/** Lines of a text file, or a picture or PDF. @throws ToolError, DeniedError */
export async function readPart(
  host: OpenTexts,
  guard: GuardedFiles,
  at: GuardedFile,
  { startLine = 1, endLine }: WantedPart,
  context: Pick<ToolContext, 'approve'>,
): Promise<ToolOutput> {
  await askToRead(at, context);
  const onDisk = await readWhole(guard, at);
  const unsaved = await guarded(() => host.unsaved(at.uri));
  const shown = unsaved ? undefined : shownFile(at, onDisk);
  if (shown) return shown;
  const file = unsaved ? undefined : await textIn(at, onDisk, host);
  const lines = withLineFeeds(unsaved?.text ?? file?.text ?? '').split('\n');
  if (lines.at(-1) === '') lines.pop();
  if (startLine > Math.max(1, lines.length)) {
    throw new ToolError(`${at.shown} has ${lines.length} lines only.`, 'no-such-line');
  }
  const wanted = lines.slice(startLine - 1, Math.min(endLine ?? lines.length, startLine - 1 + MAX_LINES));
  const body = startOf(wanted.join('\n'), MAX_CHARACTERS);
  const count = body.length < wanted.join('\n').length ? body.split('\n').length : wanted.length;
  const last = startLine - 1 + count;
  const asked = Math.min(endLine ?? lines.length, lines.length);
  const notes = [
    ...(last < asked || body.length < wanted.join('\n').length
      ? [`… [lines ${last + 1}–${asked} of ${lines.length} left out: read on with startLine ${last + 1}]`]
      : []),
    ...(unsaved ? ['[The user has not saved this yet: it is what the editor holds.]'] : []),
    ...(file ? await encodingNotes(file) : []),
  ];
  const head = `${at.shown}, lines ${startLine}–${last} of ${lines.length}:`;
  return {
    text: [lines.length === 0 ? `${at.shown} is empty.` : `${head}\n${body}`, ...notes].join('\n'),
  };
}

function searchFiles(host: WorkspaceHost, guard: GuardedFiles) {
  return defineTool({
    name: 'search_files',
    readsOnly: true,
    description:
      'Finds text in the files of the workspace, but for those git ignores. Gives path, line number and line of each match.',
    input: z.object({
      query: z.string().min(1).max(2_000),
      isRegex: z.boolean().optional().describe('The query is a regular expression. Default: false.'),
      matchCase: z.boolean().optional().describe('Default: false.'),
      include: z.string().trim().min(1).max(1_000).optional().describe('A glob of files to look into.'),
    }),
    run: async ({ query, isRegex = false, matchCase = false, include }, context) => {
      const { signal } = context;
      const folders = host.folders();
      if (folders.length === 0) throw new ToolError('No folder is open in the editor.', 'no-folder');
      const wanted = { text: query, isRegex, matchCase, include: include === undefined ? [] : [include] };
      const lines: string[] = [];
      const notes: string[] = [];
      for (const { uri: folder } of folders) {
        // Matches in such a file must not show either: repeated searches could reveal its content.
        const secret = await SeenFiles.of(
          guard,
          await host.search.secretFiles(folder, wanted, signal),
          context,
        );
        const isWanted = ({ uri, path }: FoundFile): boolean =>
          secret.shown(uri) !== undefined || !isSecretName(path);
        const { matches, note } = await host.search.find(folder, wanted, MAX_MATCHES, signal, isWanted);
        const files = await SeenFiles.of(
          guard,
          matches.map(({ uri }) => uri),
          context,
        );
        for (const { uri, line, text } of matches) {
          const shown = files.shown(uri);
          if (shown !== undefined) lines.push(`${shown}:${line}: ${limitedLine(text.trim(), 300)}`);
        }
        notes.push(...secret.note, ...(note === undefined ? [] : [note]));
      }
      return { text: [matchText(lines), ...notes].join('\n') };
    },
  });
}

function matchText(lines: readonly string[]): string {
  if (lines.length === 0) return 'No match.';
  if (lines.length <= MAX_MATCHES) return lines.join('\n');
  const shown = lines.slice(0, MAX_MATCHES).join('\n');
  return `${shown}\n… [there are more. Use a narrower query, or include.]`;
}

/** A picture or a PDF for the model to view; undefined for other files. */
function shownFile({ shown }: Pick<GuardedFile, 'shown'>, bytes: Uint8Array): ToolOutput | undefined {
  const mediaType = isPdf(bytes) ? PDF_TYPE : imageTypeOf(bytes);
  if (mediaType === undefined) return undefined;
  return {
    text: `${shown} (${mediaType}, ${bytes.byteLength} bytes):`,
    files: [{ bytes, mediaType, name: shown.slice(shown.lastIndexOf('/') + 1) }],
  };
}

/** @throws ToolError when it does not exist, is not a file, or is too large */
export function readWhole(files: GuardedFiles, at: GuardedFile): Promise<Uint8Array> {
  return guarded(async () => {
    try {
      return await files.read(at, /\.pdf$/iu.test(at.shown) ? MAX_PDF_BYTES : MAX_FILE_SIZE);
    } catch (error) {
      if (!(error instanceof FileTooLargeError)) throw error;
      const text = `${at.shown} is too large to read (${error.size} bytes). Use search_files.`;
      throw new ToolError(text, 'too-large', { cause: error });
    }
  });
}

/** @throws ToolError when its bytes are not text */
async function textIn(
  { shown, uri }: Pick<GuardedFile, 'shown' | 'uri'>,
  bytes: Uint8Array,
  host: Pick<OpenTexts, 'texts'>,
): Promise<FileText> {
  const file = await (await host.texts()).read(uri, bytes);
  if (file.isBinary) throw new ToolError(`${shown} is not a text file.`, 'binary');
  return file;
}

/**
 * A file as the editor shows it, saved or not, with LF as line ends.
 * @throws ToolError when it does not exist, is too large, is no text, or an editor does not give it away
 */
export async function readText(files: GuardedFiles, at: GuardedFile, host: OpenTexts): Promise<string> {
  const unsaved = await guarded(() => host.unsaved(at.uri));
  const text = unsaved ? unsaved.text : (await textIn(at, await readWhole(files, at), host)).text;
  return withLineFeeds(text);
}

/** What a model has to know to change the text: nothing where it is in UTF-8. */
async function encodingNotes(file: FileText): Promise<readonly string[]> {
  const { encoding, text } = file;
  const isWhole = !text.includes('\uFFFD') || (await file.isWhole());
  return [
    ...(encoding === 'utf8' || encoding === 'utf8bom' ? [] : [`[It is in ${encoding}, and stays so.]`]),
    ...(isWhole
      ? []
      : [`[Bytes that are no text in ${encoding} show as \uFFFD. Lines with them cannot be changed.]`]),
  ];
}

function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

type SeenFile = Pick<GuardedFile, 'uri' | 'shown' | 'isSecret'>;

/** Asks the user before a model sees a file with a secret-like name. @throws DeniedError */
export async function askToRead(file: SeenFile, { approve }: Pick<ToolContext, 'approve'>): Promise<void> {
  if (file.isSecret) await approve(readRequest(file));
}

/** The files a model may see without asking: workspace files, except secret ones that were not allowed. */
export class SeenFiles {
  private constructor(
    private readonly shownByUri: ReadonlyMap<string, string>,
    /** Files left out because of their names, as the model may request them. */
    readonly withheld: readonly string[],
  ) {}

  static async of(
    files: GuardedFiles,
    uris: readonly string[],
    { isAllowed }: Pick<ToolContext, 'isAllowed'>,
  ): Promise<SeenFiles> {
    const named = await files.nameable([...new Set(uris)]);
    const seen = named.filter((file) => !file.isSecret || isAllowed(readRequest(file)));
    const withheld = named.filter((file) => !seen.includes(file)).map(({ shown }) => shown);
    return new SeenFiles(new Map(seen.map(({ uri, shown }) => [uri, shown])), withheld.sort());
  }

  /** Undefined for a file that may not be seen. */
  shown(uri: string): string | undefined {
    return this.shownByUri.get(uri);
  }

  get note(): readonly string[] {
    const { withheld } = this;
    if (withheld.length === 0) return [];
    const named = withheld.slice(0, MAX_NAMED).join(', ');
    const more = withheld.length > MAX_NAMED ? ', …' : '';
    const [files, them] =
      withheld.length === 1 ? ['1 file was', 'it'] : [`${withheld.length} files were`, 'one'];
    return [
      `[${files} not looked into, by names that files with secrets have: ${named}${more}. To ask the user for ${them}, ` +
        'call read_file with its path.]',
    ];
  }
}

const MAX_NAMED = 10;

function readRequest({ uri, shown }: SeenFile): ApprovalRequest {
  return { kind: `read:${uri}`, reads: shown };
}
