// An administrator of an organization in the account portal: who it is, what it changes, and what is refused (threat-model.md OR11).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { managementAudience } from '../../../data/apis/built-in'
import { digest } from '../../../kernel/secret'
import { BASE_URL } from '../../../testing/database'
import { locationOf, SPA } from '../../../testing/journey'
import { mailsTo } from '../../../testing/mail'
import { addManager } from '../../../testing/management'
import { organizationsOf } from '../../../testing/organizations'
import { enterPortal, submitInPortal } from '../../../testing/portal'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let organizations: ReturnType<typeof organizationsOf>
let browser: Browser
let ada: string
let ben: string
let acme: string
let other: string
let count = 100

beforeAll(async () => {
  server = await testServer()
  organizations = organizationsOf(server)
  const app = { organization_usage: 'allow', initiate_login_uri: 'https://app.test/login' }
  await server.addClient({ ...SPA, settings: { ...SPA.settings, ...app } })
  await server.addClient({ clientId: 'closed', settings: { initiate_login_uri: 'https://app.test/login' } })
  const manager = await addManager(server)
  for (const [id, administers_organization] of [
    ['Owners', true],
    ['Readers', false],
    ['Editors', false],
  ] as const) {
    await server.addRole(id, {})
    const answer = await manager.patch(`/roles/${id}`, { administers_organization })
    expect(answer.json().administers_organization).toBe(administers_organization || undefined)
  }
  for (const id of ['Owners', 'Editors']) {
    const answer = await manager.patch(`/roles/${id}`, { assignable_by_organization: true })
    expect(answer.json().assignable_by_organization).toBe(true)
  }
  expect((await manager.get('/roles/Readers')).json()).not.toHaveProperty('assignable_by_organization')
})
afterAll(() => server.close())
beforeEach(async () => {
  count += 1
  ada = await server.addUser({ email: `ada${count}@mail.test`, data: { name: 'Ada', emailVerified: true } })
  ben = await server.addUser({ email: `ben${count}@mail.test`, data: { name: 'Ben', emailVerified: true } })
  const settings = { display_name: `Acme ${count}`, branding: { logo_url: 'https://cdn.test/acme.png' } }
  acme = await organizations.add(`acme${count}`, { settings, members: [ada, ben], roles: { [ada]: ['Owners'] } })
  other = await organizations.add(`other${count}`, { members: [ada, ben], roles: { [ada]: ['Readers'] } })
  browser = await enter(`ada${count}@mail.test`)
})

/** Signs in to the portal. */
async function enter(email: string): Promise<Browser> {
  const own = server.browser({ ip: `203.0.113.${count}` })
  await enterPortal(own, email)
  return own
}

const pageOf = (organization: string, own = browser) => own.get('/account/organizations', { query: { organization } })

const press = (action: string, fields: Record<string, string>, own = browser): Promise<TestResponse> =>
  submitInPortal(own, 'organizations', { action, organization: acme, ...fields })

const noticeOf = (answer: TestResponse): string | null => locationOf(answer).searchParams.get('notice')
const invitationsOf = async (organization: string) =>
  (
    await server.database.pool.query(
      'SELECT id, email, client_id, inviter_name, roles FROM organization_invitation WHERE organization_id = $1',
      [organization],
    )
  ).rows

const rolesOf = async (organization: string, member: string): Promise<string[]> => {
  const held = await server.database.pool.query(
    'SELECT role_id FROM organization_member_role WHERE organization_id = $1 AND user_id = $2 ORDER BY role_id',
    [organization, member],
  )
  return held.rows.map((row) => row.role_id)
}

const asAdministrator = async (id: string) =>
  (await server.runtime()).administrators.put(id, 'auditor', server.clock.now())
const asManager = (id: string) =>
  server.database.pool.query(
    `INSERT INTO user_permission (tenant_id, user_id, audience, permission) VALUES ('default', $1, $2, 'read:users')`,
    [id, managementAudience(BASE_URL)],
  )

it('the menu has organizations for members, with or without rights, and the page says when the user belongs to no organization', async () => {
  const alone = `alone${count}@mail.test`
  const id = await server.addUser({ email: alone })
  const own = await enter(alone)
  const inMenu = async (of: Browser) =>
    (await of.get('/account/profile')).text.includes('href="/account/organizations"')
  expect(await inMenu(own)).toBe(false)
  expect((await own.get('/account/organizations')).text).toContain('You belong to no organization.')
  await organizations.add(`joined${count}`, { members: [id] })
  expect([await inMenu(own), await inMenu(await enter(`ben${count}@mail.test`))]).toEqual([true, true])
})

describe('an invitation that waits', () => {
  const guest = () => `guest${count}@mail.test`
  const seen = async (own: Browser) => (await own.get('/account/organizations')).text
  const invited = async () => {
    await press('invite', { email: guest(), client: 'spa' })
    const [mail] = await mailsTo(server, guest())
    return mail?.link?.replaceAll('&', '&amp;') ?? 'no link'
  }

  it('is shown to the person with the proven address, with the link of its mail, until it is withdrawn', async () => {
    const link = await invited()
    await server.addUser({ email: guest(), data: { emailVerified: true } })
    const own = await enter(guest())
    expect((await own.get('/account/profile')).text).toContain('href="/account/organizations"')
    const page = await seen(own)
    expect(page).toContain('Invitations to you')
    expect(page).toContain(`Acme ${count}`)
    expect(page).toContain(`href="${link}"`)
    expect(await seen(browser)).not.toContain(`href="${link}"`)
    const [{ id }] = await invitationsOf(acme)
    await press('withdraw', { invitation: id })
    expect(await seen(own)).not.toContain('Invitations to you')
    expect((await own.get('/account/profile')).text).not.toContain('href="/account/organizations"')
  })

  it('is not shown for an address that is not proven', async () => {
    await invited()
    await server.addUser({ email: guest(), data: { emailVerified: false } })
    const own = await enter(guest())
    expect(await seen(own)).not.toContain('Invitations to you')
    expect((await own.get('/account/profile')).text).not.toContain('href="/account/organizations"')
  })

  it('is not shown once it has expired, nor after its maker has lost the right to make it', async () => {
    await invited()
    await server.addUser({ email: guest(), data: { emailVerified: true } })
    const own = await enter(guest())
    const set = (expiry: string) =>
      server.database.pool.query(
        `UPDATE organization_invitation SET expires_at = now() + $2::interval WHERE organization_id = $1`,
        [acme, expiry],
      )
    await set('-1 second')
    expect(await seen(own)).not.toContain('Invitations to you')
    await set('10 years')
    expect(await seen(own)).toContain('Invitations to you')
    await server.database.pool.query('DELETE FROM organization_member_role WHERE organization_id = $1', [acme])
    expect(await seen(own)).not.toContain('Invitations to you')
  })
})

describe('an administrator', () => {
  it('sees members and invitations of the organization that it administers, and of no other', async () => {
    await organizations.invite(acme, 'open@mail.test')
    const list = await browser.get('/account/organizations')
    expect(list.text).toContain(`href="/account/organizations?organization=${acme}"`)
    expect(list.text).not.toContain(`organization=${other}`)
    const page = (await pageOf(acme)).text
    for (const text of [`ben${count}@mail.test`, 'open@mail.test', `Members of Acme ${count}`, 'App spa'])
      expect(page).toContain(text)
    expect(page).not.toContain('App closed')
    for (const foreign of [other, 'org_none', `${acme}'--`])
      expect((await pageOf(foreign)).text).not.toContain(`ben${count}@mail.test`)
  })

  it('of one organization need not choose it, of two it must', async () => {
    expect((await browser.get('/account/organizations')).text).toContain(`ben${count}@mail.test`)
    await organizations.add(`third${count}`, { members: [ada], roles: { [ada]: ['Owners'] } })
    expect((await browser.get('/account/organizations')).text).not.toContain(`ben${count}@mail.test`)
  })

  it('invites a person, who gets a mail and no role', async () => {
    const answer = await press('invite', { email: 'new@mail.test', client: 'spa' })
    expect(locationOf(answer).searchParams.get('organization')).toBe(acme)
    expect(noticeOf(answer)).toBe('portal_invited')
    expect(await invitationsOf(acme)).toEqual([
      {
        id: expect.stringMatching(/^uinv_/),
        email: 'new@mail.test',
        client_id: 'spa',
        inviter_name: 'Ada',
        roles: [],
      },
    ])
    const [mail] = await mailsTo(server, 'new@mail.test')
    expect(mail?.link).toContain(`organization=${acme}`)
    expect(mail?.html).toContain('src="https://cdn.test/acme.png"')
    const done = (await server.audited()).findLast((record) => JSON.stringify(record).includes('invitation sent'))
    expect(done).toMatchObject({ user_id: ada, organization_id: acme })
    expect(JSON.stringify(done)).not.toContain(new URL(mail?.link ?? 'https://x').searchParams.get('invitation'))
  })

  it('gives and takes the roles that the tenant marked, in its own organization alone', async () => {
    const page = (await pageOf(acme)).text
    expect(page).toContain('value="Editors"')
    expect(page).not.toContain('value="Readers"')
    expect(noticeOf(await press('give', { member: ben, role: 'Editors' }))).toBe('portal_saved')
    expect(noticeOf(await press('give', { member: ben, role: 'Owners' }))).toBe('portal_saved')
    expect(await rolesOf(acme, ben)).toEqual(['Editors', 'Owners'])
    expect(await rolesOf(other, ben)).toEqual([])
    expect(noticeOf(await press('take', { member: ben, role: 'Owners' }))).toBe('portal_saved')
    expect(await rolesOf(acme, ben)).toEqual(['Editors'])
    const changes = (await server.audited()).map((record) => JSON.stringify(record))
    for (const done of ['role Owners given', 'role Owners taken'])
      expect(changes.findLast((each) => each.includes(done))).toContain(ben)
  })

  it('withdraws an invitation and removes a member', async () => {
    await organizations.invite(acme, 'open@mail.test')
    const [invitation] = await invitationsOf(acme)
    expect(noticeOf(await press('withdraw', { invitation: invitation?.id }))).toBe('portal_removed')
    expect(await invitationsOf(acme)).toEqual([])
    expect(noticeOf(await press('remove', { member: ben }))).toBe('portal_removed')
    expect(await organizations.members(acme)).toEqual([ada])
    expect(await organizations.members(other)).toHaveLength(2)
  })
})

describe('what an administrator of an organization may not do', () => {
  it.each<[string, () => Promise<TestResponse>]>([
    ['an invitation to another organization', () => press('invite', { ...INVITED, organization: other })],
    ['one to no organization', () => press('invite', { ...INVITED, organization: '' })],
    ['one to an application that takes no organization', () => press('invite', { ...INVITED, client: 'closed' })],
    ['one to no application', () => press('invite', { ...INVITED, client: 'none' })],
    ['the removal of oneself', () => press('remove', { member: ada })],
    ['the removal of a stranger', () => press('remove', { member: 'auth0|none' })],
    ['the removal of a member of another organization', () => press('remove', { member: ben, organization: other })],
    ['a role without the mark', () => press('give', { member: ben, role: 'Readers' })],
    ['no role', () => press('give', { member: ben, role: 'none' })],
    ['a role to a stranger', () => press('give', { member: 'auth0|none', role: 'Editors' })],
    ['a role in another organization', () => press('give', { member: ben, role: 'Editors', organization: other })],
    ['the loss of a role that the member has not', () => press('take', { member: ben, role: 'Editors' })],
    ['the loss of a role without the mark', () => press('take', { member: ada, role: 'Readers', organization: other })],
    ['the loss of its own mark', () => press('take', { member: ada, role: 'Owners' })],
    ['the withdrawal of no invitation', () => press('withdraw', { invitation: 'uinv_none' })],
  ])('a member is refused %s', async (_case, attempt) => {
    expect(noticeOf(await attempt())).toBe('portal_gone')
    for (const organization of [acme, other]) {
      expect(await invitationsOf(organization)).toEqual([])
      expect(await organizations.members(organization)).toHaveLength(2)
      expect(await rolesOf(organization, ben)).toEqual([])
    }
    expect(await rolesOf(acme, ada)).toEqual(['Owners'])
    expect(await rolesOf(other, ada)).toEqual(['Readers'])
  })

  it.each([
    ['an administrator of the tenant', () => asAdministrator(ben)],
    ['a member who holds scopes of the Management API', () => asManager(ben)],
  ])('an administrator of the organization cannot change %s', async (_who, raise) => {
    await raise()
    expect(noticeOf(await press('remove', { member: ben }))).toBe('portal_above')
    expect(noticeOf(await press('give', { member: ben, role: 'Editors' }))).toBe('portal_above')
    expect(await organizations.members(acme)).toHaveLength(2)
    expect(await rolesOf(acme, ben)).toEqual([])
  })

  it('a marked role that contains scopes of the Management API is refused, and the page does not offer it', async () => {
    const audience = managementAudience(BASE_URL)
    const { pool } = server.database
    await pool.query(
      `INSERT INTO role_permission (tenant_id, role_id, audience, permission) VALUES ('default', 'Editors', $1, 'update:users')`,
      [audience],
    )
    try {
      expect((await pageOf(acme)).text).not.toContain('value="Editors"')
      expect(noticeOf(await press('give', { member: ben, role: 'Editors' }))).toBe('portal_above')
      expect(await rolesOf(acme, ben)).toEqual([])
    } finally {
      await pool.query('DELETE FROM role_permission WHERE audience = $1', [audience])
    }
  })

  it('an invitation is refused once its maker no longer administers the organization', async () => {
    expect(noticeOf(await press('invite', { email: 'later@mail.test', client: 'spa' }))).toBe('portal_invited')
    const [mail] = await mailsTo(server, 'later@mail.test')
    const ticket = digest(new URL(mail?.link ?? 'https://x').searchParams.get('invitation') ?? '')
    const { organizations: port, clock } = await server.runtime()
    expect(await port.invitation(ticket, clock.now())).not.toBeNull()
    await server.database.pool.query('DELETE FROM organization_member_role WHERE user_id = $1', [ada])
    expect(await port.invitation(ticket, clock.now())).toBeNull()
    await server.database.pool.query('DELETE FROM organization_invitation')
  })

  it('the withdrawal of another organization’s invitation is refused', async () => {
    await organizations.invite(other, 'open@mail.test')
    const [invitation] = await invitationsOf(other)
    expect(noticeOf(await press('withdraw', { invitation: invitation?.id }))).toBe('portal_gone')
    expect(await invitationsOf(other)).toHaveLength(1)
  })

  it.each(['', 'x', 'a@b.test, c@d.test', 'a@b.test\r\nBcc: c@d.test', `${'a'.repeat(320)}@mail.test`])(
    'the address %j is refused',
    async (email) => {
      expect(noticeOf(await press('invite', { email, client: 'spa' }))).toBe('invalid_email')
      expect(await invitationsOf(acme)).toEqual([])
    },
  )

  it('a member who is not an administrator, or no longer one, is refused', async () => {
    const own = await enter(`ben${count}@mail.test`)
    expect((await pageOf(acme, own)).text).not.toContain('ada')
    expect(noticeOf(await press('invite', INVITED, own))).toBe('portal_gone')
    expect(noticeOf(await press('remove', { member: ada }, own))).toBe('portal_gone')
    expect(noticeOf(await press('give', { member: ben, role: 'Owners' }, own))).toBe('portal_gone')
    expect(noticeOf(await press('take', { member: ada, role: 'Owners' }, own))).toBe('portal_gone')
    await server.database.pool.query('DELETE FROM organization_member_role WHERE user_id = $1', [ada])
    expect(noticeOf(await press('invite', INVITED))).toBe('portal_gone')
    expect((await pageOf(acme)).text).not.toContain(`ben${count}@mail.test`)
    expect(await invitationsOf(acme)).toEqual([])
  })

  it('a change without a recent sign-in, or without the confirmation of the page, is refused', async () => {
    const form = { action: 'remove', organization: acme, member: ben }
    const unconfirmed = await browser.post('/account/organizations', { form })
    expect(noticeOf(unconfirmed)).toBe('session_changed')
    server.clock.advance(3600)
    for (const [action, fields] of [
      ['remove', { member: ben }],
      ['invite', INVITED],
      ['withdraw', { invitation: 'uinv_none' }],
      ['give', { member: ben, role: 'Editors' }],
      ['take', { member: ada, role: 'Owners' }],
    ] as const)
      expect(locationOf(await press(action, fields)).pathname).toMatch(/^\/u\//)
    expect(await organizations.members(acme)).toHaveLength(2)
    expect(await rolesOf(acme, ben)).toEqual([])
    expect(await invitationsOf(acme)).toEqual([])
  })

  it('more than 100 open invitations are refused, also at once; an expired invitation does not count', async () => {
    for (let n = 0; n < 98; n++) await organizations.invite(acme, `open${n}@mail.test`)
    const pressed = () =>
      Promise.all(Array.from({ length: 6 }, (_, n) => press('invite', { email: `q${n}@mail.test`, client: 'spa' })))
    const sent = (answers: TestResponse[]) => answers.filter((answer) => noticeOf(answer) === 'portal_invited').length
    expect(sent(await pressed())).toBe(2)
    expect(await invitationsOf(acme)).toHaveLength(100)
    server.clock.advance(120)
    expect(sent(await pressed())).toBe(6)
  })

  it('more invitations than an organization may send in an hour are refused, also at once', async () => {
    for (let n = 0; n < 45; n++) await press('invite', { email: `p${n}@mail.test`, client: 'spa' })
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => press('invite', { email: `q${n}@mail.test`, client: 'spa' })),
    )
    expect(answers.filter((answer) => noticeOf(answer) === 'portal_invited')).toHaveLength(5)
    expect(answers.filter((answer) => noticeOf(answer) === 'too_many_messages')).toHaveLength(5)
    expect(await invitationsOf(acme)).toHaveLength(50)
  })
})

const INVITED = { email: 'new@mail.test', client: 'spa' }
