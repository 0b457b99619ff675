// The form that begins a test of a login, in a window of its own: a native post, so that it works without scripts (docs/adr/0072).
import { TEST_CLIENT } from '../../../data/clients/login-test'
import type { TestedProtocol } from '../../../data/login-tests/login-test'
import { readCookies } from '../../../http/cookies'
import { DomainError } from '../../../kernel/errors'
import { objectIn } from '../../../kernel/json'
import type { Parameters } from '../../../kernel/parameters'
import { type AnswerOf, callOperation } from '../../../management/console-call'
import { placeOf } from '../../../management/operations/errors'
import { connections } from '../../../management/resources/connections'
import { loginTests } from '../../../management/resources/login-tests'
import { say } from '../../../text/console'
import { type Arrived, contextOf, enter } from './entry'
import { type Console, consoleOf } from './page'
import { resolveReference } from './references'
import { readArrived } from './session'
import type { RedirectWithCookies } from './sign-in'

const TEST_PATH = '/console/logins/test'
export const TEST_START = `${TEST_PATH}/start`

/** The logins that tests made: those of the application, or of the built-in one. */
export const resultsOf = (clientId: string | undefined): string =>
  `/console/logins?${new URLSearchParams({ client_id: clientId || TEST_CLIENT })}`

/** It is sealed, because the page shows what its address says. */
const PROBLEM = 'console-test-problem'

export async function readTestProblem(sealed: string | undefined): Promise<string | null> {
  if (!sealed) return null
  const { runtime } = await readArrived()
  return runtime.vault.openText(PROBLEM, sealed)
}

/** The steps of a test for who may read no other logins: the cookie of this browser proves that it began there. */
export async function readOwnTest(id: string, console: Console): Promise<AnswerOf<typeof loginTests.read>> {
  const { request, runtime } = await readArrived()
  return console.read(loginTests.read, { params: { id }, body: { proof: readCookies(request, runtime).test ?? '' } })
}

/** Leads to the login. What is refused is on the page of the form again, with what was entered. */
export async function startTest(fields: Parameters, arrived: Arrived): Promise<RedirectWithCookies> {
  const entry = await enter(arrived)
  const sent = Object.entries(fields).filter((pair): pair is [string, string] => Boolean(pair[1]))
  const again = (more: Record<string, string> = {}): RedirectWithCookies => ({
    to: `${TEST_PATH}?${new URLSearchParams([...sent, ...Object.entries(more)])}`,
    cookies: [],
  })
  if (entry.state !== 'in') return again()
  try {
    const context = await contextOf(entry.session)
    const picked = await pickedIn(fields, await consoleOf(entry.session))
    const { body } = await callOperation(loginTests.create, { body: testIn({ ...fields, ...picked }) }, context)
    return { to: String(objectIn(body).url), cookies: [] }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const { vault, random } = arrived.runtime
    const words = error.code === 'insufficient_scope' ? say('refused.scope') : placeOf(error).message
    return again({ problem: vault.sealText(PROBLEM, words, random) })
  }
}

/** What the pickers name: a connection by its name, and an organization by its id. */
async function pickedIn({ picked_connection, picked_organization }: Parameters, console: Console): Promise<Parameters> {
  return {
    ...(picked_connection && { connection: await connectionNamed(picked_connection, console) }),
    ...(picked_organization && {
      organization: await resolveReference('organizations', picked_organization, 'organization', console),
    }),
    picked_connection: undefined,
    picked_organization: undefined,
  }
}

async function connectionNamed(text: string, console: Console): Promise<string> {
  if (!console.may(connections.list)) return text
  const [named] = await console.read(connections.list, { query: { name: text } })
  if (named) return named.name
  const id = await resolveReference('connections', text, 'connection', console)
  return (await console.read(connections.read, { params: { id } })).name
}

/** The test that the fields describe; `name1` and `value1` are a further parameter. */
export function testIn({ client_id, connection, organization, protocol, ...fields }: Parameters) {
  const rows = Object.entries(fields).flatMap(([field, name]) => {
    const row = /^name(\d)$/.exec(field)?.[1]
    return row === undefined || name === undefined ? [] : [[name, fields[`value${row}`] ?? '']]
  })
  const requested = Object.entries(fields).filter(
    ([field, value]) => value !== undefined && !/^(?:name|value)\d$/.test(field),
  )
  return {
    ...(client_id === undefined ? {} : { client_id }),
    ...(connection === undefined ? {} : { connection }),
    ...(organization === undefined ? {} : { organization }),
    // The operation judges it.
    ...(protocol === undefined ? {} : { protocol: protocol as TestedProtocol }),
    parameters: Object.fromEntries([...requested, ...rows]) as Record<string, string>,
  }
}
