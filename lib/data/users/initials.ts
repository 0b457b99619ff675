// The initials of a user's name, for a picture: one or two user-perceived characters (UAX 29), by the conventions of the script.
import type { User } from './user'

type Named = Pick<User, 'name' | 'givenName' | 'familyName' | 'nickname' | 'username' | 'email'>

/** Empty if no name has a letter, a digit or an emoji. */
export function initialsOf({ name, givenName, familyName, nickname, username, email }: Named): string {
  const whole = givenName && familyName ? `${givenName} ${familyName}` : null
  for (const each of [whole, name, nickname, username, email?.split('@')[0]]) {
    const found = each ? initialsIn(each) : ''
    if (found !== '') return found
  }
  return ''
}

/** Longer names are cut: only their first and last words are looked at. */
const MAX_NAME = 300

function initialsIn(name: string): string {
  const words = name.slice(0, MAX_NAME).toWellFormed().split(SEPARATORS)
  const firsts = words.map(firstOf).filter((first) => first !== '')
  const [first = '', last = ''] = [firsts[0], firsts.at(-1)]
  return firsts.length < 2 || standsAlone(first) || standsAlone(last) ? first : first + last
}

/** White space, dots, dashes and underscores; and the controls that would change the direction of what follows. */
const SEPARATORS = /[\s\p{Z}\p{Cc}\p{Pd}\p{Pc}\u200e\u200f\u202a-\u202e\u2066-\u2069.·,]+/u

const SEGMENTS = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** A character with more marks than any writing has is reduced to its base. */
const MAX_BYTES = 36

function firstOf(word: string): string {
  for (const { segment } of SEGMENTS.segment(word)) {
    if (!/^[\p{L}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}]/u.test(segment)) continue
    const bounded = Buffer.byteLength(segment) > MAX_BYTES ? String.fromCodePoint(segment.codePointAt(0) ?? 0) : segment
    const upper = bounded.toUpperCase()
    // `ß` becomes two letters.
    return upper.length === bounded.length ? upper : bounded
  }
  return ''
}

/** Emoji, scripts whose names are no words with initials, and cursive scripts, in which two letters would join. */
const standsAlone = (character: string): boolean =>
  /^[\p{Extended_Pictographic}\p{Regional_Indicator}\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Mong}]/u.test(
    character,
  ) && !/^\p{Nd}/u.test(character)
