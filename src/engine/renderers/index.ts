export * from './contextRenderer.ts';
export * from './markdown.ts';
export * from './toml.ts';
export * from './toon.ts';
export * from './xml.ts';
