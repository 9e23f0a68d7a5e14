// Support for further windows, loaded as one file while the database is read.
export { adoptFolders } from './adoptFolders.ts';
export { SharedDatabase } from './sharedDatabase.ts';
