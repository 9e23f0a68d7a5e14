import type { ReviewView } from '../../protocol/views.ts';
import type { EditedFile } from './editsReview.ts';

/** How many files the page lists; the others are counted. */
const LISTED = 100;

/** The bar above the input; undefined if there is nothing to review. */
export function reviewView(files: readonly EditedFile[]): ReviewView | undefined {
  if (files.length === 0) return undefined;
  const sum = (kind: 'added' | 'removed'): number =>
    files.reduce((total, { lines }) => total + (lines?.[kind] ?? 0), 0);
  return {
    count: files.length,
    added: sum('added'),
    removed: sum('removed'),
    files: files.slice(0, LISTED).map(({ key, location, baseline, now, lines }) => ({
      id: key,
      path: location.path,
      ...(baseline === null ? { change: 'created' } : now === null ? { change: 'deleted' } : {}),
      ...(lines ? { lines } : {}),
    })),
  };
}
