import type { DatabaseFormat } from './databases/readDatabase.ts';
import type { ItemFormat, LinesFormat, ValueFormat } from './importBatch.ts';
import type { Program } from './importPrograms.ts';
import type { SessionSearch } from './sessionPlaces.ts';

/** A program: the kinds of its files, and how its sessions are found. */
export interface ProgramFormat {
  readonly program: Program;
  readonly lines?: LinesFormat;
  readonly value?: ValueFormat;
  readonly item?: ItemFormat;
  readonly database?: DatabaseFormat;
  /** Adds the sessions of the workspace to the list of the search. */
  readonly find?: (search: SessionSearch) => Promise<void>;
}
