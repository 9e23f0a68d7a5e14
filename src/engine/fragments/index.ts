export * from './domain.ts';
export * from './fragment.ts';
export * from './messages.ts';
export * from './settled.ts';
