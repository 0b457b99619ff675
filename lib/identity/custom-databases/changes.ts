// What reaches a custom database beside logins: people whom a page or the Management API looks up, makes or changes (ADR 56).
// - With `import_mode` people are looked up only. Without it, each change goes to its script before it is made here.
import { type Connection, type DatabaseConnection, isDatabase } from '../../data/connections/connection'
import { authenticatesByScript, scriptOf } from '../../data/connections/custom-database'
import { canonical, type DatabaseAccount } from '../../data/users/user'
import type { Json } from '../../kernel/json'
import { jsonOf, present } from '../tenant-code/events'
import type { Denied } from '../tenant-code/trigger'
import {
  askForPerson,
  askScript,
  type Cause,
  type CustomDatabaseDeps,
  deniedBy,
  keepPerson,
  notifyScript,
  SCRIPT_FAILED,
} from './ask'
import type { ScriptedPerson } from './person'

/** The account of a person whom `get_user` knows, without a password here. Null for an unknown one, and where the script fails. */
export async function bringPerson(
  connection: DatabaseConnection,
  name: string,
  cause: Cause,
  deps: CustomDatabaseDeps,
): Promise<DatabaseAccount | null> {
  const answer = await askForPerson(connection, 'get_user', [canonical(name)], { cause }, deps)
  if (answer.outcome !== 'found') return null
  const kept = await keepPerson(connection, 'get_user', answer.person, { passwordHash: null, follows: false }, deps)
  return kept?.account ?? null
}

/** Whether `get_user` knows the person; false without such a script. */
export async function isKnownToScript(
  connection: DatabaseConnection,
  name: string,
  cause: Cause,
  deps: CustomDatabaseDeps,
): Promise<boolean | { denied: Denied }> {
  const answer = await askForPerson(connection, 'get_user', [canonical(name)], { cause }, deps)
  if (answer.outcome === 'found') return true
  return answer.outcome === 'absent' ? false : { denied: deniedBy(answer) }
}

/** Whether new people can be made. In a custom database that takes the scripts that look up, make and prove them, and a password. */
export const makesPeople = (connection: DatabaseConnection, password: string | null | undefined): boolean =>
  !authenticatesByScript(connection) ||
  (typeof password === 'string' &&
    (['get_user', 'create', 'login'] as const).every((name) => scriptOf(connection, name) !== undefined))

/** Who is to be made, as the person or a manager typed it. */
export type ScriptedNewcomer = Omit<ScriptedPerson, 'providerUserId'>

export type CreateOutcome = { account: DatabaseAccount } | { taken: 'email' | 'username' } | { denied: Denied }

/**
 * Makes a person in a custom database, and the account here, by the scripts `create` and then `login`, as at the vendor. The caller has asked
 * `isKnownToScript`. An account that is known already is taken: a sign-up must not be a way to guess its password.
 */
export async function makeByScript(
  connection: DatabaseConnection,
  newcomer: ScriptedNewcomer,
  password: string,
  cause: Cause,
  deps: CustomDatabaseDeps,
): Promise<CreateOutcome> {
  const about = { cause, secrets: [password] }
  const user = {
    ...shownTo(newcomer),
    ...{ password, tenant: deps.tenantId, client_id: cause.clientId ?? null, connection: connection.name },
  }
  const created = await askScript(connection, 'create', [user], about, deps)
  if (created === null) return { denied: SCRIPT_FAILED }
  if (created.outcome === 'refused' && created.error === 'ValidationError' && created.code === 'user_exists')
    return { taken: 'email' }
  if (created.outcome === 'refused' && created.error === 'ValidationError' && created.code === 'username_exists')
    return { taken: 'username' }
  if (created.outcome !== 'answered' || created.value === false)
    return { denied: created.outcome === 'answered' ? SCRIPT_FAILED : deniedBy(created) }
  const name = newcomer.email ?? newcomer.username ?? ''
  const proven = await askForPerson(connection, 'login', [name, password], about, deps)
  if (proven.outcome !== 'found') {
    if (proven.outcome === 'absent')
      deps.noteScript(connection, 'login', 'it does not know the person that create made')
    return { denied: SCRIPT_FAILED }
  }
  const kept = await keepPerson(
    connection,
    'login',
    merged(proven.person, newcomer),
    { passwordHash: null, follows: false },
    deps,
  )
  if (!kept) return { denied: SCRIPT_FAILED }
  return kept.isNew ? { account: kept.account } : { taken: 'email' }
}

const shownTo = ({ email, emailVerified, username, phoneNumber, profile, ...metadata }: ScriptedNewcomer) => {
  const { name, givenName: given_name, familyName: family_name, nickname, picture } = profile
  return {
    ...present({ email, username, phone_number: phoneNumber, name, given_name, family_name, nickname, picture }),
    email_verified: emailVerified,
    user_metadata: jsonOf(metadata.userMetadata),
    app_metadata: jsonOf(metadata.appMetadata),
  }
}

/** What the script does not say is as it was typed. */
const merged = (returned: ScriptedPerson, typed: ScriptedNewcomer): ScriptedPerson => ({
  ...returned,
  emailVerified: returned.emailVerified || (typed.emailVerified && returned.email === typed.email),
  phoneNumber: returned.phoneNumber ?? typed.phoneNumber,
  phoneVerified: returned.phoneNumber === null ? typed.phoneVerified : returned.phoneVerified,
  profile: {
    name: returned.profile.name ?? typed.profile.name,
    givenName: returned.profile.givenName ?? typed.profile.givenName,
    familyName: returned.profile.familyName ?? typed.profile.familyName,
    nickname: returned.profile.nickname ?? typed.profile.nickname,
    picture: returned.profile.picture ?? typed.profile.picture,
  },
  userMetadata: { ...typed.userMetadata, ...returned.userMetadata },
  appMetadata: { ...typed.appMetadata, ...returned.appMetadata },
})

/** A change of one thing by which a person signs in, or is reached. */
export type ScriptedChange =
  | { script: 'change_password'; password: string }
  | { script: 'change_email'; email: string; verified: boolean }
  | { script: 'change_username'; username: string }
  | { script: 'change_phone_number'; phoneNumber: string; verified: boolean }

/** Makes the change there. Null where that is done; without the script it cannot be made, but for the phone number, which is here only. */
export async function changeByScript(
  connection: DatabaseConnection,
  name: string,
  change: ScriptedChange,
  cause: Cause,
  deps: CustomDatabaseDeps,
): Promise<Denied | null> {
  if (!authenticatesByScript(connection)) return null
  if (scriptOf(connection, change.script) === undefined)
    return change.script === 'change_phone_number' ? null : SCRIPT_FAILED
  const secrets = change.script === 'change_password' ? [change.password] : []
  return notifyScript(connection, change.script, [name, ...valuesOf(change)], { cause, secrets }, deps)
}

function valuesOf(change: ScriptedChange): Json[] {
  switch (change.script) {
    case 'change_password':
      return [change.password]
    case 'change_email':
      return [change.email, change.verified]
    case 'change_username':
      return [change.username]
    case 'change_phone_number':
      return [change.phoneNumber, change.verified]
  }
}

type Key = { connectionId: string; providerUserId: string }

/** Removes the accounts of a person from the databases that have a script for that, before they are removed here. */
export async function deleteByScript(
  accounts: readonly Key[],
  connections: readonly Connection[],
  cause: Cause,
  deps: CustomDatabaseDeps,
): Promise<Denied | null> {
  for (const { connectionId, providerUserId } of accounts) {
    const connection = connections.find(({ id }) => id === connectionId)
    if (!isDatabase(connection)) continue
    const isDone = (value: Json) => value !== false
    const denied = await notifyScript(connection, 'delete', [providerUserId], { cause }, deps, isDone)
    if (denied) return denied
  }
  return null
}

/** Whether the address of its accounts is set there, and cannot be changed from here. */
export const keepsAddresses = (connection: DatabaseConnection): boolean =>
  authenticatesByScript(connection) && scriptOf(connection, 'change_email') === undefined
