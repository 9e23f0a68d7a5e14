export * from './contextRenderer.ts';
export * from './markdown.ts';
export * from './notations.ts';
export * from './xml.ts';
