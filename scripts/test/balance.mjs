/**
 * Divides tests among lanes that run side by side, so that all end at about the same time: the longest first, each into
 * the lane that has least to do.
 * @param {readonly string[]} files
 * @param {Readonly<Record<string, number>>} seconds what each took once; one that is not there counts as an average one
 * @param {number} lanes
 * @returns {string[][]} each file once
 */
export function balance(files, seconds, lanes) {
  const known = Object.values(seconds);
  const average = known.reduce((sum, each) => sum + each, 0) / Math.max(known.length, 1);
  const timed = files.map((file) => ({ file, seconds: seconds[file] ?? average }));
  const divided = Array.from({ length: lanes }, () => ({ files: /** @type {string[]} */ ([]), seconds: 0 }));
  for (const next of timed.toSorted((a, b) => b.seconds - a.seconds)) {
    const lane = divided.reduce((least, each) => (each.seconds < least.seconds ? each : least));
    lane.files.push(next.file);
    lane.seconds += next.seconds;
  }
  return divided.map((lane) => lane.files);
}
