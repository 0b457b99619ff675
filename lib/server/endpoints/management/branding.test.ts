// Branding, themes and prompts in the Management API.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTheme } from '../../../data/tenants/theme'
import { addManager, lastReported, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'

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
      favicon_url: 'https://f.test/f.ico',
    })
    const branding = {
      logo_url: 'https://acme.test/l.png',
      favicon_url: 'https://f.test/f.ico',
      colors: { primary: '#123456', page_background: '#ffffff' },
      font: { url: 'https://f.test/f' },
    }
    expect(answer.json()).toEqual(branding)
    expect((await manager.get('/branding')).json()).toEqual(answer.json())
    server.clock.advance(2)
    expect((await server.runtime()).settings.branding).toEqual(branding)
    await manager.patch('/branding', { logo_url: null, favicon_url: null, font: null })
    expect(Object.keys((await manager.get('/branding')).json())).toEqual(['colors'])
  })

  it('has a gradient behind its pages', async () => {
    const page_background = { type: 'linear-gradient', start: '#ffffff', end: '#000000', angle_deg: 35 }
    const answer = await manager.patch('/branding', { colors: { page_background } })
    expect(answer.json()).toMatchObject({ colors: { page_background } })
    await manager.patch('/branding', { colors: { page_background: null } })
  })

  it.each([
    { logo_url: 'javascript:alert(1)' },
    { favicon_url: 'data:image/png;base64,AAAA' },
    { font: { url: 'http://f.test/f.woff2' } },
    { font: { url: 'https://f.test/"){}' } },
    { font: 'https://f.test/f.woff2' },
    { colors: { primary: 'red' } },
    { colors: { page_background: { type: 'linear-gradient' } } },
    { colors: { page_background: { type: 'linear-gradient', start: '#12345', end: '#000' } } },
    { colors: { page_background: { type: 'radial-gradient', start: '#fff', end: '#000' } } },
    { colors: { page_background: { type: 'linear-gradient', start: '#fff', end: '#000', angle_deg: '1deg}' } } },
  ])('the branding refuses %j', async (body) => {
    expect((await manager.patch('/branding', body)).json()).toMatchObject(INVALID)
  })

  it('reports what has no effect in the record of the change', async () => {
    await manager.patch('/branding', { colors: { primary: '#12345' }, identifiers: { otp_autocomplete: true } })
    expect(await lastReported(server)).toEqual(['identifiers', 'colors.primary'])
    await manager.patch('/branding', { colors: { primary: null }, identifiers: null })
  })

  it('has no page template', async () => {
    const path = '/branding/templates/universal-login'
    expect((await manager.get(path)).status).toBe(404)
    expect((await manager.put(path, { template: '<html>' })).json()).toMatchObject(INVALID)
    expect((await manager.remove(path)).status).toBe(204)
  })
})

describe('the theme', () => {
  const THEME = readTheme({
    displayName: 'Acme',
    borders: { button_border_radius: 4.5 },
    colors: { primary_button: '#123456', captcha_widget_theme: 'auto', base_focus_color: '#12345678' },
  })
  const PATH = '/branding/themes'
  const part = (name: 'borders' | 'colors' | 'fonts' | 'page_background' | 'widget', members: object) => ({
    [name]: { ...THEME[name], ...members },
  })

  async function made(body: object = THEME): Promise<string> {
    const answer = await manager.post(PATH, body)
    expect(answer.status).toBe(201)
    return `${PATH}/${String(answer.json().themeId)}`
  }

  it('is absent until it is created, and exists once', async () => {
    expect((await manager.get(`${PATH}/default`)).status).toBe(404)
    const both = await Promise.all([manager.post(PATH, THEME), manager.post(PATH, THEME)])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    const shown = (await manager.get(`${PATH}/default`)).json()
    const { themeId, ...rest } = shown
    expect(rest).toEqual(THEME)
    const path = `${PATH}/${String(themeId)}`
    expect((await manager.get(path)).json()).toEqual(shown)
    const changed = await manager.patch(path, { displayName: 'Acme 2', themeId: 'another' })
    expect(changed.json()).toEqual({ ...shown, displayName: 'Acme 2' })
    expect((await manager.patch(path, part('widget', { logo_height: 7 }))).json()).toMatchObject({
      displayName: 'Acme 2',
      widget: { ...THEME.widget, logo_height: 7 },
    })
    expect((await manager.get(`${PATH}/none`)).status).toBe(404)
    expect((await manager.patch(`${PATH}/none`, { displayName: 'x' })).status).toBe(404)
    expect((await manager.remove(`${PATH}/none`)).status).toBe(204)
    expect((await manager.get(path)).status).toBe(200)
    expect((await manager.remove(path)).status).toBe(204)
    expect((await manager.get(path)).status).toBe(404)
  })

  it.each([
    ['without its parts', { displayName: 'x' }],
    ['without a member', { ...THEME, widget: {} }],
    ['with a member of no theme', { ...THEME, css: '*{}' }],
    ['with a member of no part', { ...THEME, ...part('colors', { shadow: '#000' }) }],
    ['with an invalid colour', { ...THEME, ...part('colors', { error: 'red;}*{' }) }],
    ['with a radius beyond its bound', { ...THEME, ...part('borders', { button_border_radius: 11 }) }],
    ['with a size below its bound', { ...THEME, ...part('fonts', { title: { bold: true, size: 74 } }) }],
    ['with an invalid style', { ...THEME, ...part('borders', { buttons_style: 'round' }) }],
    ['with a font of http', { ...THEME, ...part('fonts', { font_url: 'http://f.test/f' }) }],
    [
      'with an image that is a script',
      { ...THEME, ...part('page_background', { background_image_url: 'javascript:1' }) },
    ],
    ['with a logo of credentials', { ...THEME, ...part('widget', { logo_url: 'https://a:b@c.test/l' }) }],
  ])('is refused %s', async (_case, body) => {
    expect((await manager.post(PATH, body)).json()).toMatchObject(INVALID)
    const path = await made()
    const { displayName: _name, ...changes } = body as { displayName?: string }
    if (Object.keys(changes).length > 0) expect((await manager.patch(path, changes)).json()).toMatchObject(INVALID)
    await manager.remove(path)
  })

  it('a theme from before its members had bounds is shown complete, and can be changed', async () => {
    const path = await made()
    const body = { colors: { primary_button: '#abcdef', error: 'red' }, fonts: [], themeId: path.split('/').at(-1) }
    await server.database.pool.query(`UPDATE document SET body = $1 WHERE kind = 'theme'`, [body])
    const { themeId, ...shown } = (await manager.get(`${PATH}/default`)).json()
    expect([themeId, shown]).toEqual([body.themeId, readTheme({ colors: { primary_button: '#abcdef' } })])
    expect((await manager.patch(path, { displayName: 'Old' })).json()).toEqual({
      ...shown,
      displayName: 'Old',
      themeId,
    })
    await manager.remove(path)
  })

  it('reports members without effect in the record of the change', async () => {
    const identifiers = {
      login_display: 'unified',
      otp_autocomplete: true,
      phone_display: { formatting: 'international', masking: 'mask_digits' },
    }
    const path = await made({ ...THEME, identifiers })
    expect((await manager.get(path)).json()).toMatchObject({ identifiers })
    expect(await lastReported(server)).toEqual(['identifiers'])
    await manager.patch(path, { displayName: 'Other' })
    expect(await lastReported(server)).toEqual([])
    await manager.remove(path)
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
    'the prompts refuse %j',
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
