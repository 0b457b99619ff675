// The search for everything: what each role finds, and what a pasted token or message is.
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ConsoleRole } from '../../../management/operations/console-roles'
import { BASE_URL } from '../../../testing/database'
import { addManager, MANAGER, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'
import { findObjects } from './find'
import { inspectSent, MAX_SENT } from './inspect-sent'
import { consoleOf } from './page'

let server: TestServer
let manager: Manager
let userId: string
beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  userId = await server.addUser({ email: 'ada.byron@example.com', data: { emailVerified: true, name: 'Ada Byron' } })
  await manager.post('/organizations', { name: 'harbour', display_name: 'The Harbour' })
  await manager.post('/roles', { name: 'Harbour master' })
})
afterAll(() => server.close())

async function consoleAs(role: ConsoleRole) {
  const runtime = await server.runtime()
  const request = {
    id: 'test',
    method: 'GET',
    path: '/console/find',
    params: {},
    query: new URLSearchParams(),
    search: '',
    headers: {},
    body: new Uint8Array(),
    ip: '198.51.100.7',
  } as const
  const administrator = { userId, role, email: null, name: null, since: server.clock.now() }
  return consoleOf({ runtime, request, administrator, authenticatedAt: server.clock.now() })
}

const titlesFor = async (role: ConsoleRole, text: string): Promise<string[]> =>
  (await findObjects(text, await consoleAs(role))).map(({ kind, title }) => `${kind}: ${title}`)

describe('words', () => {
  it.each(['ada', 'ada byr', 'ada.byron@example.com', 'example.com', '@example.com'])(
    'the text %j finds the user',
    async (text) => {
      expect(await titlesFor('owner', text)).toContain('User: Ada Byron')
    },
  )

  it('an id finds the one object that has it', async () => {
    expect(await titlesFor('owner', userId)).toEqual(['User: Ada Byron'])
    const [client] = await findObjects(MANAGER, await consoleAs('owner'))
    expect(client).toMatchObject({ kind: 'Application', href: `/console/applications/${MANAGER}` })
  })

  it('a part of a name finds objects of every kind', async () => {
    expect(await titlesFor('owner', 'harbour')).toEqual(['Organization: The Harbour', 'Role: Harbour master'])
  })

  it('an application editor finds no user, and user support no application', async () => {
    expect(await titlesFor('application_editor', 'ada')).toEqual([])
    expect((await titlesFor('user_support', MANAGER)).filter((each) => each.startsWith('Application'))).toEqual([])
  })

  it.each(['', 'a', ' ', 'x'.repeat(301), '"', '*', ':', 'a:b', '((', '[* TO', '\\', 'NOT', '\u0000', '%_'])(
    'the text %j is no failure',
    async (text) => {
      expect(await findObjects(text, await consoleAs('owner'))).toBeInstanceOf(Array)
    },
  )
})

const inspect = async (text: string) => inspectSent(text, await server.runtime())

describe('a pasted token', () => {
  it('of this server is said to be, with the key and a link to its application', async () => {
    const token = await manager.token()
    const found = await inspect(` Bearer ${token}\n`)
    expect(found).toMatchObject({ isOurs: true, title: 'JSON Web Token' })
    expect(found?.verdict).toMatch(/^This server signed it with the key \S+, and it has not expired\.$/)
    expect(found?.links).toEqual([{ title: `Application ${MANAGER}`, href: `/console/applications/${MANAGER}` }])
    expect(found?.content).toContain(`${BASE_URL}/`)
    server.clock.advance(40 * 86_400)
    expect((await inspect(token))?.verdict).toMatch(/, and it has expired\.$/)
  })

  it('with a changed signature or content is not verified', async () => {
    const [header, claims, signature] = (await manager.token()).split('.')
    const forged = Buffer.from(JSON.stringify({ sub: 'somebody' })).toString('base64url')
    for (const token of [`${header}.${forged}.${signature}`, `${header}.${claims}.AAAA`, `${header}.${claims}.`]) {
      const found = await inspect(token)
      expect(found).toMatchObject({ isOurs: false, links: [] })
      expect(found?.verdict).toContain('not verified')
    }
  })

  it('without a signature is not verified', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    expect(await inspect(`${part({ alg: 'none' })}.${part({ sub: 'x' })}.`)).toMatchObject({ isOurs: false })
  })

  it.each(['a.b.c', 'plain words', 'ada@example.com', 'x'.repeat(60), 'A'.repeat(MAX_SENT + 1)])(
    'is not found in %j',
    async (text) => {
      expect(await inspect(text)).toBeNull()
    },
  )
})

const XML = `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_1" Destination="https://id.test/"><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">urn:shop</saml:Issuer></samlp:AuthnRequest>`
const DEFLATED = deflateRawSync(XML).toString('base64')

describe('a pasted message', () => {
  it.each([
    ['XML', XML],
    ['XML with percent signs', encodeURIComponent(XML)],
    ['base64', Buffer.from(XML).toString('base64')],
    ['deflated', DEFLATED],
    ['deflated with percent signs', encodeURIComponent(DEFLATED)],
    ['an address', `https://id.test/samlp/x?SAMLRequest=${encodeURIComponent(DEFLATED)}&RelayState=1`],
    ['a parameter', `SAMLRequest=${DEFLATED}`],
  ])('as %s is decoded, and said to be not verified', async (_name, text) => {
    const found = await inspect(text)
    expect(found).toMatchObject({ title: 'AuthnRequest', isOurs: false })
    expect(found?.verdict).toContain('not verified')
    expect(found?.facts).toContainEqual(['Issuer', 'urn:shop'])
    expect(found?.facts).toContainEqual(['AuthnRequest Destination', 'https://id.test/'])
  })

  it('with a DTD is refused', async () => {
    const found = await inspect('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')
    expect(found).toMatchObject({ title: 'XML', content: '' })
  })
})
