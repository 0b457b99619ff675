// The account portal: signed in to by the tenant's own login; a second factor added, asked for, lost and removed; another browser
// signed out; the deletion of the account withdrawn by the link of the mail about it. A picture uploaded. An invitation that waits.
import type { APIRequestContext, Page } from '@playwright/test'
import { expect, test } from '../fixtures'
import { SERVER } from '../origins'
import { PEOPLE } from '../people'
import { LoginPage } from '../screens/login-page'
import { MfaPage } from '../screens/mfa-page'
import { PortalPage } from '../screens/portal-page'
import { codeTo, messagesTo } from '../support/outbox'
import { expectReadable } from '../support/readable'

const { nell, piet, porter } = PEOPLE
const REPEAT = 'You have signed in again. Now repeat what you wanted to do.'

test.slow()

/** The tenant has several databases, so the address names that of the user. */
async function enter(page: Page, path: string, email: string = porter.email): Promise<void> {
  await page.goto(`${path}?connection=People`)
  await new LoginPage(page).signIn(email)
}

test('a second step is added, asked for, lost and removed, and the account is kept after all', async ({
  browser,
  context,
  page,
}) => {
  const portal = new PortalPage(page)
  const mfa = new MfaPage(page)
  await enter(page, '/account')
  await portal.expectShown('Profile')

  // The verified address is a factor in this tenant.
  await portal.open('Second steps')
  await portal.press('Add a second step')
  await portal.press('Send the code')
  await mfa.enter(await codeTo(porter.email))
  await portal.expectNotice(REPEAT)
  await portal.press('Add a second step')
  await mfa.choose('Authenticator app')
  const phone = await mfa.scan()
  await mfa.enter(phone.next())
  const recoveryCode = await mfa.keepRecoveryCode()
  await mfa.expectTitle('Your second step is set up')

  await context.clearCookies()
  await enter(page, '/account/passkeys')
  await mfa.expectTitle('Confirm that it’s you')
  await mfa.enter(phone.next())
  await portal.expectShown('Passkeys')

  await context.clearCookies()
  await enter(page, '/account/factors')
  await mfa.chooseOther('Recovery code')
  await mfa.enter(recoveryCode)
  await mfa.keepRecoveryCode()
  await portal.pressAt('Authenticator app', 'Remove')
  await expect(portal.items.filter({ hasText: 'Authenticator app' })).toHaveCount(0)

  const other = await browser.newContext()
  const elsewhere = await other.newPage()
  await enter(elsewhere, '/account')
  await new PortalPage(elsewhere).expectShown('Profile')
  await portal.open('Where you are signed in')
  await portal.pressAt('Another browser (2)', 'Sign out')
  await elsewhere.reload()
  await new LoginPage(elsewhere).expectShown()
  await other.close()

  await portal.open('Your data')
  await portal.press('Delete my account')
  await portal.press('Yes, delete my account')
  await expect(page.getByRole('button', { name: 'Keep my account' })).toBeVisible()
  const linkOfMail = async () =>
    (await messagesTo(porter.email)).find(({ subject }) => subject.includes('deleted'))?.link
  await expect.poll(linkOfMail).toBeTruthy()
  await page.goto((await linkOfMail()) ?? '')
  await portal.press('Keep my account')
  await expect(page.getByRole('button', { name: 'Delete my account' })).toBeVisible()
})

/** A photograph of that size. */
const photograph = (page: Page, width: number, height: number): Promise<Buffer> =>
  page
    .evaluate(
      ([w, h]) => {
        const canvas = document.createElement('canvas')
        canvas.width = w
        canvas.height = h
        const drawing = canvas.getContext('2d')
        if (drawing) drawing.fillStyle = '#b45309'
        drawing?.fillRect(0, 0, w, h)
        return canvas.toDataURL('image/jpeg')
      },
      [width, height] as const,
    )
    .then((url) => Buffer.from(url.split(',')[1] ?? '', 'base64'))

test('a picture is made small, shown and removed; without JavaScript it is refused if it is too large', async ({
  browser,
  page,
}) => {
  const portal = new PortalPage(page)
  await enter(page, '/account/profile', piet.email)
  await portal.expectShown('Profile')
  const large = { name: 'large.jpg', mimeType: 'image/jpeg', buffer: await photograph(page, 3000, 2400) }
  const small = { name: 'small.jpg', mimeType: 'image/jpeg', buffer: await photograph(page, 300, 200) }
  const face = page.locator('.portal-head img')

  await page.getByLabel('Picture').setInputFiles(large)
  const chosen = page.getByLabel('Picture')
  await expect.poll(() => chosen.evaluate((input: HTMLInputElement) => input.files?.[0]?.name)).toBe('picture.jpg')
  await portal.press('Save the picture')
  await expect(face).toHaveAttribute('src', /\/picture\/[\w-]{24}\.jpg$/)
  expect(await face.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight])).toEqual([
    512, 512,
  ])
  await portal.press('Remove the picture')
  await expect(face).toHaveAttribute('src', /\/avatar\//)

  const plain = await browser.newContext({ javaScriptEnabled: false })
  const bare = await plain.newPage()
  const barePortal = new PortalPage(bare)
  await enter(bare, '/account/profile', piet.email)
  await barePortal.expectShown('Profile')
  await bare.getByLabel('Picture').setInputFiles(large)
  await barePortal.press('Save the picture')
  await barePortal.expectNotice('This picture is too large.')
  await bare.getByLabel('Picture').setInputFiles(small)
  await barePortal.press('Save the picture')
  await expect(bare.locator('.portal-head img')).toHaveAttribute('src', /\/picture\//)
  await barePortal.press('Remove the picture')
  await plain.close()
})

const GUEST_BOOK = 'e2e-guests'

/** The Management API as the tenant's own back end calls it. */
async function clerkOf(request: APIRequestContext) {
  const form = {
    grant_type: 'client_credentials',
    client_id: 'e2e-guild-clerk',
    client_secret: 'e2e-clerk-secret-of-the-guild',
    audience: `${SERVER}/api/v2/`,
  }
  const { access_token } = await (await request.post(`${SERVER}/oauth/token`, { form })).json()
  return async (method: string, path: string, data?: object) => {
    const headers = { authorization: `Bearer ${access_token}` }
    const answer = await request.fetch(`${SERVER}/api/v2/${path}`, { method, headers, ...(data && { data }) })
    expect(answer.ok(), await answer.text()).toBe(true)
    return answer.json()
  }
}

test('an invitation that waits is shown to its person alone, until it is accepted', async ({ app, page, request }) => {
  const portal = new PortalPage(page)
  const clerk = await clerkOf(request)
  const [people] = await clerk('GET', 'connections?name=People')
  const { id } = await clerk('POST', 'organizations', {
    name: 'guest-house',
    display_name: 'Guest House',
    enabled_connections: [{ connection_id: people.id }],
  })
  await clerk('POST', `organizations/${id}/invitations`, {
    inviter: { name: 'The Clerk' },
    invitee: { email: nell.email },
    client_id: GUEST_BOOK,
  })
  const waiting = page.getByRole('heading', { name: 'Invitations to you' })

  await enter(page, '/account/organizations', piet.email)
  await portal.expectShown('Organizations')
  await expect(waiting).toHaveCount(0)

  await page.context().clearCookies()
  await enter(page, '/account/organizations', nell.email)
  await portal.expectShown('Organizations')
  await expect(waiting).toBeVisible()
  await expect(page.getByText('You belong to no organization.')).toBeVisible()
  const item = portal.items.filter({ hasText: 'Guest House' })
  await expect(item).toContainText('Invited by: The Clerk')
  await expect(item).toContainText('Valid until:')
  await expectReadable(page, 'portal-invitation')

  // It leads to the page of the application that begins a login.
  const link = new URL((await item.getByRole('link', { name: /^Accept/ }).getAttribute('href')) ?? '')
  expect(link.origin + link.pathname).toBe('https://guests.e2e.test/login')
  const { invitation = '', organization = '' } = Object.fromEntries(link.searchParams)
  expect(organization).toBe(id)
  await page.context().clearCookies()
  await app.startLogin('guests', { invitation, organization })
  await page.getByRole('link', { name: 'Sign in', exact: true }).click()
  await new LoginPage(page).signIn(nell.email)
  await app.expectWelcome(nell.name)

  await page.goto('/account/organizations')
  await portal.expectShown('Organizations')
  await expect(portal.items.filter({ hasText: 'Guest House' })).toBeVisible()
  await expect(waiting).toHaveCount(0)
})
