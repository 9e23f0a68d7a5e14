// The part of the engine that runs anywhere; each entry adds the stores of its platform.
export * from '../engine/index.ts';
export type { MessageDescriptor, MessageArgument } from '../engine/messageDescriptor.ts';
export {
  conversationsFile,
  writeConversations,
  type ExportSource,
} from '../importExport/conversationsFile.ts';
export { importFile, type ImportTarget } from '../importExport/importFile.ts';
export { chatAsMarkdown } from '../importExport/markdownExport.ts';
