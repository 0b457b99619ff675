// Whom it concerns when something is deleted: numbers of the lists that the person may read.
import { clientGrants } from '../../../management/resources/client-grants'
import { organizationMembers } from '../../../management/resources/organization-members'
import { organizations } from '../../../management/resources/organizations'
import { roles } from '../../../management/resources/roles'
import { userLogins } from '../../../management/resources/user-logins'
import { users } from '../../../management/resources/users'
import { type ConsoleKey, say } from '../../../text/console'
import type { Console } from './page'

const ONE = { per_page: '1' }

/** In words; nothing where no person is concerned, or the person may not know. */
const counted = (number: number, one: ConsoleKey, many: ConsoleKey, isMore = false): string[] =>
  number === 0
    ? []
    : [number === 1 ? say(one) : say(many, { count: `${number.toLocaleString('en')}${isMore ? '+' : ''}` })]

export async function holdersOf(id: string, console: Console): Promise<string[]> {
  if (!console.may(roles.usersList)) return []
  const { total } = await console.list(roles.usersList, { params: { id }, query: ONE })
  return counted(total, 'affected.holder', 'affected.holders')
}

export async function membersOf(id: string, console: Console): Promise<string[]> {
  if (!console.may(organizationMembers.membersList)) return []
  const { total } = await console.list(organizationMembers.membersList, { params: { id }, query: ONE })
  return counted(total, 'affected.member', 'affected.members')
}

const LOOKED_AT = { take: '100' }

/** What ends with the account of a person. */
export async function endsWithPerson(id: string, console: Console): Promise<string[]> {
  const params = { user_id: id }
  const [sessions, tokens, groups] = await Promise.all([
    console.may(userLogins.usersSessionsList)
      ? console.read(userLogins.usersSessionsList, { params, query: LOOKED_AT })
      : { sessions: [] },
    console.may(userLogins.usersRefreshTokensList)
      ? console.read(userLogins.usersRefreshTokensList, { params, query: LOOKED_AT })
      : { tokens: [] },
    console.may(organizations.organizationsList)
      ? console.list(organizations.organizationsList, { params: { id }, query: ONE })
      : { total: 0 },
  ])
  return [
    ...counted(sessions.sessions.length, 'affected.session', 'affected.sessions', 'next' in sessions),
    ...counted(tokens.tokens.length, 'affected.token', 'affected.tokens', 'next' in tokens),
    ...counted(groups.total, 'affected.organization', 'affected.organizations'),
  ]
}

/** The accounts of a connection. */
export async function accountsOf(connection: string, console: Console): Promise<string[]> {
  if (!console.may(users.list)) return []
  const q = `identities.connection:"${connection.replace(/["\\]/g, '\\$&')}"`
  const { total } = await console.list(users.list, { query: { ...ONE, q, search_engine: 'v3' } })
  return counted(total, 'affected.account', 'affected.accounts')
}

/** The client grants of an application or of an API. */
export async function grantsOf(
  filter: { client_id: string } | { audience: string },
  console: Console,
): Promise<string[]> {
  if (!console.may(clientGrants.list)) return []
  const { total } = await console.list(clientGrants.list, { query: { ...ONE, ...filter } })
  return counted(total, 'affected.grant', 'affected.grants')
}
