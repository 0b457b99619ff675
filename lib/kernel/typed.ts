// Codes and numbers as people type, paste and dictate them, in one form: digits of every script and full-width characters become
// ASCII; invisible marks, which copying from a chat or an address book adds, are dropped.

/** Longer than any code with all its separators and marks; a compatibility form can be eighteen times as long as its character. */
const MAX_TYPED = 200

/** One-time codes, recovery codes, user codes, Base32: letters and digits count, separators and case do not. */
export const readCode = (typed: string): string =>
  plain(typed.slice(0, MAX_TYPED))
    .replace(/[^\p{Lu}\p{Ll}\p{Lo}\p{N}]/gu, '')
    .toUpperCase()

/** A number with the signs that have a meaning in it, such as the plus of a telephone number. */
export const readNumber = (typed: string): string =>
  plain(typed.slice(0, MAX_TYPED))
    .replace(/\p{Pd}|[\u2212\u30fc]/gu, '-')
    .replace(/[\s\p{Z}]+/gu, ' ')
    .trim()

const plain = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Cc}\p{M}]/gu, (mark) => (/\s/.test(mark) ? ' ' : ''))
    .replace(/\p{Nd}/gu, (digit) => String(digitValue(digit)))

/** Unicode encodes decimal digits in runs of ten, in the order of their values (Unicode 4.6). */
function digitValue(digit: string): number {
  const own = digit.codePointAt(0) ?? 0
  let first = own
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1
  return (own - first) % 10
}
