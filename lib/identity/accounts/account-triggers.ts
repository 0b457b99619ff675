// Runs the tenant's actions for accounts. Before an account is created they may refuse it or set its metadata. Before a mailed link sets a
// password they may refuse that. After a creation and after a password change they are notified, and no response waits for them (as at the
// vendor).
// - Before creation they get the validated input. Like the caller, they do not learn whether the address is taken, and they run
//   in either case (threat-model.md D6, RU6).
import type { ClientPort } from '../../data/clients/client'
import type { Connection } from '../../data/connections/connection'
import type { Organization } from '../../data/organizations/organization'
import type { JsonObject } from '../../kernel/json'
import type { EventRequest } from '../tenant-code/event'
import { eventRequest } from '../tenant-code/event-request'
import { eventClient, eventConnection, eventOrganization, eventUser, jsonOf, present } from '../tenant-code/events'
import type { EventSubjectPort } from '../tenant-code/subject'
import type { Denied, TriggerEngine } from '../tenant-code/trigger'

export type AccountTriggerDeps = {
  triggers: TriggerEngine
  eventSubjects: EventSubjectPort
  tenantId: string
  clients: Pick<ClientPort, 'find'>
  /** Work that no response waits for; a failure is logged. */
  afterwards(work: Promise<unknown>): void
}

export type Asking = {
  clientId: string | null
  ip: string
  request?: (() => EventRequest) | undefined
  /** Of a login for one. */
  organization?: Organization | null
}

/** The data of a user who does not exist yet. */
export type Newcomer = {
  email?: string | null
  username?: string | null
  phone_number?: string | null
  name?: string | null
  given_name?: string | null
  family_name?: string | null
  nickname?: string | null
  picture?: string | null
}

export type Admitted = { denied: Denied } | { userMetadata: JsonObject; appMetadata: JsonObject }

/** Call this only if an action is bound. */
export async function admitNewcomer(
  newcomer: Newcomer,
  userMetadata: Readonly<Record<string, unknown>>,
  connection: Connection,
  asking: Asking,
  deps: AccountTriggerDeps,
): Promise<Admitted> {
  const effects = await deps.triggers.run('pre-user-registration', {
    ...(await causeOf(connection, asking, deps)),
    user: { ...present(newcomer), user_metadata: jsonOf(userMetadata), app_metadata: {} },
  })
  if (effects.denied) return { denied: effects.denied }
  return {
    userMetadata: merged(jsonOf(userMetadata), effects.userMetadata),
    appMetadata: merged({}, effects.appMetadata),
  }
}

const merged = (before: JsonObject, changes: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null))

type Aftermath = 'post-user-registration' | 'post-change-password'

/** Costs nothing if no action is bound; no response waits for it. */
export function notifyTriggers(
  trigger: Aftermath,
  userId: string,
  connection: Connection,
  asking: Asking,
  deps: AccountTriggerDeps,
): void {
  if (deps.triggers.isBound(trigger)) deps.afterwards(runFor(trigger, userId, connection, asking, deps))
}

async function runFor(
  trigger: Aftermath,
  userId: string,
  connection: Connection,
  asking: Asking,
  deps: AccountTriggerDeps,
): Promise<void> {
  const subject = await deps.eventSubjects.find(userId)
  if (!subject) return
  await deps.triggers.run(trigger, {
    tenant: { id: deps.tenantId },
    connection: eventConnection(connection),
    ...organizationOf(asking),
    request: requestOf(asking),
    user: eventUser(subject),
  })
}

/** Where an event about an account comes from: its application, connection, organization and request. */
export async function causeOf(
  connection: Connection,
  asking: Asking,
  { clients, tenantId }: Pick<AccountTriggerDeps, 'clients' | 'tenantId'>,
) {
  const client = asking.clientId === null ? null : await clients.find(asking.clientId)
  return {
    tenant: { id: tenantId },
    ...(client ? { client: eventClient(client) } : {}),
    connection: eventConnection(connection),
    ...organizationOf(asking),
    request: requestOf(asking),
  }
}

const organizationOf = ({ organization }: Asking) =>
  organization ? { organization: eventOrganization(organization) } : {}

const requestOf = ({ ip, request }: Asking): EventRequest =>
  request ? request() : eventRequest({ ip, method: 'POST', headers: {} }, {})
