import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { hostMeantBy, meantBy, orMeantHost, problemOfAddress, webUrl } from './address'

const MEANT = [
  ['localhost:5173', 'http://localhost:5173'],
  ['localhost:3000/cb', 'http://localhost:3000/cb'],
  ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['[::1]:3000/cb', 'http://[::1]:3000/cb'],
  ['192.168.1.7:3000', 'http://192.168.1.7:3000'],
  ['shop:8080/cb', 'http://shop:8080/cb'],
  ['app.localhost:3000', 'http://app.localhost:3000'],
  ['example.com:8443/cb', 'https://example.com:8443/cb'],
  ['*.example.com:8443', 'https://*.example.com:8443'],
  ['http:localhost:5173', 'http://localhost:5173'],
  ['http:/localhost:5173', 'http://localhost:5173'],
  ['http:///localhost:5173', 'http://localhost:5173'],
  ['https:\\\\app.example', 'https://app.example'],
  ['htp://app.example/cb', 'http://app.example/cb'],
  ['htpps://app.example/cb', 'https://app.example/cb'],
  ['hhttps://app.example/cb', 'https://app.example/cb'],
] as const

describe('an address that can match nothing', () => {
  it.each(MEANT)('%s is refused with what was meant', (text, meant) => {
    expect(meantBy(text)).toBe(meant)
    expect(problemOfAddress(text)).toBe(`must begin with a scheme such as https://: did you mean ${meant}?`)
    expect(problemOfAddress(meant)).toBeNull()
  })

  it.each([
    'https://a.example/cb,https://b.example/cb',
    'https://a.example, https://b.example',
    'https://a.example https://b.example',
  ])('%s is several', (text) => {
    expect(problemOfAddress(text)).toMatch(/one address/)
    expect(meantBy(text)).toBeNull()
  })
})

it.each([
  'myapp://cb',
  'myapp:/cb',
  'com.example.app:/cb',
  'com.example.app://callback',
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'capacitor://localhost',
  'tel:+4915112345678',
  'https://app.example/cb?next=x,https://b.example',
  'http://localhost:5173',
  'HTTPS://app.example:443/cb',
  'urn:example:cb',
])('%s has a scheme', (text) => expect(problemOfAddress(text)).toBeNull())

it.each([
  ['app.example/cb', 'https://app.example/cb'],
  ['//app.example/cb', 'https://app.example/cb'],
  ['localhost', 'http://localhost'],
  [' https://app.example ', 'https://app.example'],
  ['http//localhost:5173', 'http://localhost:5173'],
])('the address %j stands for %s', (text, meant) => expect(meantBy(text)).toBe(meant))

it.each([
  '',
  'app',
  'https://app.example',
  'user@app.example',
  'https://',
  'http://user:pass@app.example ',
  'a b.example:80',
])('%j means nothing else', (text) => expect(meantBy(text)).toBeNull())

it('means https where nothing else is taken', () =>
  expect(meantBy('localhost:5173', { secure: true })).toBe('https://localhost:5173'))

it('names what was meant in the message of a schema, and another type as such', () => {
  const messageOf = (value: unknown) => webUrl.safeParse(value).error?.issues[0]?.message
  expect(messageOf('localhost:5173')).toBe('must begin with https:// or http://: did you mean http://localhost:5173?')
  expect(messageOf('ftp://app.example')).toBe('must begin with https:// or http://')
  expect(messageOf(7)).toBe('Invalid input: expected string, received number')
  expect(messageOf('http://localhost:5173')).toBeUndefined()
})

describe('a host that was given as an address', () => {
  it.each([
    ['https://id.example.com/', 'id.example.com'],
    ['id.example.com:8443', 'id.example.com'],
    ['https://id.example.com:8443/login', 'id.example.com'],
  ])('the host %s stands for %s', (text, meant) => expect(hostMeantBy(text)).toBe(meant))

  it.each(['id.example.com', 'ada@', 'https://', 'x y'])('%j means nothing else', (text) =>
    expect(hostMeantBy(text)).toBeNull(),
  )

  it('is named in the message', () => {
    const host = z.string().regex(/^[a-z.]+$/, { error: orMeantHost('must be a host') })
    expect(host.safeParse('https://id.example.com').error?.issues[0]?.message).toBe(
      'must be a host: did you mean id.example.com?',
    )
  })
})
