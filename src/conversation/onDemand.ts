// What nothing that is shown at first needs: loaded together when the first of it is used.
export { cherryPick } from './cherryPick.ts';
export { mergeSummary, ownPart } from './mergeSummary.ts';
export { partOf, replaceBySummary } from './summarize.ts';
