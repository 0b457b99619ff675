// Branding, themes and prompts in the Management API.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addManager, lastReported, type Manager } from '../../testing/management'
import { type TestServer, testServer } from '../../testing/server'

let server: TestServer
let manager: Manager

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
})
afterAll(() => server.close())

const INVALID = { statusCode: 400, errorCode: 'invalid_body' }

describe('branding', () => {
  it('is changed, applied and shown; colours merge', async () => {
    await manager.patch('/branding', { logo_url: 'https://acme.test/l.png', colors: { primary: '#123456' } })
    const answer = await manager.patch('/branding', {
      colors: { page_background: '#ffffff' },
      font: { url: 'https://f.test/f' },
    })
    expect(answer.json()).toEqual({
      logo_url: 'https://acme.test/l.png',
      colors: { primary: '#123456', page_background: '#ffffff' },
      font: { url: 'https://f.test/f' },
    })
    expect((await manager.get('/branding')).json()).toEqual(answer.json())
    server.clock.advance(2)
    expect((await server.runtime()).settings.branding).toEqual({
      logo_url: 'https://acme.test/l.png',
      colors: { primary: '#123456', page_background: '#ffffff' },
    })
    await manager.patch('/branding', { logo_url: null })
    expect((await manager.get('/branding')).json()).not.toHaveProperty('logo_url')
  })

  it.each([
    { logo_url: 'javascript:alert(1)' },
    { colors: { primary: 'red' } },
    { colors: { page_background: { type: 'linear-gradient' } } },
  ])('refuses %j', async (body) => {
    expect((await manager.patch('/branding', body)).json()).toMatchObject(INVALID)
  })

  it('has no page template', async () => {
    const path = '/branding/templates/universal-login'
    expect((await manager.get(path)).status).toBe(404)
    expect((await manager.put(path, { template: '<html>' })).json()).toMatchObject(INVALID)
    expect((await manager.remove(path)).status).toBe(204)
  })
})

describe('the theme', () => {
  const THEME = {
    displayName: 'Acme',
    borders: { button_border_radius: 3 },
    colors: { primary_button: '#123456' },
    fonts: { title: { size: 150 } },
    page_background: { background_color: '#000000' },
    widget: { logo_position: 'center' },
  }

  it('is absent until it is created, and exists once', async () => {
    expect((await manager.get('/branding/themes/default')).status).toBe(404)
    const both = await Promise.all([manager.post('/branding/themes', THEME), manager.post('/branding/themes', THEME)])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    const shown = (await manager.get('/branding/themes/default')).json()
    expect(shown).toMatchObject(THEME)
    const path = `/branding/themes/${String(shown.themeId)}`
    expect((await manager.get(path)).json()).toEqual(shown)
    const changed = await manager.patch(path, { displayName: 'Acme 2', themeId: 'another' })
    expect(changed.json()).toEqual({ ...shown, displayName: 'Acme 2' })
    expect((await manager.get('/branding/themes/none')).status).toBe(404)
    expect((await manager.patch('/branding/themes/none', { displayName: 'x' })).status).toBe(404)
    expect((await manager.remove('/branding/themes/none')).status).toBe(204)
    expect((await manager.get(path)).status).toBe(200)
    expect((await manager.remove(path)).status).toBe(204)
    expect((await manager.get(path)).status).toBe(404)
  })

  it('is refused without its parts', async () => {
    expect((await manager.post('/branding/themes', { displayName: 'x' })).json()).toMatchObject(INVALID)
  })
})

describe('prompts', () => {
  it('show their settings and keep them', async () => {
    const before = { universal_login_experience: 'new', identifier_first: false, webauthn_platform_first_factor: false }
    expect((await manager.get('/prompts')).json()).toEqual(before)
    expect((await manager.patch('/prompts', { identifier_first: true })).json()).toEqual({
      ...before,
      identifier_first: true,
    })
    server.clock.advance(2)
    expect((await server.runtime()).settings.prompts).toEqual({ identifier_first: true })
  })

  it.each([{ universal_login_experience: 'old' }, { webauthn_platform_first_factor: 'yes' }])(
    'refuse %j',
    async (body) => {
      expect((await manager.patch('/prompts', body)).json()).toMatchObject(INVALID)
    },
  )

  it('keep that a device’s own authenticator comes first, which the databases decide here, and report it', async () => {
    const answer = await manager.patch('/prompts', { webauthn_platform_first_factor: true })
    expect(answer.json()).toMatchObject({ webauthn_platform_first_factor: true })
    expect(await lastReported(server)).toEqual(['webauthn_platform_first_factor'])
  })

  it('have texts by prompt and language, none until they are put', async () => {
    const path = '/prompts/login/custom-text/pt-BR'
    const empty = await manager.get(path)
    expect([empty.status, empty.json()]).toEqual([200, {}])
    const texts = { login: { title: 'Bem-vindo' } }
    expect((await manager.put(path, texts)).json()).toEqual(texts)
    expect((await manager.get(path)).json()).toEqual(texts)
    expect((await manager.get('/prompts/login/custom-text/en')).json()).toEqual({})
    expect((await manager.put(path, {})).json()).toEqual({})
    expect((await manager.get(path)).json()).toEqual({})
    expect((await manager.get('/prompts/none/custom-text/en')).status).toBe(404)
    expect((await manager.put('/prompts/login/custom-text/..%2F', texts)).status).toBe(404)
    expect((await manager.put(path, { login: 'x' })).json()).toMatchObject(INVALID)
  })

  it('have no partials', async () => {
    expect((await manager.get('/prompts/login/partials')).json()).toEqual({})
    expect((await manager.put('/prompts/login/partials', {})).status).toBe(200)
    const partial = { login: { 'form-content-start': '<script>' } }
    expect((await manager.put('/prompts/login/partials', partial)).json()).toMatchObject(INVALID)
  })
})

it('shows nothing of another tenant', async () => {
  await manager.put('/prompts/login/custom-text/en', { login: { title: 'Ours' } })
  await server.addTenant('other', 'https://other.test')
  const { documents } = await (await server.runtime('other.test')).management()
  expect(await documents.list('custom-text')).toEqual([])
})
