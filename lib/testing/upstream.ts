// A test server with upstream providers, and the steps of a login through one of them.
import { generateKeyPairSync } from 'node:crypto'
import type { Prisma } from '../../prisma/generated/client'
import { sealSecret } from '../data/connections/upstream/secrets'
import type { Browser, FormFields } from './browser'
import { authorizeQuery, beginLogin, locationOf } from './journey'
import { type ProviderDouble, type ProviderPerson, providerDouble } from './provider'
import { type TestResponse, type TestServer, testServer } from './server'

export const GITHUB_TOKEN = 'https://github.com/login/oauth/access_token'

/** What signs in place of a client secret, as PEM. */
export const APPLE_KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()

export const upstreamDouble = (): ProviderDouble =>
  providerDouble(
    ['https://idp.test', 'https://partner.test', 'https://accounts.google.com', 'https://appleid.apple.com'],
    {
      tokens: [GITHUB_TOKEN],
      apis: {
        'https://api.github.com/user': ({ emails: _, ...person }) => person,
        'https://api.github.com/user/emails': ({ emails }) => emails ?? [],
      },
    },
  )

export type UpstreamTestServer = TestServer & {
  double: ProviderDouble
  /** Adds the connection `con_<name>`, with a client secret. */
  addProvider(name: string, strategy: string, settings?: Prisma.InputJsonObject): Promise<void>
}

export async function upstreamTestServer(
  overrides: Parameters<typeof testServer>[0] = {},
): Promise<UpstreamTestServer> {
  const double = upstreamDouble()
  const server = await testServer({ callOut: double.callOut, ...overrides })
  return {
    ...server,
    double,
    addProvider(name, strategy, settings = {}) {
      const { options = {}, ...rest } = settings
      const sealed = {
        client_secret: sealSecret('client_secret', 'hush', server.vault, server.random),
        ...(strategy === 'apple'
          ? { app_secret: sealSecret('app_secret', APPLE_KEY, server.vault, server.random) }
          : {}),
      }
      const all = { ...rest, options: { client_id: 'us', ...(options as Prisma.InputJsonObject) }, sealed }
      return server.addConnection(name, all, `con_${name}`, strategy)
    },
  }
}

/** Presses the provider's button; returns the address that the browser is sent to. */
export async function press(browser: Browser, state: string, connection: string): Promise<URL> {
  return locationOf(await browser.post('/u/submit', { form: { state, action: 'federated', connection } }))
}

/** Returns from the provider, signed in as `person`. */
export const comeBack = (
  browser: Browser,
  double: ProviderDouble,
  address: URL,
  person: ProviderPerson,
  more: FormFields = {},
) => browser.get('/login/callback', { query: { ...double.answer(address.href, person), ...more } })

/** A complete login with a provider's button. */
export async function signInBy(
  browser: Browser,
  { double }: UpstreamTestServer,
  connection: string,
  person: ProviderPerson,
  extra: FormFields = {},
): Promise<TestResponse> {
  const address = await press(browser, await beginLogin(browser, extra), connection)
  return comeBack(browser, double, address, person)
}

/** The same where the application names the provider; returns the address that /authorize redirects to. */
export const directTo = async (browser: Browser, connection: string, extra: FormFields = {}): Promise<URL> =>
  locationOf(await browser.get('/authorize', { query: authorizeQuery({ connection, ...extra }) }))
