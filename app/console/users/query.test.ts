import { expect, it } from 'vitest'
import { parseQuery } from '../../../lib/management/search/query'
import { userQuery } from './query'

const NOW = new Date('2026-06-30T12:00:00Z')

it.each([
  [{}, undefined],
  [{ q: ' ' }, undefined],
  [{ q: 'ada love' }, '(ada* AND love*) OR name:ada\\ love*'],
  [{ q: 'blocked:true' }, 'blocked:true'],
  [{ blocked: 'true' }, 'blocked:true'],
  [{ blocked: 'false', verified: 'true' }, '(NOT blocked:true) AND (email_verified:true)'],
  [{ login: 'never' }, 'NOT _exists_:last_login'],
  [{ login: 'week' }, 'last_login:[2026-06-23 TO *]'],
  [{ login: 'old', q: 'a OR b' }, '(a OR b) AND (last_login:[* TO 2026-04-01])'],
  [{ blocked: 'perhaps', login: 'soon' }, undefined],
])('the filters %j are the query %j', (requested, query) => {
  expect(userQuery(requested, NOW)).toBe(query)
  if (query !== undefined) expect(() => parseQuery(query)).not.toThrow()
})
