// Maps a provider's claims to a profile. Claims are found by the provider's row or the connection's attribute map, bounded, and
// trusted only as far as the connection allows (threat-model.md UP3).

import { parseUrl } from '../../kernel/url'
import { isMailAddress } from '../../outbox/message'
import { canonical } from '../../users/user'
import type { FederatedConnection } from '../connection'
import type { ClaimPaths, ProviderRow } from './providers'
import type { UpstreamPerson } from './upstream-account'

export type UpstreamClaims = Readonly<Record<string, unknown>>

type Options = FederatedConnection['settings']['options']

export function idOf(
  claims: UpstreamClaims,
  { id = 'sub' }: ProviderRow,
  { userid_attribute, attribute_map }: Options,
) {
  const value = textOf(find(claims, attribute_map?.attributes?.user_id ?? userid_attribute ?? id))
  return value !== null && /^[^\p{C}]{1,255}$/u.test(value) ? value : null
}

const NAMES = ['name', 'given_name', 'family_name', 'nickname'] as const
const REST = ['preferred_username', 'profile', 'website', 'gender', 'birthdate', 'zoneinfo', 'locale'] as const
const STANDARD: ClaimPaths = Object.fromEntries(
  [...NAMES, ...REST, 'picture', 'email', 'email_verified'].map((name) => [name, name]),
)

type ClaimsRow = Pick<ProviderRow, 'claims' | 'verified'>
type Trust = Pick<Options, 'should_trust_email_verified_connection' | 'trust_email_claim'>

export function profileOf(
  claims: UpstreamClaims,
  row: ClaimsRow,
  options: Trust & Pick<Options, 'attribute_map'>,
): UpstreamPerson {
  const paths = { ...STANDARD, ...row.claims, ...options.attribute_map?.attributes }
  const at = (name: string): unknown => find(claims, paths[name] ?? name)
  const said = textOf(at('email'))
  const email = said !== null && isMailAddress(canonical(said)) ? canonical(said) : null
  return {
    email,
    emailVerified: email !== null && isBelieved(at('email_verified'), row, options),
    name: shortText(at('name')),
    givenName: shortText(at('given_name')),
    familyName: shortText(at('family_name')),
    nickname: shortText(at('nickname')),
    picture: webAddress(at('picture')),
    rest: Object.fromEntries(
      REST.flatMap((name) => {
        const value = shortText(at(name))
        return value === null ? [] : [[name, value]]
      }),
    ),
  }
}

function isBelieved(said: unknown, { verified }: ClaimsRow, options: Trust): boolean {
  switch (options.should_trust_email_verified_connection) {
    case 'always_set_emails_as_verified':
      return true
    case 'never_set_emails_as_verified':
      return false
    default:
      return (options.trust_email_claim ?? verified === 'claim') && (said === true || said === 'true')
  }
}

const MAX_TEXT_LENGTH = 300
const MAX_ADDRESS_LENGTH = 2048

/** Some providers use numbers as ids. */
function textOf(value: unknown): string | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  if (typeof value !== 'string' || value === '' || !value.isWellFormed() || value.includes('\0')) return null
  return value
}

const shortText = (value: unknown): string | null => textOf(value)?.slice(0, MAX_TEXT_LENGTH).toWellFormed() ?? null

function webAddress(value: unknown): string | null {
  const text = textOf(value)
  if (text === null || text.length > MAX_ADDRESS_LENGTH) return null
  return /^https?:$/.test(parseUrl(text)?.protocol ?? '') ? text : null
}

/** `${context.userinfo.mail}`: the vendor's notation for a path in an attribute map. */
const VENDOR_PATH = /^\$\{context\.(?:userinfo|tokenset)\.([^{}]+)\}$/

function find(claims: UpstreamClaims, where: string): unknown {
  const path = VENDOR_PATH.exec(where)?.[1] ?? where
  for (const alternative of path.split('|')) {
    const value = alternative.includes('{') ? filled(claims, alternative) : follow(claims, alternative)
    if (value !== undefined && value !== null && value !== '') return value
  }
  return undefined
}

/** Null if one of the paths has no value. */
function filled(claims: UpstreamClaims, template: string): string | null {
  const isAddress = template.startsWith('https://')
  let whole = true
  const text = template.replace(/\{([^{}]*)\}/g, (_, path: string) => {
    const part = textOf(follow(claims, path))
    whole &&= part !== null
    return isAddress ? encodeURIComponent(part ?? '') : (part ?? '')
  })
  return whole ? text : null
}

/** Own members only; a claim's name may itself contain dots. */
export function follow(value: unknown, path: string): unknown {
  if (path === '') return value
  if (typeof value !== 'object' || value === null) return undefined
  if (Object.hasOwn(value, path)) return (value as UpstreamClaims)[path]
  const [first = '', ...rest] = path.split('.')
  if (rest.length === 0 || !Object.hasOwn(value, first)) return undefined
  return follow((value as UpstreamClaims)[first], rest.join('.'))
}
