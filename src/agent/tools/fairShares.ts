/** Divides a length; shares that are not fully used go to the others. */
export function fairShares(lengths: readonly number[], total: number): number[] {
  const shares = lengths.map(() => 0);
  let left = total;
  const byLength = lengths.map((length, index) => ({ length, index })).sort((a, b) => a.length - b.length);
  for (const [place, { length, index }] of byLength.entries()) {
    const share = Math.min(length, Math.floor(left / (byLength.length - place)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}
