// Users of a custom database in the Management API: made, changed and deleted by its scripts first, and here then (ADR 56).
import {
  type Connection,
  type ConnectionPort,
  type DatabaseConnection,
  isDatabase,
} from '../../data/connections/connection'
import { authenticatesByScript, scriptOf } from '../../data/connections/custom-database'
import type { ManagedAccount, ManagedUser, UserFields } from '../../data/users/managed-user'
import type { Cause, CustomDatabaseDeps } from '../../identity/custom-databases/ask'
import {
  changeByScript,
  deleteByScript,
  isKnownToScript,
  makeByScript,
  makesPeople,
  type ScriptedChange,
  type ScriptedNewcomer,
} from '../../identity/custom-databases/changes'
import { type Denied, reasonOfDenial } from '../../identity/tenant-code/trigger'
import { invalidRequest } from '../../kernel/errors'
import { conflict } from '../operations/errors'
import type { Actor } from '../operations/operation'
import { aboveOf, lacksRank, type RankDeps } from '../operations/rank'
import { OPERATION_NOT_SUPPORTED } from './user-body'

export type ScriptedUserDeps = CustomDatabaseDeps & RankDeps & { connections: ConnectionPort }

/** Who asks: the calls of scripts precede the transaction that judges the rank, so it is judged before them as well. */
type CallOf = { actor: Actor; ip: string; deps: ScriptedUserDeps }

const causeOf = ({ actor, ip }: CallOf): Cause => ({ clientId: actor.clientId, ip })

const refusal = (denied: Denied) =>
  invalidRequest(denied.reason, { members: { errorCode: 'auth0_idp_error' }, reason: reasonOfDenial(denied) })

/** The id of the new user. */
export async function createByScript(
  connection: DatabaseConnection,
  newcomer: ScriptedNewcomer,
  password: string | undefined,
  call: CallOf,
): Promise<string> {
  if (password === undefined || !makesPeople(connection, password))
    throw invalidRequest(
      'People of this database are made with a password, by its scripts get_user, create and login',
      {
        members: OPERATION_NOT_SUPPORTED,
      },
    )
  await refuseKnown(connection, newcomer, call)
  const made = await makeByScript(connection, newcomer, password, causeOf(call), call.deps)
  if ('denied' in made) throw refusal(made.denied)
  if ('taken' in made) throw alreadyThere()
  return made.account.user.id
}

const alreadyThere = () => conflict('The user already exists.', 'auth0_idp_error')

/** Throws for a person whom the script of a custom database knows: the account here would keep that person out. */
export async function refuseKnown(
  connection: DatabaseConnection,
  { email, username }: Pick<ScriptedNewcomer, 'email' | 'username'>,
  call: CallOf,
): Promise<void> {
  const known = await isKnownToScript(connection, email ?? username ?? '', causeOf(call), call.deps)
  if (typeof known === 'object') throw refusal(known.denied)
  if (known) throw alreadyThere()
}

/**
 * Applies the part of a change that the custom database stores, by its script. Two parts at once are refused, because the second script
 * might fail after the first.
 */
export async function updateByScript(
  { user }: ManagedUser,
  { connection, emailKey, usernameKey }: ManagedAccount & { connection: DatabaseConnection },
  fields: Partial<UserFields>,
  password: string | undefined,
  call: CallOf,
): Promise<void> {
  if (!authenticatesByScript(connection)) return
  const { email, emailVerified, username, phoneNumber, phoneVerified } = { ...user, ...fields }
  const isNew = (name: 'email' | 'emailVerified' | 'username' | 'phoneNumber' | 'phoneVerified'): boolean =>
    fields[name] !== undefined && fields[name] !== user[name]
  const isMailed = isNew('email') || (isNew('emailVerified') && scriptOf(connection, 'change_email') !== undefined)
  const changes: ScriptedChange[] = [
    ...(password === undefined ? [] : [{ script: 'change_password' as const, password }]),
    ...(isMailed && email !== null ? [{ script: 'change_email' as const, email, verified: emailVerified }] : []),
    ...(isNew('username') && username !== null ? [{ script: 'change_username' as const, username }] : []),
    ...((isNew('phoneNumber') || isNew('phoneVerified')) && phoneNumber !== null
      ? [{ script: 'change_phone_number' as const, phoneNumber, verified: phoneVerified }]
      : []),
  ]
  const [change, another] = changes
  if (!change) return
  const lacking = changes.find(({ script }) => script !== 'change_phone_number' && !scriptOf(connection, script))
  if (another || lacking)
    throw invalidRequest(
      another
        ? 'The database of this user changes one thing at a time'
        : `The database of this user has no script ${lacking?.script}`,
      { members: OPERATION_NOT_SUPPORTED },
    )
  await checkRank(user.id, call)
  const denied = await changeByScript(connection, emailKey ?? usernameKey ?? '', change, causeOf(call), call.deps)
  if (denied) throw refusal(denied)
}

/** Before the user is removed here. */
export async function removeByScript(
  userId: string,
  accounts: readonly Pick<ManagedAccount, 'connectionId' | 'providerUserId'>[],
  call: CallOf,
): Promise<void> {
  const connections = await call.deps.connections.all()
  if (!accounts.some((account) => hasScript(account, connections))) return
  await checkRank(userId, call)
  const denied = await deleteByScript(accounts, connections, causeOf(call), call.deps)
  if (denied) throw refusal(denied)
}

const hasScript = (
  { connectionId }: Pick<ManagedAccount, 'connectionId'>,
  connections: readonly Connection[],
): boolean => {
  const connection = connections.find(({ id }) => id === connectionId)
  return isDatabase(connection) && scriptOf(connection, 'delete') !== undefined
}

async function checkRank(userId: string, { actor, deps }: CallOf): Promise<void> {
  if ((await aboveOf(actor, 'users', [userId], deps)).size > 0) throw lacksRank()
}
