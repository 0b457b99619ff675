// Organizations with the unmodified npm package `@auth0/auth0-spa-js` in a browser: a login to one, and an invitation from its mail to
// the token.
import type { Page } from '@playwright/test'
import { PEOPLE } from '../people'
import { LoginPage } from '../screens/login-page'
import { NEW_PASSWORD, SignUpPage } from '../screens/sign-up-page'
import { expect, type SdkWorld, test } from '../sdk-fixtures'

test.describe.configure({ mode: 'default' })

const { kay, fay } = PEOPLE
const CLIENT = 'e2e-kite-guild'
const NAME = 'kite-makers'

type Sdk = {
  loginWithRedirect(options: object): Promise<void>
  handleRedirectCallback(): Promise<unknown>
  getIdTokenClaims(): Promise<Record<string, unknown> | undefined>
}
type WithSdk = { guildSdk: Sdk; auth0: { Auth0Client: new (options: object) => Sdk } }

/** The Management API as the tenant's own back end calls it. */
async function clerkOf(page: Page, { domain }: SdkWorld) {
  const origin = `https://${domain}`
  const answer = await page.request.post(`${origin}/oauth/token`, {
    form: {
      grant_type: 'client_credentials',
      client_id: 'e2e-guild-clerk',
      client_secret: 'e2e-clerk-secret-of-the-guild',
      audience: `${origin}/api/v2/`,
    },
  })
  const headers = { authorization: `Bearer ${(await answer.json()).access_token}` }
  return async (method: string, path: string, data?: object) => {
    const response = await page.request.fetch(`${origin}/api/v2/${path}`, { method, headers, ...(data && { data }) })
    const text = await response.text()
    expect(response.ok(), text).toBe(true)
    return text === '' ? {} : JSON.parse(text)
  }
}

/** An organization with one member, and the page of the app that its invitations lead to. */
async function makeOrganization(page: Page, world: SdkWorld, name: string): Promise<string> {
  const clerk = await clerkOf(page, world)
  const [people] = await clerk('GET', 'connections?name=People')
  const [member] = await clerk('GET', `users-by-email?email=${encodeURIComponent(kay.email)}`)
  await clerk('PATCH', `clients/${CLIENT}`, { initiate_login_uri: `${world.foreign}/spa/login` })
  const { id } = await clerk('POST', 'organizations', { name, enabled_connections: [{ connection_id: people.id }] })
  await clerk('POST', `organizations/${id}/members`, { members: [member.user_id] })
  return id
}

async function invite(page: Page, world: SdkWorld, organization: string, email: string): Promise<string> {
  const clerk = await clerkOf(page, world)
  const body = { inviter: { name: 'Clerk' }, invitee: { email }, client_id: CLIENT }
  await clerk('POST', `organizations/${organization}/invitations`, body)
  const mails = `https://${world.domain}/dev/outbox.json?${new URLSearchParams({ to: email })}`
  const link = async () => (await (await page.request.get(mails)).json())[0]?.link ?? ''
  await expect.poll(link).toContain('invitation=')
  return link()
}

async function start(page: Page, { domain, foreign }: SdkWorld): Promise<void> {
  await page.evaluate(
    (all) => {
      const here = window as unknown as WithSdk
      here.guildSdk = new here.auth0.Auth0Client(all)
    },
    { domain, clientId: CLIENT, authorizationParams: { redirect_uri: `${foreign}/spa/callback` } },
  )
}

/** What the app's page does with what its address contains, or with the organization that the app knows. */
async function logIn(page: Page, world: SdkWorld, address: string, organization?: string): Promise<void> {
  await page.goto(address)
  await start(page, world)
  await page.evaluate((known) => {
    const { invitation, organization = known } = Object.fromEntries(new URLSearchParams(location.search))
    const authorizationParams = { organization, ...(invitation === undefined ? {} : { invitation }) }
    return (window as unknown as WithSdk).guildSdk.loginWithRedirect({ authorizationParams })
  }, organization)
}

/** The claims of the ID token, or the error. */
async function outcome(page: Page, world: SdkWorld): Promise<Record<string, unknown> | undefined> {
  await page.waitForURL(`${world.foreign}/spa/callback?**`)
  await start(page, world)
  return page.evaluate(async () => {
    const { guildSdk } = window as unknown as WithSdk
    try {
      await guildSdk.handleRedirectCallback()
      return guildSdk.getIdTokenClaims()
    } catch (thrown) {
      const { error, error_description } = thrown as Record<string, unknown>
      return { error, error_description }
    }
  })
}

test('a member signs in to the organization by its id and its name; another user does not', async ({ page, world }) => {
  const organization = await makeOrganization(page, world, NAME)
  await logIn(page, world, `${world.foreign}/spa`, organization)
  await new LoginPage(page).signIn(kay.email)
  const claims = { email: kay.email, org_id: organization, org_name: NAME }
  expect(await outcome(page, world)).toMatchObject(claims)
  await logIn(page, world, `${world.foreign}/spa`, NAME)
  expect(await outcome(page, world)).toMatchObject(claims)

  await page.context().clearCookies()
  await logIn(page, world, `${world.foreign}/spa`, organization)
  await new LoginPage(page).signIn(fay.email)
  expect(await outcome(page, world)).toEqual({
    error: 'access_denied',
    error_description: expect.stringContaining(`is not part of the ${organization} organization`),
  })
})

test('an invitation is refused to another account, accepted by sign-up, and then used up', async ({ page, world }) => {
  const organization = await makeOrganization(page, world, 'kite-flyers')
  const email = 'kite.invited@e2e.test'
  const link = await invite(page, world, organization, email)
  expect(link).toContain(`${world.foreign}/spa/login?`)

  await logIn(page, world, link)
  await page.getByRole('link', { name: 'Sign in', exact: true }).click()
  await new LoginPage(page).signIn(kay.email)
  expect(await outcome(page, world)).toEqual({
    error: 'access_denied',
    error_description: 'the specified account is not allowed to accept the current invitation',
  })

  const signUp = new SignUpPage(page)
  await logIn(page, world, link)
  await expect(signUp.email).toHaveValue(email)
  await expect(signUp.email).not.toBeEditable()
  await signUp.password.fill(NEW_PASSWORD)
  await signUp.submit.click()
  expect(await outcome(page, world)).toMatchObject({ email, email_verified: true, org_id: organization })

  await page.context().clearCookies()
  await logIn(page, world, link)
  expect(await outcome(page, world)).toMatchObject({ error: 'invalid_request' })
})
