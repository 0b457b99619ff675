// Custom domains (docs/custom-domains.md). TLS is the operator's: the type of certificates is stored as given, and decides who may
// name the client's address.
import * as z from 'zod'
import { isRelyingPartyOf } from '../../data/tenants/custom-domain'
import { challengeText } from '../../data/tenants/domain-proof'
import { orMeantHost } from '../../kernel/address'
import { proofHost, toDomain } from '../../kernel/domain'
import { type JsonObject, objectIn } from '../../kernel/json'
import type { Random } from '../../kernel/random'
import { openObject, withOthers } from '../../kernel/schema'
import { type Minted, mint } from '../../kernel/secret'
import { unknownMembers } from '../operations/effects'
import { conflict, inexistent, invalidBody } from '../operations/errors'
import { keepOthers } from '../operations/members'
import { operationsWith } from '../operations/operation'
import { defineResource, type ResourceStore } from '../operations/resource'

export const DOMAIN_TYPES = ['auth0_managed_certs', 'self_managed_certs'] as const

export type CustomDomainRow = {
  id: string
  domain: string
  type: (typeof DOMAIN_TYPES)[number]
  challenge: string
  verifiedAt: Date | null
  checkedAt: Date | null
  lastError: string | null
  isDefault: boolean
  relyingPartyId: string | null
  clientIpHeader: string | null
  proxyKeyDigest: Uint8Array | null
  metadata: JsonObject
  kept: JsonObject
}

export type CustomDomainStore = ResourceStore<CustomDomainRow> & {
  findDefault(): Promise<CustomDomainRow | null>
  /** Makes a verified domain the default, or none. Null if the tenant has no such verified domain. */
  setDefault(
    domain: string | null,
    at: Date,
  ): Promise<{ before: CustomDomainRow | null; after: CustomDomainRow | null } | null>
}

export type CustomDomainDeps = {
  clock: { now(): Date }
  random: Random
  customDomains: CustomDomainStore
  /** The base URL of the tenant. */
  canonicalUrl: string
  /** Whether the host is one that this server answers under anyway. */
  isOwnHost(host: string): Promise<boolean>
  /** Null if the owner of the domain has published the challenge, else why not. */
  proofMissing(domain: string, challenge: string): Promise<string | null>
}

const IP_HEADERS = ['true-client-ip', 'cf-connecting-ip', 'x-forwarded-for', 'x-azure-clientip'] as const
const MAX_METADATA = 10

/** A name has 253 characters (RFC 1035 2.3.4), also with the label of the proof. */
const MAX_NAME = 230

const name = z
  .string()
  .max(MAX_NAME)
  .refine((text) => toDomain(text) !== null, {
    error: orMeantHost('must be a host name of two labels or more, without port'),
  })
  .meta({ title: 'Domain' })
const type = z.enum(DOMAIN_TYPES).meta({
  title: 'Certificates',
  help: 'TLS ends at your proxy in either case; this server orders no certificates.',
  options: {
    auth0_managed_certs: 'At a proxy that this server lists',
    self_managed_certs: 'At a proxy with a key of its own',
  },
})
const metadata = z
  .record(z.string().min(1).max(255), z.string().max(255).nullable())
  .refine((entries) => Object.keys(entries).length <= MAX_METADATA, `must have at most ${MAX_METADATA} members`)
const changeable = {
  tls_policy: z.literal('recommended').nullish(),
  custom_client_ip_header: z
    .enum([...IP_HEADERS, ''])
    .nullish()
    .meta({
      title: 'Header with the address of the client',
      help: 'Your proxy sends it with the key that was shown.',
      unset: 'as at the other domains of this server',
      group: 'settings',
      order: 12,
    }),
  relying_party_identifier: z.string().max(255).nullish().meta({
    title: 'Passkeys belong to',
    help: 'The domain, or a parent of it. After a change, earlier passkeys cannot be used.',
    group: 'settings',
    order: 11,
  }),
  domain_metadata: metadata
    .nullish()
    .meta({ title: 'Metadata', help: 'Ten texts at most, such as `region`.', group: 'settings', order: 13 }),
}
const domainChange = openObject(changeable)
const shown = withOthers(
  z.object({
    custom_domain_id: z.string(),
    domain: z.string(),
    type,
    status: z.enum(['pending_verification', 'ready']),
    primary: z.boolean(),
    is_default: z.boolean(),
    origin_domain_name: z.string(),
    verification: z.object({
      methods: z.array(z.object({ name: z.literal('txt'), record: z.string(), domain: z.string() })),
      status: z.enum(['verified', 'pending', 'failed']),
      error_msg: z.string().optional(),
      last_verified_at: z.string().optional(),
    }),
    tls_policy: z.literal('recommended'),
    custom_client_ip_header: z.enum(IP_HEADERS).nullable(),
    relying_party_identifier: z.string().optional(),
    domain_metadata: z.record(z.string(), z.string()),
  }),
).meta({ id: 'CustomDomain' })

/** The vendor's only method is the one here. */
const named = shown.extend({ verification_method: z.unknown() })
/** The domain of the tenant is no custom one. */
const shownDefault = z.union([shown, z.object({ domain: z.string() })])
const operation = operationsWith<CustomDomainDeps>()
const taken = {
  message: 'Domain already exists: it belongs to this tenant or to another one.',
  errorCode: 'custom_domain_already_exists',
}

export const customDomains = {
  default: operation({
    name: 'custom_domains.default',
    method: 'GET',
    path: '/custom-domains/default',
    summary: 'Read the default domain',
    scopes: ['read:custom_domains'],
    status: 200,
    answer: shownDefault,
    handle: async ({ deps }) => ({ body: presentDefault(await deps.customDomains.findDefault(), deps) }),
  }),
  setDefault: operation({
    name: 'custom_domains.set_default',
    console: true,
    method: 'PATCH',
    path: '/custom-domains/default',
    summary: 'Choose the default domain: a verified one, or that of the tenant',
    scopes: ['update:custom_domains'],
    target: 'tenant',
    body: z.strictObject({ domain: z.string().max(255).meta({ title: 'Domain' }) }),
    example: { domain: 'id.test' },
    status: 200,
    answer: shownDefault,
    async handle({ body, deps }) {
      const domain = body.domain.toLowerCase()
      const isCanonical = domain === new URL(deps.canonicalUrl).host
      const done = await deps.customDomains.setDefault(isCanonical ? null : domain, deps.clock.now())
      if (!done) throw invalidBody('domain must be a verified custom domain, or that of the tenant')
      const [before, after] = [done.before, done.after].map((row) => presentDefault(row, deps))
      return { body: after, before: before ?? {}, after: after ?? {}, id: domain }
    },
  }),
  verify: operation({
    name: 'custom_domains.verify',
    console: true,
    danger: true,
    method: 'POST',
    path: '/custom-domains/:id/verify',
    summary: 'Look for the proof of a domain, and take it into use',
    scopes: ['create:custom_domains'],
    secrets: { cname_api_key: { scopes: ['create:custom_domains'], otherwise: 'absent' } },
    target: 'tenant',
    status: 200,
    answer: shown.extend({ cname_api_key: z.string().optional() }),
    async handle({ params, deps }) {
      const row = await deps.customDomains.find(params.id ?? '')
      if (!row) throw inexistent('custom_domain')
      if (row.verifiedAt) return { body: present(row, deps) }
      await refuseOwnHost(row.domain, deps)
      const missing = await deps.proofMissing(row.domain, row.challenge)
      const at = deps.clock.now()
      let key: Minted | undefined
      const done = await deps.customDomains.change(
        row.id,
        (found) => {
          if (found.verifiedAt) return found
          if (missing !== null) return { ...found, checkedAt: at, lastError: missing }
          key = found.type === 'self_managed_certs' ? mint(deps.random) : undefined
          return { ...found, verifiedAt: at, checkedAt: at, lastError: null, proxyKeyDigest: key?.digest ?? null }
        },
        at,
      )
      if (done === null) throw inexistent('custom_domain')
      if (done === 'taken') throw conflict(taken.message, taken.errorCode)
      const [before, after] = [present(done.before, deps), present(done.after, deps)]
      return { body: key ? { ...after, cname_api_key: key.plain } : after, before, after, id: row.id }
    },
  }),
  test: operation({
    name: 'custom_domains.test',
    method: 'POST',
    path: '/custom-domains/:id/test',
    summary: 'Tell whether a domain is in use, or what its proof lacks; nothing changes',
    scopes: ['read:custom_domains'],
    target: 'tenant',
    status: 200,
    audited: false,
    answer: z.object({ success: z.boolean(), message: z.string() }),
    async handle({ params, deps }) {
      const row = await deps.customDomains.find(params.id ?? '')
      if (!row) throw inexistent('custom_domain')
      const missing = await deps.proofMissing(row.domain, row.challenge)
      return { body: { success: missing === null, message: missing ?? 'The domain is proven.' } }
    },
  }),
  ...defineResource({
    noun: 'custom_domain',
    plural: 'custom_domains',
    console: true,
    path: '/custom-domains',
    target: 'tenant',
    shown,
    create: openObject({ ...changeable, domain: name, type, verification_method: z.literal('txt').nullish() }),
    update: domainChange,
    examples: {
      create: { domain: 'login.example.com', type: 'self_managed_certs', domain_metadata: { region: 'eu' } },
      update: { relying_party_identifier: 'example.com' },
    },
    checkpoint: true,
    always: ['custom_domain_id'],
    taken,
    store: ({ customDomains }: CustomDomainDeps) => customDomains,
    id: (row: CustomDomainRow) => row.id,
    present: (row, { deps }) => present(row, deps),
    notApplied: (domain) => unknownMembers(shown, domain),
    async make(body, { deps }) {
      const { domain: given, type, ...members } = body
      const domain = toDomain(given) ?? ''
      await refuseOwnHost(domain, deps)
      const row: CustomDomainRow = {
        id: `cd_${deps.random.hex(16)}`,
        domain,
        type,
        challenge: deps.random.token(),
        verifiedAt: null,
        checkedAt: null,
        lastError: null,
        isDefault: false,
        relyingPartyId: null,
        clientIpHeader: null,
        proxyKeyDigest: null,
        metadata: {},
        kept: keepOthers(named, members),
      }
      return settingsIn(members, row)
    },
    change(row, body) {
      for (const fixed of ['domain', 'type'] as const)
        if (body[fixed] !== undefined && body[fixed] !== row[fixed])
          throw invalidBody(`${fixed} cannot be changed: delete the domain and add it again`)
      return { ...settingsIn(body, row), kept: keepOthers(named, body, row.kept) }
    },
  }),
}

async function refuseOwnHost(domain: string, { isOwnHost }: CustomDomainDeps): Promise<void> {
  if (await isOwnHost(domain)) throw conflict(taken.message, taken.errorCode)
}

/** An entry of the metadata that is null is left out. */
const withoutNull = (entries: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== null))

/** null and an empty text unset a member. */
function settingsIn(body: z.output<typeof domainChange>, row: CustomDomainRow): CustomDomainRow {
  const text = (given: string | null | undefined, before: string | null): string | null =>
    given === undefined ? before : given || null
  const relyingPartyId = text(body.relying_party_identifier, row.relyingPartyId)
  const clientIpHeader = text(body.custom_client_ip_header, row.clientIpHeader)
  if (relyingPartyId !== null && !isRelyingPartyOf(relyingPartyId, row.domain))
    throw invalidBody('relying_party_identifier must be the domain or a parent of it')
  if (clientIpHeader !== null && row.type !== 'self_managed_certs')
    throw invalidBody('custom_client_ip_header needs self_managed_certs: it is believed with the cname_api_key alone')
  const metadata = body.domain_metadata === undefined ? row.metadata : withoutNull(objectIn(body.domain_metadata))
  return { ...row, relyingPartyId, clientIpHeader, metadata }
}

const presentDefault = (row: CustomDomainRow | null, deps: CustomDomainDeps): JsonObject =>
  row ? present(row, deps) : { domain: new URL(deps.canonicalUrl).host }

function present(row: CustomDomainRow, { canonicalUrl }: CustomDomainDeps): JsonObject {
  const { id, domain, type, verifiedAt, checkedAt, lastError, isDefault, relyingPartyId, clientIpHeader, metadata } =
    row
  return {
    ...row.kept,
    custom_domain_id: id,
    domain,
    type,
    status: verifiedAt ? 'ready' : 'pending_verification',
    primary: isDefault,
    is_default: isDefault,
    origin_domain_name: new URL(canonicalUrl).host,
    verification: {
      methods: [{ name: 'txt', record: challengeText(row.challenge), domain: proofHost(domain) }],
      status: verifiedAt ? 'verified' : lastError === null ? 'pending' : 'failed',
      ...(lastError === null ? {} : { error_msg: lastError }),
      ...(checkedAt ? { last_verified_at: checkedAt.toISOString() } : {}),
    },
    tls_policy: 'recommended',
    custom_client_ip_header: clientIpHeader,
    ...(relyingPartyId === null ? {} : { relying_party_identifier: relyingPartyId }),
    domain_metadata: metadata,
  }
}
