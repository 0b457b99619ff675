import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPortray } from '../../../data/users/picture'
import { redeem, SPA, signIn } from '../../../testing/journey'
import { sampleUser } from '../../../testing/samples'
import { type TestServer, testServer } from '../../../testing/server'

let server: TestServer

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addUser({ id: 'kim', email: 'kim@mail.test', data: { name: 'Kim Ito' } })
  await server.addUser({ id: 'lee', email: 'lee@mail.test', data: { picture: 'https://pics.test/lee' } })
})
afterAll(() => server.close())

async function pictureAt(email: string): Promise<string> {
  const code = (await signIn(server.browser(), email)).get('code') ?? ''
  const { access_token } = (await redeem(server.browser(), code)).json()
  const headers = { authorization: `Bearer ${access_token}` }
  return String((await server.browser().get('/userinfo', { headers })).json().picture)
}

const pathOf = (picture: string) => new URL(picture).pathname

describe('the picture of a user', () => {
  it('the picture of a user without one is drawn', async () => {
    const picture = await pictureAt('kim@mail.test')
    const answer = await server.browser().get(pathOf(picture))
    expect([answer.status, answer.header('content-type')]).toEqual([200, 'image/svg+xml'])
    expect(answer.text).toContain('>KI</text>')
    expect(await pictureAt('lee@mail.test')).toBe('https://pics.test/lee')
  })

  it('is cached for good, may be embedded anywhere, and is no document that could do anything', async () => {
    const answer = await server.browser().get(pathOf(await pictureAt('kim@mail.test')))
    expect(answer.header('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.header('cross-origin-resource-policy')).toBe('cross-origin')
    expect(answer.header('access-control-allow-origin')).toBe('*')
    expect(answer.header('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'; base-uri 'none'")
    expect(answer.header('x-content-type-options')).toBe('nosniff')
    expect(answer.header('set-cookie')).toBeUndefined()
  })

  it.each(['x.svg', '.svg', 'x', 'x.png', '%00.svg', '%ff.svg', '<svg>.svg', `${'A'.repeat(4000)}.svg`])(
    'is not drawn from %s',
    async (file) => expect((await server.browser().get(`/avatar/${file}`)).status).toBe(404),
  )
})

it('writes markup in a name as text', async () => {
  const { vault, baseUrl } = await server.runtime()
  const portray = createPortray({ vault, baseUrl, canonicalUrl: baseUrl, source: 'initials' })
  const answer = await server.browser().get(pathOf(portray(sampleUser({ name: '1<script> &' })).picture ?? ''))
  expect(answer.text).not.toContain('<script')
  expect(answer.text).toContain('</text></svg>')
})
