// Passkeys of test servers.
import { accountForPasskey, beginPasskey, finishPasskey } from '../identity/passkeys/passkeys'
import type { AuthenticatorCall, softCredential } from './authenticator'
import type { Browser, TestResponse, TestServer } from './server'

/** The connection `Users` of a tenant offers passkeys. */
export async function offerPasskeys(
  { database, clock }: Pick<TestServer, 'database' | 'clock'>,
  passkey_options: Record<string, unknown> = {},
  { tenantId = 'default', ...more }: { tenantId?: string; [option: string]: unknown } = {},
): Promise<void> {
  const options = { authentication_methods: { passkey: { enabled: true } }, passkey_options, ...more }
  await database.pool.query(
    "UPDATE connection SET settings = jsonb_set(settings, '{options}', $1) WHERE name = 'Users' AND tenant_id = $2",
    [JSON.stringify(options), tenantId],
  )
  clock.advance(2)
}

/** The values that a page has for its script: of the ceremony that creates a credential, or uses one. */
export function ceremonyOn(page: string, does: 'create' | 'get') {
  const place = new RegExp(`data-passkey="${does}" data-challenge="([^"]+)" data-options="([^"]+)"`).exec(page)
  const session = /name="passkey_session" value="([^"]+)"/.exec(page)?.[1]
  if (!place?.[1] || !place[2] || !session) throw new Error(`the page has no ceremony to ${does}`)
  const options = JSON.parse(place[2].replaceAll('&quot;', '"')) as Record<string, unknown> & { user?: { id: string } }
  return { challenge: place[1], session, options }
}

export const HERE = { rpId: 'id.test', origin: 'https://id.test' }

/** Adds the credential to the person as a passkey. */
export async function addPasskey(
  server: TestServer,
  userId: string,
  credential: ReturnType<typeof softCredential>,
  change: Partial<AuthenticatorCall> = {},
): Promise<string> {
  const deps = await server.runtime()
  const user = await deps.users.find(userId)
  const account = user && (await accountForPasskey(user, deps))
  if (!user || !account) throw new Error('no account can have a passkey')
  const { session, options } = await beginPasskey(user, account, deps)
  const response = credential.create({ ...HERE, challenge: options.challenge, handle: options.user.id, ...change })
  const added = await finishPasskey(user, { session, response, userAgent: undefined }, deps)
  if (added.outcome !== 'added') throw new Error(`not added: ${added.reason}`)
  return added.passkey.id
}

/** The login page's form with the answer of an authenticator. */
export async function submitPasskey(
  browser: Browser,
  state: string,
  credential: ReturnType<typeof softCredential>,
  change: Partial<AuthenticatorCall> = {},
  fields: Record<string, string> = {},
): Promise<TestResponse> {
  const page = await browser.get('/u/login', { query: { state } })
  const { challenge, session } = ceremonyOn(page.text, 'get')
  const passkey_response = JSON.stringify(credential.use({ ...HERE, challenge, ...change }))
  const form = { state, action: 'passkey', passkey_session: session, passkey_response, ...fields }
  return browser.post('/u/submit', { form })
}
