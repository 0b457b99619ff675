// What a page of one person says in words: devices, factors, and the names of applications.

import { objectIn } from '../../../kernel/json'
import { mapBounded } from '../../../kernel/map-bounded.mjs'
import { browserOf } from '../../../kernel/user-agent'
import type { AnswerOf } from '../../../management/console-call'
import { clients } from '../../../management/resources/clients'
import { userAccess } from '../../../management/resources/user-access'
import { userFactors } from '../../../management/resources/user-factors'
import { users } from '../../../management/resources/users'
import { type ConsoleKey, isConsoleKey, say } from '../../../text/console'
import type { Console } from './page'
import { requireSession } from './session'

export type Device = { initial_user_agent?: string | undefined; initial_ip?: string | undefined }

/** "Firefox on Linux", by a header; undefined where it says neither. */
export async function browserNameOf(agent: string | null): Promise<string | undefined> {
  const { browser, system } = await browserOf(agent)
  return [browser, system].filter((each) => each !== undefined).join(say('users.device.on')) || undefined
}

/** "Firefox on Linux, Berlin, 198.51.100.7": the place where there is a database of places. */
export async function devicesOf(devices: readonly Device[]): Promise<string[]> {
  const { runtime } = await requireSession()
  return mapBounded(devices, async ({ initial_user_agent: agent, initial_ip: ip }) => {
    const named = await browserNameOf(agent ?? null)
    const place = ip === undefined ? undefined : runtime.placeOf?.(ip)
    const where = [place?.cityName, place?.countryName].filter(Boolean).join(', ')
    return [named ?? say('users.device.unknown'), where, ip].filter(Boolean).join(' · ')
  })
}

const MAX_APPLICATIONS = '100'

/** Names by id; empty for a role that reads no applications. */
export async function applicationsOf(console: Console): Promise<ReadonlyMap<string, string>> {
  if (!console.may(clients.list)) return new Map()
  const found = await console.read(clients.list, { query: { per_page: MAX_APPLICATIONS, fields: 'client_id,name' } })
  return new Map(found.map(({ client_id: id, name }) => [String(id), String(name)]))
}

export function nameOfFactor(type: string): string {
  const key = `users.factor.${type}`
  return isConsoleKey(key) ? say(key) : type
}

/** What a user loses whose accounts become another's, as far as the role sees it. */
export async function lossOf(id: string, user: AnswerOf<typeof users.read>, console: Console): Promise<string[]> {
  const [roles, permissions, factors] = await Promise.all([
    console.may(userAccess.rolesList) ? console.read(userAccess.rolesList, { params: { id } }) : [],
    console.may(userAccess.permissionsList) ? console.read(userAccess.permissionsList, { params: { id } }) : [],
    console.may(userFactors.authenticationMethodsList)
      ? console.read(userFactors.authenticationMethodsList, { params: { id } })
      : [],
  ])
  const direct = permissions.filter(({ sources }) => sources.some(({ source_type }) => source_type === 'DIRECT'))
  const parts: [ConsoleKey, readonly string[]][] = [
    ['users.link.loses.user_metadata', Object.keys(objectIn(user.user_metadata))],
    ['users.link.loses.app_metadata', Object.keys(objectIn(user.app_metadata))],
    ['users.link.loses.roles', roles.map(({ name }) => name)],
    ['users.link.loses.permissions', direct.map(({ permission_name }) => permission_name)],
    ['users.link.loses.factors', factors.map(({ type }) => nameOfFactor(type))],
  ]
  return [
    ...parts.filter(([, names]) => names.length > 0).map(([key, names]) => say(key, { names: names.join(', ') })),
    say('users.link.loses.profile'),
  ]
}

/** Names by id, for a role that reads users. */
export async function namesOfPeople(ids: readonly string[], console: Console): Promise<ReadonlyMap<string, string>> {
  const distinct = [...new Set(ids)]
  if (distinct.length === 0 || !console.may(users.list)) return new Map()
  const q = distinct.map((id) => `user_id:"${id.replace(/["\\]/g, '\\$&')}"`).join(' OR ')
  const { rows } = await console.list(users.list, { query: { q, search_engine: 'v3', per_page: '100' } })
  return new Map(rows.map(({ user_id = '', name, email, username }) => [user_id, name ?? email ?? username ?? user_id]))
}
