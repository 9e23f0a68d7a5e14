import { z } from 'zod';
import { codeFence } from '../../base/codeFence.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import type { ImportReport } from '../importReport.ts';
import { EXPORT_FILE } from '../keptPictures.ts';

const part = z.union([
  z.string(),
  z.object({ content_type: z.literal('image_asset_pointer'), asset_pointer: z.string() }),
  z.object({ content_type: z.literal('audio_transcription'), text: z.string() }),
  z.object({ content_type: z.enum(['audio_asset_pointer', 'real_time_user_audio_video_asset_pointer']) }),
  z.looseObject({}).transform(() => ({ content_type: 'other' }) as const),
]);

export const chatgptContent = z.union([
  z.object({ content_type: z.enum(['text', 'multimodal_text']), parts: z.array(part) }),
  z.object({
    content_type: z.literal('code'),
    text: z.string(),
    language: z.string().nullish().catch(undefined),
  }),
  z.object({ content_type: z.literal('execution_output'), text: z.string() }),
  z.object({ content_type: z.literal('system_error'), text: z.string() }),
  z.object({
    content_type: z.literal('tether_quote'),
    text: z.string(),
    title: z.string().nullish().catch(undefined),
  }),
  z.object({
    content_type: z.literal('tether_browsing_display'),
    result: z.string().nullish().catch(undefined),
  }),
  z.object({
    content_type: z.literal('thoughts'),
    thoughts: z.array(
      z
        .object({ summary: z.string().nullish().catch(''), content: z.string().nullish().catch('') })
        .catch({}),
    ),
  }),
  z.object({ content_type: z.enum(['reasoning_recap', 'citable_code_output', 'sonic_webpage']) }),
  z
    .object({ content_type: z.enum(['user_editable_context', 'model_editable_context']) })
    .transform(() => ({ content_type: 'hidden' }) as const),
  z.looseObject({}).transform(() => ({ content_type: 'other' }) as const),
]);

export function partsOfContent(
  content: z.infer<typeof chatgptContent>,
  report: ImportReport,
): UIMessagePart[] {
  switch (content.content_type) {
    case 'text':
    case 'multimodal_text':
      return content.parts.flatMap((each) => partOf(each, report));
    case 'code':
      return text(fenced(content.text, content.language === 'unknown' ? '' : (content.language ?? '')));
    case 'execution_output':
    case 'system_error':
      return text(content.text);
    case 'tether_quote':
      return text([content.title ?? '', content.text].filter((each) => each !== '').join('\n\n'));
    case 'tether_browsing_display':
      return text(content.result ?? '');
    case 'thoughts':
      return content.thoughts
        .map(({ summary, content: words }) =>
          [summary ?? '', words ?? ''].filter((each) => each !== '').join('\n\n'),
        )
        .filter((each) => each !== '')
        .map((each) => ({ type: 'reasoning', text: each }));
    case 'reasoning_recap':
    case 'hidden':
      return [];
    case 'citable_code_output':
    case 'sonic_webpage':
    case 'other':
      report.add(defineMessage('Parts of messages of an unknown kind'));
      return [];
  }
}

function partOf(each: z.infer<typeof part>, report: ImportReport): UIMessagePart[] {
  if (typeof each === 'string') return text(each);
  switch (each.content_type) {
    case 'image_asset_pointer':
      // Its media type is known once it is found.
      return [{ type: 'file', mediaType: 'image/png', url: `${EXPORT_FILE}${each.asset_pointer}` }];
    case 'audio_transcription':
      return text(each.text);
    case 'audio_asset_pointer':
    case 'real_time_user_audio_video_asset_pointer':
      report.add(defineMessage('Sound and video'));
      return [];
    case 'other':
      report.add(defineMessage('Parts of messages of an unknown kind'));
      return [];
  }
}

function text(words: string): UIMessagePart[] {
  return words.trim() === '' ? [] : [{ type: 'text', text: words }];
}

/** Code in a Markdown fence, with any content. */
export function fenced(code: string, language: string): string {
  if (code.trim() === '') return '';
  const fence = codeFence(code);
  return `${fence}${language.replaceAll(/[^\w+#-]/gu, '')}\n${code}\n${fence}`;
}
