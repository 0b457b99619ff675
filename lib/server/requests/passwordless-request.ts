// The request of /passwordless/start, read as strictly as the vendor does: unknown properties are refused, and each missing or
// malformed one has its own error (docs/compat.md).

import * as z from 'zod'
import type { Client } from '../../data/clients/client'
import { matchRedirectUri } from '../../data/clients/registered-urls'
import { isEnabledFor, isPasswordless, type PasswordlessConnection } from '../../data/connections/connection'
import { organizationNameIn } from '../../data/organizations/client-organization'
import { CAPTCHA, optional, text } from '../../http/description'
import { textMember } from '../../http/message'
import type { CarriedParameters } from '../../identity/one-time-codes/one-time-code'
import { readAddress } from '../../identity/strategies/passwordless'
import { DomainError, type ErrorCode } from '../../kernel/errors'
import { once } from '../../kernel/lazy'
import type { Reason } from '../../kernel/reasons'
import { repeatableOf } from '../../protocols/oidc/parameters'
import type { Runtime } from '../runtime/runtime'
import { credentials } from './schemas'

export type PasswordlessBody = Readonly<Record<string, unknown>>

export const startBody = once(() =>
  z.strictObject({
    ...credentials(),
    connection: text('The passwordless connection'),
    email: optional('The address, for a connection by mail'),
    phone_number: optional('The number with `+` and country code, for a connection by text message'),
    send: z.enum(['code', 'link']).optional().meta({ description: 'What a mail contains; the default is a link' }),
    authParams: z.looseObject({}).nullish().meta({ description: 'The authorization request that a link continues' }),
    captcha: z.unknown().optional().meta({ description: CAPTCHA }),
  }),
)

export function refuseUnknown(members: PasswordlessBody): void {
  const unknown = Object.keys(members).filter((name) => !Object.hasOwn(startBody().shape, name))
  if (unknown.length === 0) return
  const names = unknown.map((name) => name.replace(/[^\w.-]/g, '?').slice(0, 64)).slice(0, 10)
  throw bad('bad.request', `the following properties are not allowed: ${names.join(', ')}`)
}

export function property(members: PasswordlessBody, name: string, code: BadCode): string {
  const value = textMember(members, name)
  if (value) return value
  throw bad(code, `Missing required property: ${name}`)
}

export async function connectionNamed(
  name: string,
  client: Client,
  { connections }: Pick<Runtime, 'connections'>,
): Promise<PasswordlessConnection> {
  const connection = (await connections.all()).find((candidate) => candidate.name === name)
  if (!connection) throw bad('bad.connection', 'Connection does not exist', 'connection_unknown')
  if (!isPasswordless(connection))
    throw bad('bad.connection', 'Connection is not a passwordless connection', 'connection_unknown')
  if (!isEnabledFor(connection, client)) throw bad('bad.connection', 'Connection is disabled', 'connection_not_enabled')
  return connection
}

export async function addressIn(members: PasswordlessBody, connection: PasswordlessConnection): Promise<string> {
  if (connection.strategy === 'email') {
    const address = await readAddress(connection, property(members, 'email', 'bad.email'))
    if (address !== null) return address
    throw bad('bad.email', 'email is not a valid address')
  }
  const typed = property(members, 'phone_number', 'bad.phone_number')
  const number = await readAddress(connection, typed)
  if (number !== null) return number
  if (!/^\+[0-9]{1,15}$/.test(typed)) {
    throw bad('bad.phone_number', 'String does not match pattern: ^\\+[0-9]{1,15}$')
  }
  throw bad('bad.phone_number', 'phone_number is not a number that can be sent to')
}

/** Whether a link is requested; only a mail can contain one. */
export function wantsLink(members: PasswordlessBody, { strategy }: PasswordlessConnection): boolean {
  const send = textMember(members, 'send')
  if (send !== undefined && send !== 'link' && send !== 'code') throw bad('bad.request', 'send must be link or code')
  return strategy === 'email' && send !== 'code'
}

/** The authorization request that a link continues: only for this client, and only with an allowed redirect URI. */
export async function linkRequestOf(given: unknown, client: Client, runtime: Runtime): Promise<CarriedParameters> {
  const request = { ...repeatableOf(readAuthParams(given)), client_id: client.clientId }
  const { redirect_uri: target, organization: named } = request as CarriedParameters
  if (target === undefined) return request
  if (matchRedirectUri(client, target, await organizationNameIn(named, client, runtime))) return request
  throw bad('bad.authParams', 'error in authParams - redirect_uri is not in the list of allowed callback URLs')
}

function readAuthParams(given: unknown): CarriedParameters {
  if (given === undefined || given === null) return {}
  if (typeof given !== 'object' || Array.isArray(given)) {
    throw bad('bad.authParams', `error in authParams - invalid type: ${typeNameOf(given)} (expected object)`)
  }
  const entries = Object.keys(given).flatMap((name) => {
    const value = textMember(given as PasswordlessBody, name)
    return value ? [[name, value] as const] : []
  })
  return Object.fromEntries(entries)
}

const typeNameOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value)

type BadCode = Extract<ErrorCode, `bad.${string}`>

export const bad = (code: BadCode, description: string, reason: Reason = code): DomainError =>
  new DomainError(code, description, { reason })
