// What reaches a database elsewhere beside logins: people whom a page or the Management API looks up, makes or changes (ADR 56).
// - With `import_mode` people are looked up only. Without it, each change goes to its script before it is made here.
import type { DatabaseConnection } from '../connections/connection'
import { isElsewhere, scriptOf } from '../connections/custom-database'
import type { JsonObject } from '../kernel/json'
import type { Denied } from '../rules/trigger'
import { type Account, canonical } from '../users/user'
import {
  askForPerson,
  askScript,
  type Cause,
  type CustomDatabaseDeps,
  deniedBy,
  keepPerson,
  SCRIPT_FAILED,
} from './ask'
import type { ScriptedPerson } from './person'

/** The account of a person whom `get_user` knows, without a password here. Null for an unknown one, and where the script fails. */
export async function bringPerson(
  connection: DatabaseConnection,
  name: string,
  cause: Cause,
  deps: CustomDatabaseDeps,
): Promise<Account | null> {
  const answer = await askForPerson(connection, 'get_user', [canonical(name)], { cause }, deps)
  if (answer.outcome !== 'found') return null
  const kept = await keepPerson(connection, 'get_user', answer.person, { passwordHash: null, follows: false }, deps)
  return kept?.account ?? null
}

/** Whether `get_user` knows the person; false without such a script. */
export async function isElsewhereKnown(
  connection: DatabaseConnection,
  name: string,
  cause: Cause,
  deps: CustomDatabaseDeps,
): Promise<boolean | { denied: Denied }> {
  const answer = await askForPerson(connection, 'get_user', [canonical(name)], { cause }, deps)
  if (answer.outcome === 'found') return true
  return answer.outcome === 'absent' ? false : { denied: deniedBy(answer) }
}

/** Whether new people can be made. Elsewhere that takes the scripts that look up, make and prove them, and a password. */
export const makesPeople = (connection: DatabaseConnection, password: string | null | undefined): boolean =>
  !isElsewhere(connection) ||
  (typeof password === 'string' &&
    (['get_user', 'create', 'login'] as const).every((name) => scriptOf(connection, name) !== undefined))

/** What the script `create` gets beside the password. */
export type ScriptNewcomer = JsonObject & { email?: string; username?: string }

export type Made = { account: Account } | { taken: 'email' | 'username' } | { denied: Denied }

/**
 * Makes a person elsewhere, and the account here, by the scripts `create` and then `login`, as at the vendor. The caller has asked
 * `isElsewhereKnown`. An account that is known already is taken: a sign-up must not be a way to guess its password.
 * @param fill the person as the account is to have it, by what `login` says
 */
export async function makeElsewhere(
  connection: DatabaseConnection,
  newcomer: ScriptNewcomer,
  password: string,
  cause: Cause,
  fill: (person: ScriptedPerson) => ScriptedPerson,
  deps: CustomDatabaseDeps,
): Promise<Made> {
  const about = { cause, secrets: [password] }
  const user = {
    ...newcomer,
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
  const kept = await keepPerson(connection, 'login', fill(proven.person), { passwordHash: null, follows: false }, deps)
  if (!kept) return { denied: SCRIPT_FAILED }
  return kept.isNew ? { account: kept.account } : { taken: 'email' }
}
