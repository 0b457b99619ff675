// Names of the objects that records of the log name by id alone. Those that the role may not read, and those that are gone, keep their id.
import { DomainError } from '../../../kernel/errors'
import { mapBounded } from '../../../kernel/map-bounded.mjs'
import type { Reference } from '../../../management/console-call'
import { clients } from '../../../management/resources/clients'
import { connections } from '../../../management/resources/connections'
import { organizations } from '../../../management/resources/organizations'
import { resourceServers } from '../../../management/resources/resource-servers'
import { roles } from '../../../management/resources/roles'
import { users } from '../../../management/resources/users'
import { type ObjectNames, personKeyOf, type ShownLogEntry, targetKeyOf } from './log-sentences'
import type { Console } from './page'

const READS: Readonly<Record<string, Reference>> = {
  applications: clients.read,
  apis: resourceServers.read,
  roles: roles.read,
  organizations: organizations.read,
  connections: connections.read,
  users: users.read,
}

/** The page of an object opens for a role that may read it. */
export const mayOpen = (console: Console, href: string): boolean => {
  const operation = READS[href.split('/')[2] ?? '']
  return operation !== undefined && console.may(operation)
}

export const namesIn = (entries: readonly ShownLogEntry[], console: Console): Promise<ObjectNames> =>
  namesOf(
    entries.flatMap((entry) => [targetKeyOf(entry) ?? [], personKeyOf(entry) ?? []].flat()),
    console,
  )

/** By keys such as `applications/<id>`. */
export async function namesOf(all: readonly string[], console: Console): Promise<ObjectNames> {
  const keys = [...new Set(all)]
  const found = await mapBounded(keys, async (key) => [key, await nameOf(key, console)] as const)
  return new Map(found.flatMap(([key, name]) => (name === null ? [] : [[key, name] as const])))
}

async function nameOf(key: string, console: Console): Promise<string | null> {
  const [kind = '', id = ''] = key.split(/\/(.*)/s)
  const operation = READS[kind]
  if (!operation || !console.may(operation)) return null
  try {
    const read = (await console.read(operation, { params: { id } })) as Readonly<Record<string, unknown>>
    return [read.display_name, read.name, read.email].find((each) => typeof each === 'string' && each !== '') as string
  } catch (error) {
    if (error instanceof DomainError) return null
    throw error
  }
}
