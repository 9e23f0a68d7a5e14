import { numberText } from './formats.ts';

/** A number of bytes for users to read. */
export function sizeText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  let size = bytes;
  let unit = 0;
  while (size >= 1_000 && unit < units.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  return `${numberText(size, { maximumFractionDigits: size < 10 && unit > 0 ? 1 : 0 })} ${units[unit] ?? ''}`;
}
