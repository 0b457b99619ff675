// What can be attached to an account and then signs in to it or acts for it: one list. The first proof of an address removes all of it
// (first-proof.ts), and the undo of a changed address what was attached since (undo-address.ts). Roles and app_metadata are the tenant's.
import type { PoolClient } from 'pg'
import type { Attached, AttachedKind } from '../../../data/users/undo-address'
import { columns } from '../columns'
import { run } from '../database'

/** The rows `x` of the user $2 in the tenant $1. The key of a row changes with whatever makes it open something else. */
type Rows = { table: string; using?: string; where: string; key: string }

const ofUser = (table: string, key: string): Rows => ({ table, where: 'x.tenant_id = $1 AND x.user_id = $2', key })

const ROWS: Readonly<Record<AttachedKind, Rows>> = {
  identities: ofUser('identity', `x.connection_id || '|' || x.provider_user_id`),
  passkeys: {
    table: 'webauthn_credential',
    using: 'identity i',
    where: `i.tenant_id = $1 AND i.user_id = $2 AND x.tenant_id = $1 AND x.connection_id = i.connection_id
      AND x.provider_user_id = i.provider_user_id`,
    key: `x.id || '|' || x.credential_id`,
  },
  factors: ofUser(
    'authenticator',
    `x.id || '|' || x.active || '|' || md5(concat_ws('|', x.phone_number, x.email, encode(x.sealed, 'hex'), encode(x.secret_digest, 'hex')))`,
  ),
  browsers: ofUser('known_browser', `encode(x.digest, 'hex')`),
  devices: ofUser('device_credential', 'x.id'),
  consents: ofUser('consent', `x.client_id || '|' || x.audience || '|' || array_to_string(x.scopes, ' ')`),
}

const KINDS = Object.keys(ROWS) as AttachedKind[]

const LIST = {
  name: 'attached-list',
  text: `SELECT ${KINDS.map((kind) => {
    const { table, using, where, key } = ROWS[kind]
    return `ARRAY(SELECT ${key} FROM ${[`${table} x`, ...(using ? [using] : [])].join(', ')} WHERE ${where}) AS ${kind}`
  }).join(',\n  ')}`,
  row: columns<Attached>({
    identities: 'text[]',
    passkeys: 'text[]',
    factors: 'text[]',
    browsers: 'text[]',
    devices: 'text[]',
    consents: 'text[]',
  }),
}

const REMOVE = {
  name: 'attached-remove',
  text: `WITH ${KINDS.map((kind, place) => {
    const { table, using, where, key } = ROWS[kind]
    return `${kind} AS (
  DELETE FROM ${table} x ${using ? `USING ${using}` : ''} WHERE ${where} AND NOT (${key} = ANY($${place + 3}::text[]))
)`
  }).join(', ')}
UPDATE "user" SET link_declined = NULL WHERE tenant_id = $1 AND id = $2`,
}

/** In a transaction that holds the user. */
export async function attachedTo(client: PoolClient, tenantId: string, userId: string): Promise<Attached> {
  const [found] = await run(client, LIST, [tenantId, userId])
  return found as Attached
}

/** Removes everything except what is named. The user is held. */
export async function removeAttached(
  client: PoolClient,
  tenantId: string,
  userId: string,
  kept: Partial<Attached>,
): Promise<void> {
  await run(client, REMOVE, [tenantId, userId, ...KINDS.map((kind) => kept[kind] ?? [])])
}

export const identityKey = ({
  connectionId,
  providerUserId,
}: {
  connectionId: string
  providerUserId: string
}): string => `${connectionId}|${providerUserId}`
