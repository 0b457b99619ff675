import { expect, it } from 'vitest'
import { sampleUser } from '../../testing/samples'
import { initialsOf } from './initials'

const named = (name: string) => initialsOf(sampleUser({ name, email: null }))

it.each([
  ['Kim Ito', 'KI'],
  ['  ada  king lovelace ', 'AL'],
  ['kim', 'K'],
  ['Jean-Luc', 'JL'],
  ['O’Neil Ann', 'OA'],
  ['“Kim” (Ito)', 'KI'],
  ['éva örsi', 'ÉÖ'],
  ['é́va', 'É́'],
  ['ßpecial', 'ß'],
  ['2nd Try', '2T'],
  ['Иван Петров', 'ИП'],
  ['Ελένη Παππά', 'ΕΠ'],
  ['שרה לוי', 'של'],
  ['محمد علي', 'م'],
  ['山田 太郎', '山'],
  ['김 민수', '김'],
  ['हिन्दी नाम', 'हिना'],
  ['👩‍👩‍👧 Kim', '👩‍👩‍👧'],
  ['🇯🇵', '🇯🇵'],
  ['\u202eKim\u202c Ito', 'KI'],
])('the initials of %s are %s', (name, initials) => expect(named(name)).toBe(initials))

it.each(['', '  ', '...', '<>&"', '\0\x07', '\ud800'])('the name %j has no initials', (name) =>
  expect(named(name)).toBe(''),
)

it('keeps the base of a character with many marks, and looks at no more than the start of a long name', () => {
  expect(named(`a${'\u0301'.repeat(50)} b`)).toBe('AB')
  expect(named(`a ${'b '.repeat(1000)} c`)).toBe('AB')
})

it('prefers given and family name, then the name, the nickname, the username and the local part of the address', () => {
  const all = { givenName: 'Given', familyName: 'Family', name: 'Name', nickname: 'Other', username: 'user' }
  const of = (over: object) => initialsOf(sampleUser({ ...all, email: 'zoe@mail.test', ...over }))
  expect(of({})).toBe('GF')
  expect(of({ givenName: null })).toBe('N')
  expect(of({ givenName: null, name: ' ' })).toBe('O')
  expect(of({ givenName: null, name: null, nickname: null })).toBe('U')
  expect(of({ givenName: null, name: null, nickname: null, username: null })).toBe('Z')
  expect(of({ givenName: null, name: null, nickname: null, username: null, email: null })).toBe('')
})
