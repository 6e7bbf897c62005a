// @ts-check
// Finds words in texts.

/**
 * A pattern that finds these words in a text, the longest first, but not inside of other words.
 * @param {string[]} words at least one
 * @param {string} flags besides `u`
 */
export function wholeWords(words, flags) {
  const escaped = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  const any = escaped.sort((one, other) => other.length - one.length).join('|');
  return new RegExp(`(?<![\\p{L}\\p{N}_])(${any})(?![\\p{L}\\p{N}_])`, `u${flags}`);
}
