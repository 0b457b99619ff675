// The `claims` parameter (OIDC Core 5.5): individual claims requested for the ID token and for user-info, essential or
// voluntary.
// - Claims that are known and have a value are returned. An essential claim without a value is not an error (5.5.1).
// - `sub` with a value accepts that user only. `acr` with values has the effect of acr_values; an
//   essential one must be met (5.5.1.1).
// - Anything but the JSON that the specification describes is refused, because a request must not be granted in part.
import * as z from 'zod'
import { scopeOfClaim } from '../../data/claims/claims'
import { malformedParameter } from '../../kernel/errors'
import type { NamedClaims } from '../../tokens/family'

const claimRequest = z
  .object({ essential: z.boolean().optional(), value: z.unknown().optional(), values: z.array(z.unknown()).optional() })
  .nullable()
const destination = z.record(z.string(), claimRequest).optional()
const claimsParameter = z.object({ id_token: destination, userinfo: destination })
type Destination = z.output<typeof destination>

/** Its values are undefined where the request names none. */
export type AcrClaim = { essential: boolean; values: string[] | undefined }

export type ClaimsRequest = {
  /** Null where the scopes alone decide the claims. */
  named: NamedClaims | null
  /**
   * The scopes whose claims are requested by name. The user consents to them like scopes; they are not granted (threat-model.md
   * AZ10).
   */
  scopes: string[]
  subject: string | null
  /** Null where `acr` is not requested. */
  acr: AcrClaim | null
  authTime: boolean
}

const NOTHING: ClaimsRequest = { named: null, scopes: [], subject: null, acr: null, authTime: false }

export function parseClaims(sent: string | undefined): ClaimsRequest {
  if (sent === undefined) return NOTHING
  const { id_token, userinfo } = read(sent)
  const named = { idToken: namesOf(id_token), userinfo: namesOf(userinfo) }
  const all = [...named.idToken, ...named.userinfo]
  return {
    named: all.length === 0 ? null : named,
    scopes: [...new Set(all.flatMap((name) => scopeOfClaim(name) ?? []))],
    subject: onlySubject([...valuesOf(id_token, 'sub'), ...valuesOf(userinfo, 'sub')]),
    acr: acrOf(id_token),
    authTime: id_token !== undefined && Object.hasOwn(id_token, 'auth_time'),
  }
}

function read(sent: string): z.output<typeof claimsParameter> {
  try {
    return claimsParameter.parse(JSON.parse(sent))
  } catch {
    throw malformedParameter('claims')
  }
}

/** Keeps the claims that a user can have; other names are ignored. */
const namesOf = (wanted: Destination): string[] =>
  Object.keys(wanted ?? {}).filter((name) => scopeOfClaim(name) !== undefined)

function valuesOf(wanted: Destination, name: string): string[] {
  const claim = wanted !== undefined && Object.hasOwn(wanted, name) ? wanted[name] : null
  const values = [...(claim?.value === undefined ? [] : [claim.value]), ...(claim?.values ?? [])]
  if (values.every((value) => typeof value === 'string')) return values
  throw malformedParameter('claims')
}

function acrOf(wanted: Destination): AcrClaim | null {
  if (wanted === undefined || !Object.hasOwn(wanted, 'acr')) return null
  const { essential = false, value, values } = wanted.acr ?? {}
  const named = value !== undefined || values !== undefined
  return { essential, values: named ? valuesOf(wanted, 'acr') : undefined }
}

function onlySubject(values: string[]): string | null {
  const [first = null, ...others] = new Set(values)
  if (others.length > 0) throw malformedParameter('claims', 'claims names more than one sub')
  return first
}
