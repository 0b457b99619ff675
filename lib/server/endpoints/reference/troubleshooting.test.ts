// The page of the reasons, and the document: docs/troubleshooting.md has every reason with its hint, every error page and messages that exist.
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { REASONS, type Reason } from '../../../kernel/reasons'
import { ERROR_CODES } from '../../../pages/view'
import { type TestServer, testServer } from '../../../testing/server'
import { en } from '../../../text/en'

const CODES = Object.keys(REASONS) as Reason[]
/** Of a heading on the pages of a repository, which drop full stops. */
const anchorOf = (code: Reason): string => code.replaceAll('.', '')
const at = (path: string): URL => new URL(`../../../../${path}`, import.meta.url)

describe('the page', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await testServer()
  })
  afterAll(() => server.close())

  it('has each reason with its hint under its anchor, and no script', async () => {
    const { status, text, header } = await server.browser().get('/troubleshooting')
    expect(status).toBe(200)
    const sections = [...text.matchAll(/<section id="([^"]+)"><h2><a href="#\1"><code>([^<]+)</g)]
    expect(sections.map(([, anchor, code]) => [anchor, code])).toEqual(CODES.map((code) => [code, code]))
    expect(header('content-security-policy')).not.toContain('script-src')
  })

  it('is where a refusal leads', async () => {
    await server.addClient({ clientId: 'app', secret: 's', settings: { grant_types: ['authorization_code'] } })
    const form = { grant_type: 'client_credentials', client_id: 'app', client_secret: 's' }
    const { error_uri } = (await server.browser().post('/oauth/token', { form })).json()
    const { pathname, hash } = new URL(String(error_uri))
    expect((await server.browser().get(pathname)).text).toContain(`id="${hash.slice(1)}"`)
  })
})

it('has one anchor for each reason', () => {
  expect(new Set(CODES.map(anchorOf)).size).toBe(CODES.length)
})

describe('the catalogue', () => {
  const sources = filesBelow('lib')
    .map((path) => readFileSync(at(path), 'utf8'))
    .join('\n')

  it.each(CODES)('has %s because a refusal names it', (code) => {
    expect(sources.includes(`'${code}'`)).toBe(true)
  })
})

describe('docs/troubleshooting.md', () => {
  const text = readFileSync(at('docs/troubleshooting.md'), 'utf8')
  const [messages = '', reasons = ''] = text.split('\n## Reasons\n')

  it('has each reason with the hint of the catalogue, and no other', () => {
    const sections = [...reasons.matchAll(/^#### `([^`]+)`\n\n(.+)$/gm)].map(([, code, hint]) => [code, hint])
    expect(sections).toEqual(Object.entries(REASONS))
  })

  it('has each error page by its title', () => {
    const titles = new Set([...messages.matchAll(/^\| “([^”]+)” \|/gm)].map(([, title]) => title))
    for (const code of ERROR_CODES) expect(titles).toContain(en[`error.${code}.title`])
  })

  it('leads from each message to reasons that exist', () => {
    const rows = [...messages.matchAll(/^\| [“`].*$/gm)].map(([row]) => row)
    const anchors = CODES.map(anchorOf)
    for (const row of rows) {
      const links = [...row.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor)
      expect(links, row).not.toEqual([])
      for (const link of links) expect(anchors).toContain(link)
    }
  })

  it('quotes messages that the server writes', () => {
    const sources = filesBelow('lib')
      .map((path) => readFileSync(at(path), 'utf8'))
      .join('\n')
      .replaceAll("\\'", "'")
    const quoted = [...messages.matchAll(/^\| (?:“([^”]+)”|`([^`]+)`) \|/gm)].map(
      ([, page, wire]) => page ?? wire ?? '',
    )
    expect(quoted.length).toBeGreaterThan(60)
    for (const message of quoted)
      for (const part of message.split('…')) expect(sources.includes(part.trim()), message).toBe(true)
  })
})

function filesBelow(folder: string): string[] {
  const own = readdirSync(at(folder), { recursive: true, encoding: 'utf8' })
  const isSource = (path: string) => path.endsWith('.ts') && !path.endsWith('.test.ts') && path !== 'kernel/reasons.ts'
  return own.filter((path) => isSource(path) && !path.startsWith('testing/')).map((path) => `${folder}/${path}`)
}
