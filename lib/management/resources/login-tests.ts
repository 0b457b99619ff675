// Tests of logins: a real login of an application, a connection or an organization, whose answer this server receives itself (docs/adr/0072). Ours.
import * as z from 'zod'
import type { ClientPort } from '../../data/clients/client'
import { CONSOLE_CLIENT } from '../../data/clients/console'
import { TEST_CLIENT } from '../../data/clients/login-test'
import { PORTAL_CLIENT } from '../../data/clients/portal'
import { makeTest, OWN_PARAMETERS, type TestWish } from '../../data/login-tests/login-test'
import type { TicketPort } from '../../data/tickets/ticket'
import type { Clock } from '../../kernel/clock'
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import { inexistent, invalidBody } from '../operations/errors'
import { operationsWith } from '../operations/operation'

export type LoginTestDeps = {
  tenantId: string
  baseUrl: string
  vault: Vault
  random: Random
  clock: Clock
  tickets: TicketPort
  clients: Pick<ClientPort, 'find'>
}

const operation = operationsWith<LoginTestDeps>()

const MAX_PARAMETERS = 30
const MAX_TEXT = 2000
/** Of all together: they are in the address of the test. */
const MAX_TEXTS = 4000

const name = z.string().min(1).max(200)

/** What a test is of, and the parameters of its request. */
export const testBody = {
  client_id: name.optional(),
  connection: name.optional(),
  organization: name.optional(),
  parameters: z.record(z.string().min(1).max(100), z.string().max(MAX_TEXT)).optional(),
}

const newTest = z.strictObject(testBody)
export type TestBody = z.output<typeof newTest>

const SCOPE = 'openid profile email'

/** Without an application, the built-in one tests the connection or the organization. */
export async function testWishOf(
  { client_id, connection, organization, parameters = {} }: TestBody,
  { clients }: Pick<LoginTestDeps, 'clients'>,
): Promise<TestWish> {
  checkParameters(parameters)
  const requested = {
    scope: SCOPE,
    ...parameters,
    ...(connection === undefined ? {} : { connection }),
    ...(organization === undefined ? {} : { organization }),
  }
  if (client_id !== undefined) {
    const isBuiltIn = [CONSOLE_CLIENT, PORTAL_CLIENT, TEST_CLIENT].includes(client_id)
    if (isBuiltIn || !(await clients.find(client_id))) throw inexistent('client')
    return { clientId: client_id, parameters: requested }
  }
  if (connection === undefined && organization === undefined)
    throw invalidBody('One of client_id, connection and organization is required')
  return { clientId: TEST_CLIENT, opens: connection ?? '*', parameters: requested }
}

function checkParameters(parameters: Readonly<Record<string, string>>): void {
  const names = Object.keys(parameters)
  const own = names.find((each) => OWN_PARAMETERS.has(each) || each === 'connection' || each === 'organization')
  if (own !== undefined) throw invalidBody({ path: 'parameters', message: `${own} belongs to the test itself` })
  const size = Object.entries(parameters).reduce((sum, [each, value]) => sum + each.length + value.length, 0)
  if (names.length > MAX_PARAMETERS || size > MAX_TEXTS)
    throw invalidBody({ path: 'parameters', message: 'are too many or too long' })
}

export const loginTests = {
  create: operation({
    name: 'login_tests.create',
    method: 'POST',
    path: '/login-tests',
    summary: 'Make a test of a login',
    scopes: ['create:login_tests'],
    needs: ['read:logins'],
    secrets: { url: { scopes: ['create:login_tests'], otherwise: 'masked' } },
    target: 'tenant',
    example: { client_id: '<client>', parameters: { prompt: 'login' } },
    body: newTest,
    status: 201,
    answer: z.object({ login_id: z.string(), url: z.string(), expires_at: z.iso.datetime() }),
    async handle({ body, deps }) {
      const { login, url, until } = makeTest(await testWishOf(body, deps), deps)
      return {
        body: { login_id: login, url, expires_at: until },
        after: { login_id: login, ...named(body) },
        id: login,
      }
    },
  }),
}

const named = ({ client_id, connection, organization }: TestBody): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ client_id, connection, organization }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  )
