export * from './codecs.ts';
export * from './domain.ts';
export * from './fragment.ts';
export * from './conversationFragments.ts';
export * from './reminderConditions.ts';
export * from './reminders.ts';
export * from './settled.ts';
