import { describe, expect, it } from 'vitest'
import { sampleRequest } from '../testing/samples'
import { dropCookie, readCookies, writeCookie } from './cookies'

const https = { secure: true }
const http = { secure: false }
const read = (cookie: string | undefined, jar = https) =>
  readCookies(sampleRequest({ headers: { cookie } }), jar).session

describe('on https', () => {
  it('is bound to this host, hidden from scripts and kept from cross-site posts', () => {
    const [name, value] = writeCookie('session', 'abc', https, 3600.7)
    expect(name).toBe('set-cookie')
    expect(value).toBe('__Host-latchkey_session=abc; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=3600')
  })

  it('carries no Domain, without which a sibling host could plant it', () => {
    expect(writeCookie('browser', 'abc', https)[1]).not.toMatch(/domain/i)
  })

  it('is not read under the name that plain http uses', () => {
    expect(read('latchkey_session=planted')).toBeUndefined()
  })
})

it('lets only the cookie of a cross-origin login travel across sites, and that only on https', () => {
  expect(writeCookie('co', 'abc', https, 60)[1]).toBe(
    '__Host-latchkey_co=abc; Path=/; HttpOnly; SameSite=None; Secure; Max-Age=60',
  )
  expect(writeCookie('co', 'abc', http)[1]).toContain('SameSite=Lax')
})

it('asks for neither Secure nor the prefix on plain http, where a browser would refuse both', () => {
  expect(writeCookie('session', 'abc', http)[1]).toBe('latchkey_session=abc; Path=/; HttpOnly; SameSite=Lax')
})

it('drops by the same name with an end in the past', () => {
  expect(dropCookie('session', https)[1]).toMatch(/^__Host-latchkey_session=; .*Max-Age=0$/)
})

describe('reading', () => {
  it.each([
    ['alone', '__Host-latchkey_session=abc', 'abc'],
    ['among others', 'a=b; __Host-latchkey_session=abc; c=d', 'abc'],
    ['without spaces', 'a=b;__Host-latchkey_session=abc;c=d', 'abc'],
    ['with = in the value', '__Host-latchkey_session=a=b', 'a=b'],
    ['the first of two', '__Host-latchkey_session=first; __Host-latchkey_session=second', 'first'],
    ['without spaces around it', ' \t__Host-latchkey_session=abc ; c=d', 'abc'],
    ['after a longer name', 'x__Host-latchkey_session=other; __Host-latchkey_session=abc', 'abc'],
    ['not inside another value', 'a=b __Host-latchkey_session=abc', undefined],
    ['not a longer name', 'x__Host-latchkey_session=abc', undefined],
    ['not another name', '__Host-latchkey_sessions=abc', undefined],
    ['not an empty value', '__Host-latchkey_session=', undefined],
    ['not a value longer than any value of this server', `__Host-latchkey_session=${'a'.repeat(193)}`, undefined],
    ['nothing from nothing', undefined, undefined],
    ['not a second value after an empty one', '__Host-latchkey_session=; __Host-latchkey_session=second', undefined],
    ['not a name without a value', '__Host-latchkey_session; __Host-latchkey_', undefined],
    ['nothing from rubbish', ';;=;\u0000', undefined],
  ])('a session cookie is read: %s', (_name, cookie, expected) => {
    expect(read(cookie)).toBe(expected)
  })

  it('finds every cookie of this server, and no other', () => {
    const cookie = '__Host-latchkey_browser=b; other=x; __Host-latchkey_known=k; __Host-latchkey_other=y; latchkey_co=z'
    expect(readCookies(sampleRequest({ headers: { cookie } }), https)).toEqual({ browser: 'b', known: 'k' })
  })
})
