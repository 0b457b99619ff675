// Maps a provider's claims to a profile. Claims are found by the provider's row or the connection's attribute map, bounded, and
// trusted only as far as the connection allows (threat-model.md UP3).

import { parseUrl } from '../../../kernel/url'
import { isMailAddress } from '../../outbox/message'
import { canonical } from '../../users/user'
import type { FederatedConnection } from '../connection'
import type { ClaimPaths, ProviderRow } from './providers'
import type { UpstreamPerson } from './upstream-account'

export type UpstreamClaims = Readonly<Record<string, unknown>>

/** What a further request to the provider failed to bring: any claims that the ID token lacks, or the list of addresses. */
export type Missing = 'claims' | 'address' | null

type Options = FederatedConnection['settings']['options']

export function idOf(claims: UpstreamClaims, row: ProviderRow, options: Options, missing: Missing) {
  const path = idPath(row, options)
  // An alternative may be there only because the preferred id is among what is missing, and would name another account.
  const value = textOf(find(claims, missing === 'claims' ? firstOf(path) : path))
  return value !== null && /^[^\p{C}]{1,255}$/u.test(value) ? value : null
}

/** Where the id is. */
const idPath = ({ id = 'sub', protocol }: ProviderRow, options: Options): string =>
  mapOf(options, protocol).user_id ?? options.userid_attribute ?? id

type Mapping = { attribute_map?: Options['attribute_map']; fieldsMap?: FieldsMap }

type FieldsMap = Readonly<Record<string, string | string[]>> | undefined

/** `fieldsMap` of an assertion has counted before, when its attributes were read. */
function mapOf({ attribute_map: map, fieldsMap = {} }: Mapping, protocol: ClaimsRow['protocol']): ClaimPaths {
  if (map?.mapping_mode === 'basic_profile') return {}
  const fields = protocol === 'oauth2' ? Object.entries(fieldsMap) : []
  const joined = fields.map(([name, where]): [string, string] => [name, [where].flat().join('|')])
  return { ...Object.fromEntries(joined), ...map?.attributes }
}

const pathsOf = (row: ClaimsRow, options: Mapping): ClaimPaths =>
  options.attribute_map?.mapping_mode === 'use_map'
    ? mapOf(options, row.protocol)
    : { ...STANDARD, ...row.claims, ...mapOf(options, row.protocol) }

/** Whether the ID token says all that user-info is asked for: name and address, the id, and what the connection maps. */
export function isWhole(claims: UpstreamClaims, row: ProviderRow, options: Options): boolean {
  const id = firstOf(idPath(row, options))
  const paths = { name: 'name', email: 'email', ...mapOf(options, row.protocol), user_id: id }
  return Object.values(paths).every((path) => find(claims, path) !== undefined)
}

const NAMES = ['name', 'given_name', 'family_name', 'nickname'] as const
const REST = ['preferred_username', 'profile', 'website', 'gender', 'birthdate', 'zoneinfo', 'locale'] as const
const STANDARD: ClaimPaths = Object.fromEntries(
  [...NAMES, ...REST, 'picture', 'email', 'email_verified'].map((name) => [name, name]),
)

type ClaimsRow = Pick<ProviderRow, 'claims' | 'verified'> & Partial<Pick<ProviderRow, 'protocol'>>
type Trust = Pick<Options, 'should_trust_email_verified_connection' | 'trust_email_claim'>

export function profileOf(
  claims: UpstreamClaims,
  row: ClaimsRow,
  options: Trust & Mapping,
  missing: Missing = null,
): UpstreamPerson {
  const paths = pathsOf(row, options)
  const at = (name: string): unknown => (paths[name] === undefined ? undefined : find(claims, paths[name]))
  const given = textOf(at('email'))
  const email = given !== null && isMailAddress(canonical(given)) ? canonical(given) : null
  return {
    email,
    emailVerified: email !== null && verification(at('email_verified'), row, options, missing),
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

/** Null if the provider failed to say it. */
function verification(given: unknown, { verified }: ClaimsRow, options: Trust, missing: Missing): boolean | null {
  if (missing === 'address') return null
  switch (options.should_trust_email_verified_connection) {
    case 'always_set_emails_as_verified':
      return true
    case 'never_set_emails_as_verified':
      return false
    default:
      if (!(options.trust_email_claim ?? verified === 'claim')) return false
      return given === undefined && missing === 'claims' ? null : given === true || given === 'true'
  }
}

const MAX_TEXT_LENGTH = 300
const MAX_ADDRESS_LENGTH = 2048

/** Some providers use numbers as ids. */
function textOf(value: unknown): string | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  if (typeof value !== 'string' || value.trim() === '' || !value.isWellFormed() || value.includes('\0')) return null
  return value
}

const shortText = (value: unknown): string | null =>
  textOf(value)?.trim().slice(0, MAX_TEXT_LENGTH).toWellFormed() ?? null

function webAddress(value: unknown): string | null {
  const text = textOf(value)
  if (text === null || text.length > MAX_ADDRESS_LENGTH) return null
  return /^https?:$/.test(parseUrl(text)?.protocol ?? '') ? text : null
}

/** `${context.userinfo.mail}`: the vendor's notation for a path in an attribute map, alone or within a text. */
const VENDOR_PATH = /\$\{context\.(?:userinfo|tokenset)\.([^{}]+)\}/

const alternativesOf = (where: string): string[] => {
  const [all, path] = VENDOR_PATH.exec(where) ?? []
  if (all === where && path !== undefined) return path.split('|')
  return where.replaceAll(new RegExp(VENDOR_PATH, 'g'), '{$1}').split('|')
}

const firstOf = (where: string): string => alternativesOf(where)[0] ?? where

function find(claims: UpstreamClaims, where: string): unknown {
  for (const alternative of alternativesOf(where)) {
    const value = alternative.includes('{') ? filled(claims, alternative) : follow(claims, alternative)
    if (!isBlank(value)) return value
  }
  return undefined
}

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

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
