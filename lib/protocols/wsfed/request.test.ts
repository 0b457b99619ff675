import { expect, it } from 'vitest'
import { toClient } from '../../data/clients/client'
import { MULTI_FACTOR_ACR } from '../../identity/mfa/acr'
import { parseSignIn } from './request'
import { parseSignInTarget } from './target'

const client = toClient({
  clientId: 'portal',
  name: 'Portal',
  secretDigest: null,
  settings: { callbacks: ['https://portal.test/'] },
})

const parse = (parameters: Record<string, string>) =>
  parseSignIn(parameters, parseSignInTarget(parameters, client, null))

it.each([
  [undefined, [], null],
  ['0', ['login'], null],
  ['00', ['login'], null],
  ['1', [], 60],
  ['9999999', [], 599_999_940],
])('reads wfresh=%s', (wfresh, prompt, maxAge) => {
  expect(parse(wfresh === undefined ? {} : { wfresh }).wants).toMatchObject({ prompt, maxAge })
})

it.each(['-1', '1.5', 'now', '1e3', ' 1', '99999999', '٣'])('refuses wfresh=%s', (wfresh) => {
  expect(() => parse({ wfresh })).toThrow('Invalid parameter: wfresh')
})

it.each([
  [{}, [], null],
  [{ wauth: 'urn:oasis:names:tc:SAML:1.0:am:password' }, ['urn:oasis:names:tc:SAML:1.0:am:password'], null],
  [{ wauth: 'http://schemas.microsoft.com/claims/multipleauthn' }, [MULTI_FACTOR_ACR], null],
  [{ whr: 'urn:Users' }, [], 'Users'],
  [{ whr: 'urn:urn:x' }, [], 'urn:x'],
  [{ whr: 'Users' }, [], 'Users'],
])('the request is read: %j', (parameters, acrValues, connection) => {
  expect(parse(parameters).wants).toMatchObject({ acrValues, connection, redirectUri: 'https://portal.test/' })
})

it('keeps what a restart needs, and no secret', () => {
  const parameters = { wctx: 'c', wreply: 'https://portal.test/', wreqptr: 'https://evil.test/', other: 'x' }
  expect(parse(parameters).request).toEqual({
    clientId: 'portal',
    realm: 'urn:portal',
    reply: 'https://portal.test/',
    context: 'c',
    parameters: { wctx: 'c', wreply: 'https://portal.test/' },
  })
})
