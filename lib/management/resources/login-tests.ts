// Tests of logins: a real login of an application, a connection or an organization, whose answer this server receives itself (docs/adr/0072). Ours.
import * as z from 'zod'
import type { ClientPort } from '../../data/clients/client'
import { CONSOLE_CLIENT } from '../../data/clients/console'
import { TEST_CLIENT } from '../../data/clients/login-test'
import { PORTAL_CLIENT } from '../../data/clients/portal'
import { samlOf } from '../../data/clients/saml'
import { wsfedOf } from '../../data/clients/wsfed'
import {
  makerMark,
  makeTest,
  OWN_PARAMETERS,
  TESTED_PROTOCOLS,
  type TestedProtocol,
  type TestWish,
  testInCookie,
} from '../../data/login-tests/login-test'
import type { TicketPort } from '../../data/tickets/ticket'
import type { Clock } from '../../kernel/clock'
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import { inexistent, invalidBody, lacksScope } from '../operations/errors'
import { operationsWith } from '../operations/operation'
import { detailedLogin, type LoginRecordDeps, loginDetails } from './logins'

export type LoginTestDeps = LoginRecordDeps & {
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
const MAX_PROOF = 400
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

const newTest = z.strictObject({ ...testBody, protocol: z.enum(TESTED_PROTOCOLS).optional() })
export type TestBody = z.output<typeof newTest>

/** Of a test of an add-on, whose request has others than an authorization request. */
const ADDON_PARAMETERS: Readonly<Record<TestedProtocol, ReadonlySet<string>>> = {
  samlp: new Set(['login_hint', 'ui_locales', 'RelayState']),
  wsfed: new Set(['wfresh', 'wauth', 'wctx']),
}

const SCOPE = 'openid profile email'

/** Without an application, the built-in one tests the connection or the organization. */
export async function testWishOf(
  { client_id, connection, organization, parameters = {}, protocol }: TestBody,
  { clients }: Pick<LoginTestDeps, 'clients'>,
): Promise<TestWish> {
  if (protocol !== undefined)
    return answerWishOf({ client_id, connection, organization, parameters, protocol }, clients)
  checkParameters(parameters)
  const requested = {
    scope: SCOPE,
    ...parameters,
    ...(connection === undefined ? {} : { connection }),
    ...(organization === undefined ? {} : { organization }),
  }
  if (client_id !== undefined) {
    if (isBuiltIn(client_id) || !(await clients.find(client_id))) throw inexistent('client')
    return { clientId: client_id, parameters: requested }
  }
  if (connection === undefined && organization === undefined)
    throw invalidBody('One of client_id, connection and organization is required')
  return { clientId: TEST_CLIENT, opens: connection ?? '*', parameters: requested }
}

/** A test of an add-on is of an application that has it. */
async function answerWishOf(
  { client_id, connection, organization, parameters = {}, protocol }: TestBody & { protocol: TestedProtocol },
  clients: LoginTestDeps['clients'],
): Promise<TestWish> {
  const client = client_id === undefined ? null : await clients.find(client_id)
  if (!client || isBuiltIn(client.clientId)) throw inexistent('client')
  if ((protocol === 'samlp' ? samlOf(client) : wsfedOf(client)) === null)
    throw invalidBody({ path: 'protocol', message: 'The application does not have this add-on' })
  const own = Object.keys(parameters).find((each) => !ADDON_PARAMETERS[protocol].has(each))
  if (own !== undefined) throw invalidBody({ path: 'parameters', message: `${own} is no parameter of this test` })
  checkParameters(parameters)
  const connected = protocol === 'samlp' ? { connection } : { whr: connection }
  const requested = Object.entries({ ...parameters, ...connected, organization })
  const given = requested.filter((entry): entry is [string, string] => entry[1] !== undefined)
  return { clientId: client.clientId, protocol, parameters: Object.fromEntries(given) }
}

const isBuiltIn = (clientId: string): boolean => [CONSOLE_CLIENT, PORTAL_CLIENT, TEST_CLIENT].includes(clientId)

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
    secrets: { url: { scopes: ['create:login_tests'], otherwise: 'masked' } },
    target: 'tenant',
    example: { client_id: '<client>', parameters: { prompt: 'login' } },
    body: newTest,
    status: 201,
    answer: z.object({ login_id: z.string(), url: z.string(), expires_at: z.iso.datetime() }),
    async handle({ body, actor, deps }) {
      // It opens a connection that no application has.
      if (body.client_id === undefined && !actor.scopes.has('read:logins')) throw lacksScope(['read:logins'])
      const { login, url, until } = makeTest(await testWishOf(body, deps), deps, makerMark(actor))
      return {
        body: { login_id: login, url, expires_at: until },
        after: { login_id: login, ...named(body) },
        id: login,
      }
    },
  }),
  /** For who may not read all logins: those of tests that they made and began, by the cookie of that browser (docs/adr/0072). */
  read: operation({
    name: 'login_tests.read',
    method: 'POST',
    path: '/login-tests/:id/steps',
    summary: 'Read the steps of a test of a login that the caller made, in the browser that began it',
    scopes: ['create:login_tests'],
    target: 'tenant',
    audited: false,
    body: z.strictObject({ proof: z.string().max(MAX_PROOF) }),
    status: 200,
    answer: detailedLogin,
    async handle({ params, body, actor, deps }) {
      const started = testInCookie(body.proof, deps)
      if (started?.login !== params.id || started.maker !== makerMark(actor)) throw inexistent('login')
      return { body: await loginDetails(params.id, deps) }
    },
  }),
}

const named = ({ client_id, connection, organization, protocol }: TestBody): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ client_id, connection, organization, protocol }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  )
