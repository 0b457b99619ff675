import { describe, expect, it } from 'vitest'
import { sampleClient } from '../testing/samples'
import { admitsOrigin, loginOrigins } from './origins'

const client = sampleClient({
  cross_origin_authentication: true,
  callbacks: ['https://app.test/cb?x=1', 'https://app.test:8443/cb', 'https://*.preview.test/cb', 'myapp://cb'],
  web_origins: ['https://www.app.test/'],
  allowed_origins: ['http://localhost:3000', 'https://port.test:443/login'],
})
const admitted = (origin: string) => admitsOrigin(loginOrigins(client), origin)

describe('an origin that may log users in', () => {
  it.each([
    'https://app.test',
    'https://app.test:8443',
    'https://www.app.test',
    'http://localhost:3000',
    'https://port.test',
    'https://a.preview.test',
  ])('may be %s', (origin) => {
    expect(admitted(origin)).toBe(true)
  })

  it.each([
    'null',
    '',
    'https://evil.test',
    'http://app.test',
    'https://app.test:9443',
    'https://app.test.evil.test',
    'https://evil-app.test',
    'https://preview.test',
    'https://a.b.preview.test',
    'https://*.preview.test',
    'https://app.test/',
    'https://app.test/cb',
    'HTTPS://APP.TEST',
    'https://kim@app.test',
    'https://app.test:443',
    'myapp://cb',
    'myapp://',
    'https://app.test, https://evil.test',
    'https://app.test\r\nx: y',
  ])('is never %j', (origin) => {
    expect(admitted(origin)).toBe(false)
  })
})

describe('an application', () => {
  const callbacks = ['https://app.test/cb']

  it('that is not first-party has none', () => {
    const third = sampleClient({ callbacks, cross_origin_authentication: true, is_first_party: false })
    expect(loginOrigins(third)).toEqual([])
  })

  it.each([{}, { cross_origin_authentication: false }])('with %j has none', (settings) => {
    expect(loginOrigins(sampleClient({ callbacks, ...settings }))).toEqual([])
  })

  it('names each once', () => {
    const twice = sampleClient({
      cross_origin_authentication: true,
      callbacks: ['https://app.test/a', 'https://app.test/b'],
    })
    expect(loginOrigins(twice)).toEqual(['https://app.test'])
  })
})
