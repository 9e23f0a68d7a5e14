import type { ForeignDatabase, OpenDatabase } from '../../base/foreignDatabase.ts';
import { ImportError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import { keyOf, withBoundedTitle, type Reading, type SourceFile } from '../importBatch.ts';
import { ImportReport } from '../importReport.ts';
import type { ForeignChat } from '../importSource.ts';
import { databaseImage } from './databaseFile.ts';

/** A kind of database, recognized by its tables. */
export interface DatabaseFormat {
  readonly detect: (tables: ReadonlySet<string>) => boolean;
  readonly chats: ChatsIn;
}

/** Reads one conversation after the other. @param keys the wanted ones, if it can tell without reading the others */
export type ChatsIn = (
  database: ForeignDatabase,
  now: number,
  keys?: ReadonlySet<string>,
) => AsyncIterable<ForeignChat>;

/** @param open undefined where there is no SQLite */
export function readDatabase(
  file: SourceFile,
  now: number,
  open: OpenDatabase | undefined,
  chatsIn: ChatsIn,
): Reading {
  const missing = new ImportReport();
  return {
    missing,
    chats: async function* (keys) {
      if (!open) throw new ImportError(defineMessage('a database can’t be read here'));
      // What is missing is said once, by the reading of all of them.
      const database = await open(await databaseImage(file, keys ? new ImportReport() : missing));
      try {
        for await (const each of chatsIn(database, now, keys))
          if (keys?.has(keyOf(each)) !== false) yield withBoundedTitle(each);
      } finally {
        database.close();
      }
    },
  };
}
