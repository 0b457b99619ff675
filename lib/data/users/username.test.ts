import { expect, it } from 'vitest'
import { readUsername } from './username'

it('a username has the length that the connection sets, as validation.username.min and max', () => {
  const length = { min: 3, max: 5 }
  expect(['ab', 'abc', 'abcde', 'abcdef'].map((name) => readUsername(name, length))).toEqual([
    null,
    'abc',
    'abcde',
    null,
  ])
})

it('a username is stored in lower case, and is no address', () => {
  const length = { min: 1, max: 20 }
  expect(readUsername(' Ada ', length)).toBe('ada')
  expect(readUsername('ada@mail.test', length)).toBeNull()
  expect(readUsername('a b', length)).toBeNull()
})
