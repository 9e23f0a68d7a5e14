import { z } from 'zod';
import { readDataUrl } from '../../base/dataUrl.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import { fenced } from './chatgptContent.ts';
import { textPart, ToolCalls } from '../chatBuilder.ts';
import type { ImportReport } from '../importReport.ts';
import { EXPORT_FILE } from '../keptPictures.ts';

/** Where the ZIP file of a backup has the files of messages. */
const FILES = 'Data/Files/';

const raw = z
  .object({
    id: z.string().optional().catch(undefined),
    arguments: z.unknown().optional(),
    status: z.string().optional().catch(undefined),
    tool: z.object({ name: z.string() }).optional().catch(undefined),
    response: z.unknown().optional(),
  })
  .optional()
  .catch(undefined);

const rest = { id: z.string().min(1) };

export const cherryBlock = z.union([
  z.object({ ...rest, type: z.enum(['main_text', 'compact', 'thinking']), content: z.string() }),
  z.object({ ...rest, type: z.literal('code'), content: z.string(), language: z.string().catch('') }),
  z.object({
    ...rest,
    type: z.literal('tool'),
    toolId: z.string(),
    toolName: z.string().optional().catch(undefined),
    arguments: z.unknown().optional(),
    content: z.unknown().optional(),
    metadata: z.object({ rawMcpToolResponse: raw }).optional().catch(undefined),
  }),
  z.object({
    ...rest,
    type: z.literal('image'),
    url: z.string().optional().catch(undefined),
    file: z
      .object({ id: z.string(), ext: z.string().catch('') })
      .optional()
      .catch(undefined),
  }),
  z.object({
    ...rest,
    type: z.enum(['file', 'error', 'citation', 'translation', 'video', 'unknown']),
  }),
  z.object(rest).transform(({ id }) => ({ id, type: 'other' }) as const),
]);
export type CherryBlock = z.infer<typeof cherryBlock>;

/** @param content the text of a message of a version that had no blocks */
export function partsOfBlocks(
  ids: readonly string[],
  blocks: ReadonlyMap<string, CherryBlock>,
  content: string | undefined,
  report: ImportReport,
): UIMessagePart[] {
  if (ids.length === 0) return textPart(content ?? '');
  const found = ids.flatMap((id) => blocks.get(id) ?? []);
  report.add(defineMessage('Parts of messages that are missing'), ids.length - found.length);
  const calls = new ToolCalls();
  const parts = found.flatMap((each) => partsOf(each, calls, report));
  calls.reportOpen(report);
  return parts;
}

function partsOf(block: CherryBlock, calls: ToolCalls, report: ImportReport): UIMessagePart[] {
  switch (block.type) {
    case 'main_text':
    case 'compact':
      return textPart(block.content);
    case 'thinking':
      return block.content === '' ? [] : [{ type: 'reasoning', text: block.content }];
    case 'code':
      return textPart(fenced(block.content, block.language));
    case 'tool':
      return toolParts(block, calls);
    case 'image': {
      const name = block.file && `${EXPORT_FILE}${FILES}${block.file.id}${block.file.ext}`;
      const url = block.url?.startsWith('data:') === true ? block.url : name;
      if (url === undefined) report.add(defineMessage('Files that are not in the export'));
      // The media type of a file is known once it is found.
      const mediaType = readDataUrl(url ?? '')?.mediaType ?? 'image/png';
      return url === undefined ? [] : [{ type: 'file', mediaType, url }];
    }
    case 'error':
      report.add(defineMessage('Errors of the provider'));
      return [];
    case 'citation':
      report.add(defineMessage('Sources that answers name'));
      return [];
    case 'translation':
      report.add(defineMessage('Translations of messages'));
      return [];
    case 'video':
      report.add(defineMessage('Sound and video'));
      return [];
    case 'file':
      report.add(defineMessage('Attached files that are no pictures'));
      return [];
    case 'unknown':
      report.bookkeeping();
      return [];
    case 'other':
      report.add(defineMessage('Parts of messages of an unknown kind'));
      return [];
  }
}

function toolParts(block: Extract<CherryBlock, { type: 'tool' }>, calls: ToolCalls): UIMessagePart[] {
  const { toolId, toolName, arguments: args, content, metadata } = block;
  const call = metadata?.rawMcpToolResponse;
  calls.called(toolId, toolName ?? call?.tool?.name ?? '', args ?? call?.arguments);
  const output = content ?? call?.response;
  return output === undefined || output === null
    ? []
    : [calls.result(toolId, output, call?.status === 'error')];
}
