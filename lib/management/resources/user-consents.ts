// What users agreed to (grants), and the public keys of their devices.
import * as z from 'zod'
import { invalidQuery, missing } from '../operations/errors'
import { answerList, fieldsQuery, type Page, pageQuery, selectFields, type Window } from '../operations/list'
import { operationsWith } from '../operations/operation'
import { inPath } from '../operations/rank'

export type GrantKey = { userId: string; clientId: string; audience: string }
export type GrantRow = GrantKey & { scopes: readonly string[] }
export type GrantFilter = {
  user_id?: string | undefined
  client_id?: string | undefined
  audience?: string | undefined
}

export type DeviceRow = {
  id: string
  userId: string
  clientId: string
  type: string
  deviceName: string
  deviceId: string
}
export type DeviceFilter = { user_id?: string | undefined; client_id?: string | undefined; type?: string | undefined }

export type UserConsentStore = {
  grants(filter: GrantFilter, window: Window): Promise<Page<GrantRow>>
  /** Removes the grants of the user, those to a client, or one, and revokes the tokens that were given by them. */
  removeGrants(grant: Pick<GrantKey, 'userId'> & Partial<GrantKey>, at: Date): Promise<void>
  devices(filter: DeviceFilter, window: Window): Promise<Page<DeviceRow>>
  removeDevice(id: string): Promise<void>
}

export type UserConsentDeps = { clock: { now(): Date }; userConsents: UserConsentStore }

const operation = operationsWith<UserConsentDeps>()

const text = z.string().max(600).optional()

/** A grant has no id of its own: what it is about, encoded. */
const grantId = ({ userId, clientId, audience }: GrantKey): string =>
  Buffer.from(JSON.stringify([userId, clientId, audience])).toString('base64url')

const grantKey = z.tuple([z.string(), z.string(), z.string()])

function grantOf(id: string): GrantKey | null {
  try {
    const [userId, clientId, audience] = grantKey.parse(JSON.parse(Buffer.from(id, 'base64url').toString('utf8')))
    return [userId, clientId, audience].some((part) => part.includes('\0')) ? null : { userId, clientId, audience }
  } catch {
    return null
  }
}

const shownGrant = z.object({
  id: z.string(),
  clientID: z.string(),
  user_id: z.string(),
  audience: z.string(),
  scope: z.array(z.string()),
})

const device = z.object({
  id: z.string(),
  device_name: z.string(),
  device_id: z.string(),
  type: z.string(),
  user_id: z.string(),
  client_id: z.string(),
})

export const userConsents = {
  grantsList: operation({
    name: 'grants.list',
    method: 'GET',
    path: '/grants',
    summary: 'List what users agreed to',
    scopes: ['read:grants'],
    list: 'grants',
    query: z.object({ ...pageQuery, user_id: text, client_id: text, audience: text }),
    status: 200,
    answer: z.array(shownGrant),
    async handle({ query, deps }) {
      const body = await answerList(query, {
        key: 'grants',
        load: (window) => deps.userConsents.grants(query, window),
        present: (row) => ({
          id: grantId(row),
          clientID: row.clientId,
          user_id: row.userId,
          audience: row.audience,
          scope: [...row.scopes],
        }),
        id: (row) => grantId(row),
      })
      return { body }
    },
  }),
  grantsDelete: operation({
    name: 'grants.delete',
    console: true,
    method: 'DELETE',
    path: '/grants/:id',
    summary: 'Remove what a user agreed to, and its tokens',
    scopes: ['delete:grants'],
    target: ({ params }) => ({ users: [grantOf(params.id ?? '')?.userId ?? ''] }),
    status: 204,
    async handle({ params, deps }) {
      const grant = grantOf(params.id ?? '')
      if (grant) await deps.userConsents.removeGrants(grant, deps.clock.now())
      return { before: grant ? { ...grant } : {} }
    },
  }),
  grantsDeleteOfUser: operation({
    name: 'grants.delete_of_user',
    method: 'DELETE',
    path: '/grants',
    summary: 'Remove all that a user agreed to, and its tokens',
    scopes: ['delete:grants'],
    target: ({ query }) => ({ users: [query.user_id ?? ''] }),
    query: z.object({ user_id: text }),
    status: 204,
    async handle({ query, deps }) {
      const { user_id: userId } = query
      if (userId === undefined) throw invalidQuery(missing('user_id'))
      await deps.userConsents.removeGrants({ userId }, deps.clock.now())
      return { before: { user_id: userId }, id: userId }
    },
  }),
  deviceCredentialsList: operation({
    name: 'device_credentials.list',
    method: 'GET',
    path: '/device-credentials',
    summary: 'List the public keys of devices',
    scopes: ['read:device_credentials'],
    list: 'device_credentials',
    query: z.object({
      ...pageQuery,
      ...fieldsQuery,
      user_id: text,
      client_id: text,
      type: z.enum(['public_key', 'refresh_token', 'rotating_refresh_token']).optional(),
    }),
    status: 200,
    answer: z.array(device),
    async handle({ query, deps }) {
      const body = await answerList(query, {
        key: 'device_credentials',
        load: (window) => deps.userConsents.devices(query, window),
        present: (row) =>
          selectFields(
            {
              id: row.id,
              device_name: row.deviceName,
              device_id: row.deviceId,
              type: row.type,
              user_id: row.userId,
              client_id: row.clientId,
            },
            query,
          ),
        id: ({ id }) => id,
      })
      return { body }
    },
  }),
  deviceCredentialsDelete: operation({
    name: 'device_credentials.delete',
    method: 'DELETE',
    path: '/device-credentials/:id',
    summary: 'Remove the public key of a device',
    scopes: ['delete:device_credentials'],
    target: inPath('devices'),
    status: 204,
    async handle({ params, deps }) {
      await deps.userConsents.removeDevice(params.id ?? '')
      return {}
    },
  }),
}
