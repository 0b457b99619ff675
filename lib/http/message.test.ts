import { describe, expect, it } from 'vitest'
import { sampleRequest } from '../testing/samples'
import { bodyParameters, parametersOf, queryParameters, readableParameters, redirect } from './message'

const FORM = 'application/x-www-form-urlencoded'
const post = (type: string | undefined, body: string | Uint8Array) =>
  bodyParameters(
    sampleRequest({
      method: 'POST',
      headers: type === undefined ? {} : { 'content-type': type },
      body: Buffer.from(body),
    }),
  )
const json = (value: unknown) => post('application/json', typeof value === 'string' ? value : JSON.stringify(value))

describe('both encodings of a body', () => {
  it.each([
    ['a form', FORM, 'grant_type=password&scope=a%20b&name=J%C3%BCrgen'],
    ['a form with unencoded spaces', FORM, 'grant_type=password&scope=a b&name=J%C3%BCrgen'],
    ['a form with plus signs', `${FORM}; charset=UTF-8`, 'grant_type=password&scope=a+b&name=J%C3%BCrgen'],
    ['JSON', 'application/json', '{"grant_type":"password","scope":"a b","name":"Jürgen"}'],
    [
      'JSON with a charset',
      'Application/JSON; charset=utf-8',
      '{"grant_type":"password","scope":"a b","name":"Jürgen"}',
    ],
    ['JSON with scope as a list', 'application/json', '{"grant_type":"password","scope":["a","b"],"name":"Jürgen"}'],
  ])('a body is read from %s', (_name, type, body) => {
    expect({ ...post(type, body) }).toEqual({ grant_type: 'password', scope: 'a b', name: 'Jürgen' })
  })

  it.each(['text/plain', 'multipart/form-data', 'application/xml', 'application/jsonp', '', undefined])(
    'refuses %s, which a foreign page could send without asking',
    (type) => {
      expect(() => post(type, '{"a":"b"}')).toThrow(expect.objectContaining({ code: 'unsupported_media_type' }))
    },
  )

  it('takes no body for no parameters, whatever the type', () => {
    expect({ ...post('text/plain', '') }).toEqual({})
  })
})

describe('strings only', () => {
  it.each([
    ['an object', { username: { $ne: null } }],
    ['a list', { username: ['kim', 'lee'] }],
    ['a list of objects as scope', { scope: [{ a: 1 }] }],
    ['an object as scope', { scope: { a: 1 } }],
  ])('a body with %s is refused', (_name, body) => {
    expect(() => json(body)).toThrow(expect.objectContaining({ name: 'DomainError' }))
  })

  it('says what a scope has to be in the sentence that clients know', () => {
    expect(() => json({ scope: { a: 1 } })).toThrow(
      expect.objectContaining({ code: 'invalid_scope', description: 'Scope must be an array or a string' }),
    )
  })

  it('takes numbers and booleans for their text, and null for absent', () => {
    expect({ ...json({ max_age: 0, federated: true, state: null }) }).toEqual({ max_age: '0', federated: 'true' })
  })

  it.each(['[]', '"text"', 'null', '12', '{"a":', '{a:1}', '['.repeat(50_000)])('refuses the JSON %.10s', (body) => {
    expect(() => json(body)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  })
})

describe('what cannot be stored', () => {
  it.each([
    ['NUL in a form', () => post(FORM, 'a=%00')],
    ['NUL in the name of a form field', () => post(FORM, 'a%00b=1')],
    ['NUL in JSON', () => json('{"a":"\\u0000"}')],
    ['NUL in the name of a JSON member', () => json('{"a\\u0000":"b"}')],
    ['a lone surrogate in JSON', () => json('{"a":"\\ud83d"}')],
    ['a lone surrogate in the name of a JSON member', () => json('{"\\ud83d":"b"}')],
    ['a lone surrogate in a scope list', () => json('{"scope":["\\ud83d"]}')],
    ['NUL in the query', () => queryParameters(sampleRequest({ query: 'a=%00' }))],
    ['NUL in the name of a query parameter', () => queryParameters(sampleRequest({ query: '%00=a' }))],
    ['bytes that are not UTF-8', () => post(FORM, new Uint8Array([0x61, 0x3d, 0xff, 0xfe]))],
  ])('%s is refused', (_name, read) => {
    expect(read).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  })

  it('never repeats in its refusal what was sent', () => {
    const description = 'Invalid parameter: a??Set-Cookie:?x?'
    expect(() => post(FORM, 'a%0d%0aSet-Cookie:%20x%00=1')).toThrow(expect.objectContaining({ description }))
  })
})

describe('repeated parameters (RFC 6749 3.1)', () => {
  it.each([
    ['in the query', () => queryParameters(sampleRequest({ query: 'client_id=a&client_id=b' }))],
    ['in the query with the same value', () => queryParameters(sampleRequest({ query: 'state=a&state=a' }))],
    ['in the query, once empty', () => queryParameters(sampleRequest({ query: 'state=&state=a' }))],
    ['in a form', () => post(FORM, 'code=a&code=b')],
  ])('%s are refused', (_name, read) => {
    expect(read).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  })

  it.each([
    ['in the query', () => queryParameters(sampleRequest({ query: 'resource=a&resource=b' }))],
    ['in a form', () => post(FORM, 'resource=a&resource=b')],
    ['in JSON', () => json('{"resource":["a","b"]}')],
  ])('%s, the resource is refused as a target (RFC 8707 2)', (_name, read) => {
    expect(read).toThrow(expect.objectContaining({ code: 'invalid_target' }))
  })

  it('are left out and named for an endpoint that answers elsewhere', () => {
    const { parameters, unread } = readableParameters(sampleRequest({ query: 'a=1&b=2&b=3&b=4&c=%00' }))
    expect({ ...parameters }).toEqual({ a: '1' })
    expect([...unread].map(([name, { description }]) => [name, description])).toEqual([
      ['b', 'Repeated parameter: b'],
      ['c', 'Invalid parameter: c'],
    ])
  })
})

it('takes a parameter without a value for one that was not sent (RFC 6749 3.1)', () => {
  expect({ ...queryParameters(sampleRequest({ query: 'nonce=&prompt&state=x' })) }).toEqual({ state: 'x' })
  expect({ ...post(FORM, 'audience=&code=c') }).toEqual({ code: 'c' })
  expect({ ...json({ audience: '', code: 'c' }) }).toEqual({ code: 'c' })
})

it('gives names of every object no meaning', () => {
  const sent = json('{"__proto__":"a","constructor":"b"}')
  expect(sent.toString).toBeUndefined()
  expect(Object.getPrototypeOf(sent)).toBeNull()
  expect(({} as Record<string, unknown>).a).toBeUndefined()
})

it('reads the query of a GET and the body of a POST, never both', () => {
  const body = Buffer.from('a=body')
  const headers = { 'content-type': FORM }
  expect(parametersOf(sampleRequest({ query: 'a=query', body, headers })).a).toBe('query')
  expect(parametersOf(sampleRequest({ method: 'POST', query: 'a=query', body, headers })).a).toBe('body')
})

describe('redirecting', () => {
  it.each([
    'https://app.test/\r\nSet-Cookie: a=b',
    'https://app.test/\n',
    'https://app.test/\0',
    'https://app.test/\t',
  ])('refuses a target with a control character', (target) => {
    expect(() => redirect(target)).toThrow()
  })

  it('writes what is not ASCII as a header can carry it', () => {
    expect(redirect('https://app.test/b\u00fc?q=\u65e5').headers).toEqual([
      ['location', 'https://app.test/b%C3%BC?q=%E6%97%A5'],
    ])
  })

  it('changes nothing of a target that a header can carry', () => {
    const target = "myapp://Host/Path%2f?a=b%20c&d=e+f#g=!'()*"
    expect(redirect(target).headers).toEqual([['location', target]])
  })

  it('uses 302 or 303, never a status that posts again', () => {
    expect([redirect('https://app.test/').status, redirect('https://app.test/', 303).status]).toEqual([302, 303])
  })
})
