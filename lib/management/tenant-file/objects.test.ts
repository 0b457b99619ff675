import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { readTheme } from '../../data/tenants/theme'
import { seededRandom } from '../../kernel/random'
import { createVault } from '../../kernel/secret'
import { faultOf } from '../../pages/messages/liquid'
import { writtenRows } from '../../testing/written-rows'
import { unusedTexts } from '../../text/custom'
import { openSink } from '../resources/log-streams'
import { withCodeFiles } from './code-files'
import { NOTHING } from './configuration'
import { type Configuration, type Json, type Plan, TenantFileError } from './model'
import { planTenant } from './plan'
import { readTenantFile } from './read'
import { SECTIONS } from './sections'

const vault = createVault('a secret of thirty-two characters')
const FIXTURE = readFile(new URL('fixtures/objects.yaml', import.meta.url), 'utf8')

const plan = async (text: string, stored: Partial<Configuration> = {}): Promise<Plan> =>
  planTenant({
    file: 'tenant.yaml',
    document: readTenantFile('tenant.yaml', text, {}),
    tenantId: 'main',
    baseUrl: 'https://id.test',
    stored: { ...NOTHING, tenant: { name: 'main', settings: {}, kept: {} }, ...stored },
    users: [],
    vault,
    random: seededRandom('objects'),
    templateFault: faultOf,
    unusedTexts,
  })

const problems = async (text: string, stored?: Partial<Configuration>): Promise<string[]> => {
  try {
    await plan(text, stored)
  } catch (error) {
    if (error instanceof TenantFileError) return error.message.split('\n')
    throw error
  }
  return []
}

/** The rows that the fixture makes. */
async function stored(): Promise<Configuration> {
  return (await plan(await FIXTURE)).after
}

const exported = async (name: string): Promise<Json | undefined> =>
  SECTIONS.find((section) => section.name === name)?.export(await stored(), [], vault)

const details = ({ changes }: Plan) => changes.map((change) => `${change.section} ${change.name}: ${change.details}`)

describe('objects of the Management API in a tenant file', () => {
  it.each([
    ['emailProvider', ['smtp_host', 'smtp_port', 'smtp_user']],
    ['phoneProviders', ['AC0123']],
    ['logStreams', ['https://archive.example/logs', 'X-Key', '********']],
    ['organizations', ['partner', 'Jobs']],
  ])('%s are exported with what is no secret', async (name, shown) => {
    const text = JSON.stringify(await exported(name))
    for (const each of shown) expect(text).toContain(each)
    expect(text).not.toContain('hush')
  })

  it('keep the secrets that a file does not have', async () => {
    const there = await stored()
    const text = `emailProvider: ${JSON.stringify(await exported('emailProvider'))}
phoneProviders: ${JSON.stringify(await exported('phoneProviders'))}
logStreams: ${JSON.stringify(await exported('logStreams'))}`
    expect(details(await plan(text, there))).toEqual([])
    expect(
      details(await plan(text.replace('"smtp_port":587', '"smtp_port":587,"smtp_pass":"hush-other"'), there)),
    ).toEqual(['emailProvider smtp: smtp_pass: set'])
    const renamed = await plan(text.replace('JSONLINES', 'JSONARRAY'), there)
    expect(details(renamed)).toEqual(['logStreams Archive: sink.httpContentFormat: "JSONLINES" → "JSONARRAY"'])
    const [row] = writtenRows(renamed, 'logStreams')
    expect(row && openSink(row.sealedSink, vault)).toMatchObject({
      httpAuthorization: 'Bearer hush-stream',
      httpCustomHeaders: [{ header: 'X-Key', value: 'hush-header' }],
    })
  })

  it('may be providers whose messages actions deliver', async () => {
    const planned = await plan(`emailProvider: { name: custom, default_from_address: a@b.example, credentials: {} }
phoneProviders: [{ name: custom, configuration: { delivery_methods: [text] } }]
triggers: { custom-email-provider: [] }`)
    expect(planned.notApplied).toEqual([])
    expect(planned.changes.map(({ section, name }) => `${section} ${name}`)).toEqual([
      'emailProvider custom',
      'phoneProviders custom',
    ])
  })

  it('do not send a kept secret elsewhere', async () => {
    const there = await stored()
    expect(
      await problems('logStreams: [{ name: Archive, sink: { httpEndpoint: https://evil.example } }]', there),
    ).toEqual(['tenant.yaml: logStreams["Archive"]: the destination changes: send httpAuthorization again'])
    expect(
      await problems('emailProvider: { name: smtp, credentials: { smtp_host: evil.example, smtp_port: 587 } }', there),
    ).toEqual(['tenant.yaml: emailProvider: the destination changes: send smtp_pass again'])
  })

  it.each([
    [
      'emailProvider: { name: mandrill, credentials: { api_key: x } }',
      'emailProvider: there is no provider mandrill here',
    ],
    [
      'emailProvider: { name: smtp, credentials: { smtp_host: a.example } }',
      'emailProvider: needs default_from_address, credentials.smtp_port',
    ],
    [
      'phoneProviders: [{ name: custom, configuration: { sid: AC1, delivery_methods: [text] } }]',
      'phoneProviders["custom"].configuration.sid',
    ],
    [
      'guardianPhoneFactorSelectedProvider: { provider: twilio }',
      'guardianPhoneFactorSelectedProvider.provider: "twilio" (phoneProviders decides: auth0)',
    ],
    ['phoneProviders: [{ name: twilio }]', 'phoneProviders["twilio"]: needs credentials.auth_token'],
    ['logStreams: [{ name: A, type: eventbridge }]', 'logStreams["A"]: there are no streams of type eventbridge here'],
    ['logStreams: [{ name: A, type: http }]', 'logStreams["A"]: needs httpEndpoint'],
    [`themes: [${JSON.stringify(readTheme({}))}, {}]`, 'themes: a tenant has one theme'],
    [
      `themes: [${JSON.stringify({ ...readTheme({}), identifiers: { login_display: 'unified' } })}]`,
      'themes[0].identifiers',
    ],
    [
      `themes: [${JSON.stringify({ ...readTheme({}), widget: { ...readTheme({}).widget, tilt: 3 } })}]`,
      'themes[0].widget.tilt',
    ],
    [
      `themes: [${JSON.stringify({ ...readTheme({}), widget: { logo_url: '' }, fonts: null })}]`,
      'themes[0]: needs fonts, widget.header_text_alignment, widget.logo_height, widget.logo_position, widget.social_buttons_layout',
    ],
    [
      'branding: { colors: { page_background: { type: radial-gradient, start: "#fff", end: "#000" } } }',
      'branding.colors.page_background: {"type":"radial-gradient","start":"#fff","end":"#000"}',
    ],
    ['branding: { colors: { primary: "#12345" } }', 'branding.colors.primary'],
    ['branding: { font: { weight: 400 } }', 'branding.font.weight'],
    ['prompts: { webauthn_platform_first_factor: true }', 'prompts.webauthn_platform_first_factor'],
    ['prompts: { customText: { en: { lobby: { lobby: { title: Hi } } } } }', 'prompts.customText.en.lobby'],
    [
      'prompts: { customText: { en: { login: { login: { title: Hi, invalid-connection: No } } } } }',
      'prompts.customText.en.login.login.invalid-connection',
    ],
    [
      'prompts: { customText: { en: { mfa-push: { mfa-push-list: { title: Hi } } } } }',
      'prompts.customText.en.mfa-push.mfa-push-list',
    ],
    ['prompts: { customText: { nl: { login: { login: { title: Hoi } } } } }', 'prompts.customText.nl.login.login'],
    ['prompts: { partials: { login: {} } }', 'prompts.partials'],
    [
      'emailTemplates: [{ template: welcome_email, body: ./mails/welcome.html }]',
      'emailTemplates["welcome_email"]: ./mails/welcome.html cannot be read beside the tenant file',
    ],
    [
      'emailTemplates: [{ template: user_invitation, body: x, resultUrl: https://a.test }]',
      'emailTemplates["user_invitation"].resultUrl',
    ],
    ['emailTemplates: [{ template: async_approval, body: x }]', 'emailTemplates["async_approval"].body'],
    [
      'organizations: [{ name: a, connections: [{ name: none }] }]',
      'organizations["a"].connections: no connection "none"',
    ],
    [
      'organizations: [{ name: a, client_grants: [{ client_id: none }] }]',
      'organizations["a"].client_grants: no client grant of "none"',
    ],
    ['organizations: [{ name: a, token_quota: { client_credentials: {} } }]', 'organizations["a"].token_quota'],
  ])('%s is reported', async (text, report) => {
    expect((await plan(text)).notApplied).toEqual([report])
  })

  it.each([
    ['emailProvider: smtp', 'emailProvider: must be a map of fields'],
    ['emailProvider: { name: pigeon }', 'emailProvider.name: invalid option'],
    ['logStreams: [{ name: A, type: pigeon }]', 'logStreams["A"].type: invalid option'],
    [
      'logStreams: [{ name: A, type: http, sink: { httpEndpoint: ftp://a } }]',
      'logStreams["A"]: must be an https address',
    ],
    ['emailTemplates: [{ template: hello }]', 'emailTemplates["hello"].template: invalid option'],
    ['emailTemplates: [{ template: welcome_email, body: "{% if %}" }]', 'emailTemplates["welcome_email"]: '],
    [
      'phoneTemplates: [{ type: otp_verify, content: { body: { text: "{{ code" } } }]',
      'phoneTemplates["otp_verify"]: ',
    ],
    ['prompts: { customText: [] }', 'prompts.customText: must be a map of fields'],
    [
      'prompts: { customText: { en: { login: { login: { title: 1 } } } } }',
      'prompts.customText.en.login.texts.login.title',
    ],
    ['organizations: [{ name: Acme }]', 'organizations["Acme"].name: must be 1 to 50 lower-case'],
    [
      'organizations: [{ name: a, branding: { colors: { primary: red } } }]',
      'organizations["a"].branding.colors.primary',
    ],
    [
      `themes: [${JSON.stringify({ ...readTheme({}), borders: { ...readTheme({}).borders, input_border_weight: 4 } })}]`,
      'themes[0]: too big',
    ],
    ['branding: { font: { url: http://cdn.example/f.woff2 } }', 'branding.font.url: must be an https address'],
  ])('%s refuses the file', async (text, problem) => {
    expect((await problems(text))[0]).toContain(`tenant.yaml: ${problem}`)
  })

  it('has a theme as the vendor’s tool exports it: applied, exported and applied again with nothing to do', async () => {
    const there = await stored()
    const text = JSON.stringify(await exported('themes'))
    expect(await plan(`themes: ${text}`, there)).toMatchObject({ changes: [], notApplied: [] })
    const { themes } = readTenantFile('tenant.yaml', await FIXTURE, {}) as { themes: Json[] }
    expect(await exported('themes')).toEqual(themes)
  })

  it('changes single members of a theme; an empty address unsets one', async () => {
    const there = await stored()
    const changed = await plan('themes: [{ fonts: { font_url: https://cdn.example/f.woff2 } }]', there)
    expect(details(changed)).toEqual(['themes default: fonts.font_url: "" → "https://cdn.example/f.woff2"'])
    const [row] = writtenRows(changed, 'documents')
    const after = { documents: row ? [row] : [] }
    expect(details(await plan('themes: [{ fonts: { font_url: "" } }]', after))).toEqual([
      'themes default: fonts.font_url: "https://cdn.example/f.woff2" → ""',
    ])
  })

  it('exports a theme complete that was stored before its members had bounds', () => {
    const documents = [{ kind: 'theme', id: 'default', body: { colors: { error: 'red' }, themeId: 'x' } }] as const
    const section = SECTIONS.find(({ name }) => name === 'themes')
    expect(section?.export({ ...NOTHING, documents: [...documents] }, [], vault)).toEqual([readTheme({})])
  })

  it('has at most twenty log streams', async () => {
    const { logStreams } = await stored()
    const many = Array.from({ length: 20 }, (_, index) => ({ ...logStreams[0], name: `s${index}` }) as never)
    const entry = (name: string) =>
      `logStreams: [{ name: ${name}, type: http, sink: { httpEndpoint: https://a.example } }]`
    expect(await problems(entry('one'), { logStreams: many.slice(1) })).toEqual([])
    expect((await problems(entry('one'), { logStreams: many }))[0]).toContain('a tenant has at most 20 log streams')
  })

  it('takes the body of a mail template from a file beside it', async () => {
    const document = readTenantFile(
      'tenant.yaml',
      'emailTemplates: [{ template: welcome_email, body: ./welcome.html }]',
      {},
    )
    const files: Record<string, string> = { './welcome.html': '<p>##SHOP##</p>' }
    const read = await withCodeFiles(document, {
      variables: { SHOP: 'Shop' },
      readSibling: async (path) => files[path] ?? null,
    })
    expect(read.emailTemplates).toEqual([{ template: 'welcome_email', body: '<p>Shop</p>' }])
  })

  it('merges texts, and gives a grant of a client for one API or for all', async () => {
    const there = await stored()
    const text = 'prompts: { customText: { en: { login: { login: { description: Hello, title: "" } } } } }'
    expect((await plan(text, there)).changes).toMatchObject([
      { writes: [{ row: { body: { login: { title: 'Welcome to the shop', description: 'Hello' } } } }] },
    ])
    const grant = { id: 'cgr_other', clientId: 'jobs', audience: 'https://other.example', scopes: [], kept: {} }
    const use = { subjectType: 'client', organizationUsage: 'deny', allowAnyOrganization: false } as const
    const grants = [...there.clientGrants, { ...grant, ...use }]
    const given = async (grant: string) =>
      plan(`organizations: [{ name: acme, client_grants: [{ client_id: Jobs${grant} }] }]`, {
        ...there,
        clientGrants: grants,
      })
    expect(details(await given(', audience: https://stock.example'))).toEqual([])
    expect(details(await given(', audience: https://other.example'))).toEqual([
      'organizations acme: client_grants: [{"client_id":"Jobs","audience":"https://stock.example"}] → [{"client_id":"Jobs","audience":"https://other.example"}]',
    ])
    expect((await given('')).after.organizations).toMatchObject([
      { clientGrants: [{ audience: 'https://other.example' }, { audience: 'https://stock.example' }] },
    ])
  })
})
