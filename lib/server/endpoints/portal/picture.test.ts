// The picture that a user uploads in the portal, and where it is shown (threat-model.md PI2).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cleanPicture, MAX_PICTURE_BYTES } from '../../../identity/pictures/picture-file'
import { locationOf } from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import { JPEG, png, WEBP } from '../../../testing/pictures'
import { confirmationOf, enterPortal, submitInPortal } from '../../../testing/portal'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let manager: Manager
let browser: Browser
let email: string
let user: string
let count = 0

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
})
afterAll(() => server.close())
beforeEach(async () => {
  count += 1
  email = `user${count}@mail.test`
  user = await server.addUser({ email, data: { emailVerified: true } })
  browser = server.browser({ ip: `203.0.113.${count}` })
  await enterPortal(browser, email)
})

type Part = { name: string; value: string | Uint8Array }

const BOUNDARY = 'the-boundary'
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`

function formOf(parts: readonly Part[]): Buffer {
  const pieces = parts.flatMap(({ name, value }) => {
    const file = typeof value === 'string' ? '' : '; filename="x.svg"\r\ncontent-type: image/svg+xml'
    return [`--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n`, value, '\r\n']
  })
  return Buffer.concat([...pieces, `--${BOUNDARY}--\r\n`].map((piece) => Buffer.from(piece as string)))
}

async function post(parts: readonly Part[], own = browser, page = 'profile'): Promise<TestResponse> {
  return own.send('POST', `/account/${page}`, { headers: { 'content-type': TYPE }, body: formOf(parts) })
}

async function upload(file: Uint8Array, own = browser): Promise<string | null> {
  const confirmation = { name: 'confirmation', value: await confirmationOf(own) }
  const answer = await post([confirmation, { name: 'picture', value: file }, { name: 'action', value: 'picture' }], own)
  return locationOf(answer).searchParams.get('notice')
}

const query = (text: string, ...values: unknown[]) => server.database.pool.query(text, values)
const pictureOf = async (id = user): Promise<string | null> =>
  (await query('SELECT picture FROM "user" WHERE id = $1', id)).rows[0]?.picture
const stored = async (): Promise<number> =>
  (await query('SELECT 1 FROM user_picture WHERE user_id = $1', user)).rows.length
const pathOf = async (id = user): Promise<string> => new URL((await pictureOf(id)) ?? 'https://none.test').pathname

describe('an uploaded picture', () => {
  it('is shown from our own origin, cached for ever, as what it is and nothing else', async () => {
    server.clock.advance(3600)
    expect(await upload(JPEG)).toBe('portal_saved')
    expect((await browser.get('/account/profile')).text).toContain(`src="${await pictureOf()}"`)
    const shown = await server.browser().get(await pathOf())
    expect([shown.status, shown.header('content-type')]).toEqual([200, 'image/jpeg'])
    expect(shown.header('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(shown.header('x-content-type-options')).toBe('nosniff')
    expect(shown.header('content-security-policy')).toContain("default-src 'none'")
  })

  it('is replaced by another, and the old one is gone', async () => {
    await upload(JPEG)
    const old = await pathOf()
    expect(await upload(WEBP)).toBe('portal_saved')
    expect(await pathOf()).toMatch(/\.webp$/)
    expect((await server.browser().get(old)).status).toBe(404)
    expect(await stored()).toBe(1)
  })

  it('is removed, and initials are drawn again', async () => {
    await upload(JPEG)
    const old = await pathOf()
    const press = () => submitInPortal(browser, 'profile', { action: 'remove-picture' })
    expect(locationOf(await press()).searchParams.get('notice')).toBe('portal_removed')
    expect([await pictureOf(), await stored(), (await server.browser().get(old)).status]).toEqual([null, 0, 404])
    expect((await browser.get('/account/profile')).text).toMatch(/\/avatar\/[\w-]+\.svg/)
    expect(locationOf(await press()).searchParams.get('notice')).toBe('portal_gone')
  })

  it('goes with the account, and with a picture that a manager sets', async () => {
    await upload(JPEG)
    const path = `/users/${encodeURIComponent(user)}`
    await manager.patch(path, { picture: 'https://pics.test/kim.png' })
    expect([await pictureOf(), await stored()]).toEqual(['https://pics.test/kim.png', 0])
    await upload(JPEG)
    const shown = await pathOf()
    await manager.remove(path)
    expect([await stored(), (await server.browser().get(shown)).status]).toEqual([0, 404])
  })

  it('is part of the copy of the data', async () => {
    await upload(JPEG)
    const copy = (await submitInPortal(browser, 'data', { action: 'download' })).json() as { picture: unknown }
    const cleaned = await cleanPicture(JPEG)
    const bytes = typeof cleaned === 'string' ? '' : Buffer.from(cleaned.bytes).toString('base64')
    expect(copy.picture).toEqual({ type: 'image/jpeg', base64: bytes })
  })

  it('the pictures of two users have two names, and another tenant knows neither', async () => {
    await upload(JPEG)
    const other = server.browser({ ip: '203.0.113.200' })
    const address = `other${count}@mail.test`
    const id = await server.addUser({ email: address, data: { emailVerified: true } })
    await enterPortal(other, address)
    await upload(JPEG, other)
    expect(await pathOf(id)).not.toBe(await pathOf())
    await server.addTenant('other', 'https://other.test')
    expect((await server.browser({ host: 'other.test' }).get(await pathOf())).status).toBe(404)
  })

  it('is one of twenty that are sent at the same time, and the one that is shown', async () => {
    const files = Array.from({ length: 20 }, (_, index) => png({ width: index + 1 }))
    const confirmation = { name: 'confirmation', value: await confirmationOf(browser) }
    const action = { name: 'action', value: 'picture' }
    await Promise.all(files.map((value) => post([confirmation, { name: 'picture', value }, action])))
    expect([await stored(), (await server.browser().get(await pathOf())).status]).toEqual([1, 200])
  })
})

describe('a refused upload', () => {
  it.each([
    ['picture_missing', Buffer.alloc(0)],
    ['picture_type', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['picture_type', Buffer.from('GIF89a=1;alert(1)')],
    ['picture_size', Buffer.alloc(MAX_PICTURE_BYTES + 1)],
    ['picture_size', Buffer.alloc(6 * MAX_PICTURE_BYTES)],
    ['picture_size', png({ width: 4000, pixels: Buffer.alloc(1) })],
  ])('a picture is refused with %s', async (notice, file) => {
    expect(await upload(file)).toBe(notice)
    expect([await pictureOf(), await stored()]).toEqual([null, 0])
    expect((await browser.get('/account/profile', { query: { notice } })).text).toContain('role="alert"')
  })

  it('a picture is refused without the confirmation of the session, or a session', async () => {
    const parts = [
      { name: 'picture', value: JPEG },
      { name: 'action', value: 'picture' },
    ]
    expect(locationOf(await post(parts)).searchParams.get('notice')).toBe('session_changed')
    expect(locationOf(await post(parts, server.browser())).pathname).toBe('/u/login')
    expect(await pictureOf()).toBeNull()
  })

  it('a picture is refused while the address is unverified, so that no stranger stores files here', async () => {
    const confirmation = { name: 'confirmation', value: await confirmationOf(browser) }
    await query('UPDATE "user" SET email_verified = false WHERE id = $1', user)
    const parts = [confirmation, { name: 'picture', value: JPEG }, { name: 'action', value: 'picture' }]
    expect((await post(parts)).status).toBe(403)
    expect(await pictureOf()).toBeNull()
  })

  it('a picture is refused from another site', async () => {
    const headers = { 'content-type': TYPE, origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }
    const form = formOf([{ name: 'action', value: 'picture' }])
    expect((await browser.send('POST', '/account/profile', { headers, body: form })).status).toBe(403)
  })

  it('a picture is refused where the provider sets it at each login', async () => {
    await query(
      `UPDATE connection SET strategy = 'google-oauth2', settings = '{"options":{"client_id":"x"}}' WHERE name = 'Users'`,
    )
    server.clock.advance(2)
    const offers = (await browser.get('/account/profile')).text.includes('type="file"')
    const outcomes = [await upload(JPEG), await pictureOf()]
    await query(`UPDATE connection SET strategy = 'auth0', settings = '{}' WHERE name = 'Users'`)
    server.clock.advance(2)
    expect([offers, ...outcomes]).toEqual([false, 'portal_gone', null])
  })

  it.each([
    [
      'a field that occurs twice',
      [
        { name: 'a', value: 'x' },
        { name: 'a', value: 'y' },
      ],
    ],
    [
      'two files',
      [
        { name: 'picture', value: JPEG },
        { name: 'picture', value: JPEG },
      ],
    ],
    ['a file with another name', [{ name: 'other', value: JPEG }]],
    ['a field that is too long', [{ name: 'a', value: 'x'.repeat(5000) }]],
    ['too many fields', Array.from({ length: 30 }, (_, index) => ({ name: `a${index}`, value: 'x' }))],
    ['a character that cannot be stored', [{ name: 'a', value: '\0' }]],
  ])('a form is refused with %s', async (_name, parts) => {
    expect((await post(parts)).status).toBe(400)
  })

  it.each(['multipart/form-data; boundary=', 'multipart/form-data; x', 'multipart/form-data; boundary=other'])(
    'a form is refused as %s',
    async (type) => {
      const answer = await browser.send('POST', '/account/profile', {
        headers: { 'content-type': type },
        body: formOf([{ name: 'action', value: 'picture' }]),
      })
      expect(answer.status).toBeLessThan(500)
      expect(answer.status === 400 || locationOf(answer).pathname === '/account/profile').toBe(true)
    },
  )

  it('a picture that is far too large is refused', async () => {
    const body = Buffer.concat([formOf([]).subarray(0, 0), Buffer.alloc(33 * 1024 * 1024, 'x')])
    const answer = await browser.send('POST', '/account/profile', { headers: { 'content-type': TYPE }, body })
    expect([400, 413]).toContain(answer.status)
  })
})

it.each([
  'x.jpg',
  `${'a'.repeat(24)}.jpg`,
  `${'a'.repeat(24)}.svg`,
  `${'a'.repeat(24)}.constructor`,
  '..%2f..%2fx.png',
  'x'.repeat(3000),
])('no picture has the address %s', async (file) => {
  expect((await server.browser().get(`/picture/${file}`)).status).toBe(404)
})
