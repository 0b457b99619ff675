// Collects every SQL statement of the stores: each store method is called with a value that acts as any type, on a pool that
// records queries. The pool's answers decide how far a method runs, so every method is called for each combination of found and
// not found in its first four queries, with users whose addresses are verified and with users whose addresses are not.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Pool } from 'pg'
import { createRunLog, latestRuns } from '../adapters/store/action-runs'
import { ENDED, removeBatch } from '../adapters/store/clean-up'
import { createNewTransactionCache } from '../adapters/store/new-transaction-cache'
import type { Statement } from '../adapters/store/prepared'
import { actionBuildStore } from '../adapters/store/prisma/action-builds'
import { jobStore } from '../adapters/store/prisma/jobs'
import { managedClients } from '../adapters/store/prisma/management/clients'
import { logStore, statsStore } from '../adapters/store/prisma/management/logs'
import { rankStore } from '../adapters/store/prisma/management/rank'
import { userConsentStore } from '../adapters/store/prisma/management/user-consents'
import { findMailProvider } from '../adapters/store/prisma/message-providers'
import { scriptBuildStore } from '../adapters/store/prisma/script-builds'
import { deleteDueAccounts } from '../adapters/store/sql/account-deletions'
import { goOnAs, ownsAll } from '../adapters/store/sql/account-joins'
import { APPEND_COUNTED, auditStore, findEnd, lockChain, saveAnchor, withSnapshot } from '../adapters/store/sql/audit'
import { listRecords } from '../adapters/store/sql/audit-read'
import { eraseUser, moveAnchor } from '../adapters/store/sql/audit-retention'
import { blockUsers } from '../adapters/store/sql/block-users'
import { tenantStore } from '../adapters/store/sql/configuration'
import { attach } from '../adapters/store/sql/connected-accounts'
import { wouldBeTooMany } from '../adapters/store/sql/linked-accounts'
import { streamStore } from '../adapters/store/sql/log-streams'
import { eraseLogins, loginPartStore, loginRecordStore } from '../adapters/store/sql/login-records'
import { loginShareStore } from '../adapters/store/sql/login-shares'
import { executionStore } from '../adapters/store/sql/management/action-executions'
import { idempotencyStore } from '../adapters/store/sql/management/idempotency'
import { userFactorStore } from '../adapters/store/sql/management/user-factors'
import { userLoginStore } from '../adapters/store/sql/management/user-logins'
import { findUsers, managedUsers } from '../adapters/store/sql/management/users'
import { createOutboxStore } from '../adapters/store/sql/outbox'
import { databaseBuckets } from '../adapters/store/sql/rate-limits'
import { upkeepStore } from '../adapters/store/sql/upkeep'
import { fixedClock } from '../kernel/clock'
import { seededRandom } from '../kernel/random'
import type { Shared } from '../server/runtime/shared'
import { createStores } from '../server/runtime/stores'

const STORE = fileURLToPath(new URL('../adapters/store', import.meta.url))

/** The source of every file of the stores. */
export const storeSources = (): string[] =>
  readdirSync(STORE, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(STORE, name), 'utf8'))

const QUESTIONS = 4
/** Turns of the event loop, not time, so that a slow machine makes no difference. */
const PATIENCE = 50

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

export async function everyStatement(): Promise<Statement[]> {
  const found = new Map<string, Statement>()
  const pool = notingPool(found)
  for (const method of methodsOn(pool.pool)) {
    for (let answers = 0; answers < 2 ** (QUESTIONS + 1); answers++) {
      pool.answer(Math.floor(answers / 2), answers % 2 === 0 ? ANYTHING : UNVERIFIED)
      const called = Promise.resolve().then(() => method(...Array.from({ length: 5 }, () => ANYTHING)))
      await Promise.race([called.catch(() => {}), turns(PATIENCE)])
    }
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name))
}

type Method = (...args: never[]) => unknown

function methodsOn(pool: Pool): Method[] {
  const [clock, random] = [fixedClock(), seededRandom()]
  const prisma = () => Promise.reject(new Error('what Prisma asks is not named'))
  const shared: Partial<Shared> = { db: { pool, prisma }, clock, random }
  const ofTenant = createStores(shared as Shared, 'default', createNewTransactionCache())
  const logins = userLoginStore({ pool, prisma }, 'default')
  const executions = executionStore({ pool, prisma }, 'default')
  const stores = [
    ...Object.values(ofTenant),
    managedUsers({ pool, prisma }, 'default'),
    managedClients({ pool, prisma }, 'default', ANYTHING, () => {}),
    rankStore({ pool, prisma }, 'default', ANYTHING),
    userConsentStore({ pool, prisma }, 'default'),
    userFactorStore({ pool, prisma }, 'default'),
    statsStore({ pool, prisma }, 'default'),
    upkeepStore({ pool, prisma }, 'default'),
    logins,
    tenantStore({ pool, prisma }),
    createOutboxStore(pool),
    jobStore({ pool, prisma }),
    actionBuildStore({ pool, prisma }, random),
    scriptBuildStore({ pool, prisma }),
    streamStore({ pool, prisma }),
    idempotencyStore({ pool, prisma }, 'default'),
    createRunLog(pool, ANYTHING),
    databaseBuckets(pool, () => Buffer.from('key')),
    auditStore({ pool, vault: ANYTHING, clock, random }),
    loginPartStore({ pool, vault: ANYTHING, random }),
    loginRecordStore({ pool, prisma }, 'default', ANYTHING),
    loginShareStore({ pool, prisma }, 'default', { vault: ANYTHING, random }),
  ]
  const others = [
    latestRuns,
    findEnd,
    lockChain,
    saveAnchor,
    moveAnchor,
    listRecords,
    eraseUser,
    eraseLogins,
    wouldBeTooMany,
    ownsAll,
    goOnAs,
    attach,
  ].map((ask) => () => (ask as Method)(...([pool, ANYTHING, ANYTHING, ANYTHING] as never[])))
  const special = [
    () => ofTenant.transactions.finish(having(PLAIN)),
    () => ofTenant.transactions.finish(having({ ...PLAIN, guess: null })),
    () => ofTenant.upstreamAccounts.signIn(having({ ...UNVERIFIED_ACCOUNT, follows: 'each' })),
    () => blockUsers({ pool, prisma }, ANYTHING),
    () => findUsers(pool, 'default', ['auth0|1', 'auth0|2']),
    () => findMailProvider({ pool, prisma })(ANYTHING),
    () => ofTenant.permissions.find('auth0|1', 'https://api.test', null),
    () => ofTenant.roleNames.of('auth0|1', null),
    () => logStore({ pool, prisma }, 'default').find(`90020261122123456789${'0'.repeat(27)}`),
    () => deleteDueAccounts(pool, clock.now()),
    () => logins.refreshToken('0f8fad5b-d9cb-469f-a165-70867728950e', ANYTHING),
    () => logins.describeRefreshToken('0f8fad5b-d9cb-469f-a165-70867728950e', null, ANYTHING),
    () => logins.tokensOf('spa', { after: null, limit: 1 }, ANYTHING),
    () => executions.find('1'),
    () => executions.list(ANYTHING, { after: null, limit: 1 }),
    () => executions.list(null, { after: null, limit: 1 }),
    () => pool.query(APPEND_COUNTED),
    () => withSnapshot(pool, (reader) => reader.page(ANYTHING, ANYTHING, ANYTHING)),
  ]
  const batches = ENDED.map((ended) => () => removeBatch(pool, ended, { now: clock.now(), keepDays: 30 }))
  return [...stores.flatMap((store) => Object.values(store)), ...others, ...special, ...batches].filter(
    (value): value is Method => typeof value === 'function',
  )
}

function notingPool(found: Map<string, Statement>) {
  let left = 0
  let row: unknown = ANYTHING
  const find = (statement: Statement | string) => {
    if (typeof statement === 'string' || !statement.name) return { rows: [], rowCount: 0 }
    found.set(statement.name, { name: statement.name, text: statement.text, row: statement.row })
    const rows = left % 2 === 1 ? [row] : []
    left = Math.floor(left / 2)
    return { rows, rowCount: rows.length }
  }
  const query = async (statement: Statement | string, callback?: (error: null, found: unknown) => void) => {
    const result = find(statement)
    callback?.(null, result)
    return result
  }
  const client = { query, release: () => {} }
  const connect = async (callback?: (error: null, connection: unknown, release: () => void) => void) => {
    callback?.(null, client, client.release)
    return client
  }
  return {
    pool: { query, connect, options: {} } as unknown as Pool,
    answer(answers: number, found: unknown) {
      left = answers
      row = found
    },
  }
}

/** A value with every property that can be called, spread, iterated, and converted to text or a number; equal to itself. */
const ANYTHING: never = new Proxy(() => ANYTHING, {
  get: (_target, name) => (Object.hasOwn(KNOWN, name) ? Reflect.get(KNOWN, name) : ANYTHING),
  has: () => true,
}) as never

/** The same value with other values of the named properties. */
const having = (values: Readonly<Record<string, unknown>>): never =>
  new Proxy(ANYTHING as object, {
    get: (anything, name) => Reflect.get(Object.hasOwn(values, name) ? values : anything, name),
  }) as never

const PLAIN = { replaces: null, consent: null, suggest: null, keepsApart: null, changes: {} }
const UNVERIFIED_ACCOUNT = { provider: 'auth0', providerUserId: '1' }
const UNVERIFIED = having({
  'u.id': 'auth0|1',
  providerUserId: '1',
  'u.emailVerified': false,
  'u.phoneVerified': false,
})

const KNOWN = {
  // biome-ignore lint/suspicious/noThenProperty: it must not be taken for a promise.
  then: undefined,
  toJSON: () => ({}),
  length: 1,
  [Symbol.toPrimitive]: (hint: string) => (hint === 'number' ? 1 : '["1","1"]'),
  [Symbol.iterator]: () => [ANYTHING][Symbol.iterator](),
}
