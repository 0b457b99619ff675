// The list of grants. A new grant is one file and one line here. The client's `grant_types` limit which it may use (CO5).

import * as z from 'zod'
import type { Client } from '../../../data/clients/client'
import { DomainError, missingParameter, unauthorizedClient } from '../../../kernel/errors'
import { explainedAt } from '../../../kernel/reasons'
import { vendorGrant } from '../vendor-grant'
import { authorizationCode } from './authorization-code'
import { clientCredentials } from './client-credentials'
import { deviceCode } from './device-code'
import type { Grant, GrantEvents } from './grant'
import { mfaOob, mfaOtp, mfaRecoveryCode } from './mfa'
import { password, passwordRealm } from './password'
import { passwordlessOtp } from './passwordless-otp'
import { refreshToken } from './refresh-token'
import { tokenExchange } from './token-exchange'
import { webauthn } from './webauthn'

const GRANTS: readonly Grant[] = [
  authorizationCode,
  refreshToken,
  clientCredentials,
  password,
  passwordRealm,
  passwordlessOtp,
  deviceCode,
  tokenExchange,
  mfaOtp,
  mfaOob,
  mfaRecoveryCode,
  webauthn,
]

const grantTypeOf = ({ type, vendor }: Grant, vendorHost: string): string =>
  vendor ? vendorGrant(vendorHost, type) : type

/** The body of a token request, for the API reference: one object for each grant. */
export const tokenBody = (shared: z.ZodRawShape, vendorHost: string) =>
  z.union(
    GRANTS.map((grant) =>
      z.object({ grant_type: z.literal(grantTypeOf(grant, vendorHost)), ...shared, ...grant.describe().parameters }),
    ),
  )

/** A token request for each grant, by its name. */
export const tokenExamples = (vendorHost: string) =>
  Object.fromEntries(
    GRANTS.map((grant) => [
      grant.type,
      { body: { grant_type: grantTypeOf(grant, vendorHost), ...grant.describe().example } },
    ]),
  )

/** All supported `grant_type` values. */
export const grantTypes = (vendorHost: string): string[] => GRANTS.map((grant) => grantTypeOf(grant, vendorHost))

/** The names in the audit log: without the vendor's host and path. */
export const GRANT_NAMES: readonly string[] = GRANTS.map(({ type }) => type)

/** The audit events of the grant with this name. */
export const grantEvents = (name: string | undefined): GrantEvents | undefined =>
  GRANTS.find(({ type }) => type === name)?.events

type Here = { vendorHost: string; baseUrl: string }

export function grantFor(type: string | undefined, client: Client, { vendorHost, baseUrl }: Here): Grant {
  if (type === undefined) throw missingParameter('grant_type')
  const grant = GRANTS.find((candidate) => grantTypeOf(candidate, vendorHost) === type)
  if (!grant) throw new DomainError('unsupported_grant_type', `Unsupported grant type: ${printable(type)}`)
  if (!client.grantTypes.has(type) || !suits(grant, client)) throw notAllowed(type, baseUrl)
  return grant
}

function suits({ only }: Grant, { isPublic, settings }: Client): boolean {
  if (only === 'confidential') return !isPublic
  return only !== 'first-party' || settings.is_first_party
}

const notAllowed = (type: string, baseUrl: string): DomainError =>
  unauthorizedClient(`Grant type '${type}' not allowed for the client.`, {
    reason: 'grant_not_allowed',
    members: { error_uri: explainedAt(baseUrl, 'grant_not_allowed') },
  })

const printable = (value: string): string => value.replace(/[^\x21-\x7e]/g, '?').slice(0, 200)
