// Support for further windows, loaded as one file while the database is read.
export { adoptFolders } from './adoption/adoptFolders.ts';
export { SharedDatabase } from './sharing/sharedDatabase.ts';
