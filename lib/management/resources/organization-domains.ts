// The domains of e-mail addresses that lead people to an organization. One that is verified counts at logins; it is verified by a
// TXT record in the DNS, which is required of every caller.
import * as z from 'zod'
import { withHostMeant } from '../../kernel/address'
import { missingProof, proofHost, proofText, type TextLookup, toDomain } from '../../kernel/domain'
import type { JsonObject } from '../../kernel/json'
import { alphanumeric } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import { conflict, inexistent, invalidBody } from '../operations/errors'
import { answerList, checkpointQuery, MAX_PAGE, nextShape, type Page, pageQuery, type Window } from '../operations/list'
import { operationsWith } from '../operations/operation'
import { existingOrganization, type OrganizationDeps } from './organizations'

export type OrganizationDomainRow = {
  id: string
  domain: string
  challenge: string
  verifiedAt: Date | null
  discovers: boolean
}

type Change = Partial<Pick<OrganizationDomainRow, 'verifiedAt' | 'discovers'>>

export type OrganizationDomainStore = {
  list(organizationId: string, window: Window): Promise<Page<OrganizationDomainRow>>
  find(organizationId: string, by: { id: string } | { domain: string }): Promise<OrganizationDomainRow | null>
  /** 'taken' if the domain is another entry's already, of whichever organization; null if the organization is absent. */
  insert(organizationId: string, row: OrganizationDomainRow, at: Date): Promise<'done' | 'taken' | null>
  change(
    organizationId: string,
    id: string,
    change: Change,
  ): Promise<{ before: OrganizationDomainRow; after: OrganizationDomainRow } | null>
  remove(organizationId: string, id: string): Promise<OrganizationDomainRow | null>
}

export type OrganizationDomainDeps = OrganizationDeps & {
  tenantId: string
  vault: Vault
  organizationDomains: OrganizationDomainStore
  findTexts: TextLookup
}

const operation = operationsWith<OrganizationDomainDeps>()

const settings = {
  status: z.enum(['pending', 'verified']).optional(),
  use_for_organization_discovery: z.boolean().optional(),
}
const newDomain = z.object({ domain: z.string().min(3).max(255), ...settings })
const shown = z
  .object({
    id: z.string(),
    domain: z.string(),
    status: z.enum(['pending', 'verified']),
    use_for_organization_discovery: z.boolean(),
    verification_txt: z.string(),
    verification_host: z.string(),
  })
  .meta({ id: 'OrganizationDiscoveryDomain' })

export const organizationDomains = {
  discoveryDomainsList: operation({
    name: 'organizations.discovery_domains.list',
    method: 'GET',
    path: '/organizations/:id/discovery-domains',
    summary: 'List the discovery domains of an organization',
    scopes: ['read:organization_discovery_domains'],
    query: z.object({ ...pageQuery, ...checkpointQuery }),
    status: 200,
    answer: z.object({ domains: z.array(shown), ...nextShape }),
    async handle({ params, query, deps }) {
      const { id } = await existingOrganization(params.id, deps)
      const { from, take = query.per_page ?? MAX_PAGE } = query
      const body = await answerList(
        { from, take },
        {
          key: 'domains',
          checkpoint: true,
          load: (window) => deps.organizationDomains.list(id, window),
          present,
          id: (row) => row.id,
        },
      )
      return { body }
    },
  }),
  discoveryDomainsReadByName: operation({
    name: 'organizations.discovery_domains.read_by_name',
    method: 'GET',
    path: '/organizations/:id/discovery-domains/name/:domain',
    summary: 'Read a discovery domain of an organization by its name',
    scopes: ['read:organization_discovery_domains'],
    status: 200,
    answer: shown,
    async handle({ params, deps }) {
      const domain = toDomain(params.domain ?? '')
      const row = domain === null ? null : await deps.organizationDomains.find(params.id ?? '', { domain })
      if (!row) throw inexistent('discovery_domain')
      return { body: present(row) }
    },
  }),
  discoveryDomainsRead: operation({
    name: 'organizations.discovery_domains.read',
    method: 'GET',
    path: '/organizations/:id/discovery-domains/:domain_id',
    summary: 'Read a discovery domain of an organization',
    scopes: ['read:organization_discovery_domains'],
    status: 200,
    answer: shown,
    async handle({ params, deps }) {
      const row = await deps.organizationDomains.find(params.id ?? '', { id: params.domain_id ?? '' })
      if (!row) throw inexistent('discovery_domain')
      return { body: present(row) }
    },
  }),
  discoveryDomainsCreate: operation({
    name: 'organizations.discovery_domains.create',
    example: { domain: 'shop.example' },
    method: 'POST',
    path: '/organizations/:id/discovery-domains',
    summary: 'Claim a discovery domain for an organization; `verified` needs its TXT record',
    scopes: ['create:organization_discovery_domains'],
    target: 'tenant',
    body: newDomain,
    status: 201,
    answer: shown,
    async handle({ params, body, deps }) {
      const { id: organizationId } = await existingOrganization(params.id, deps)
      const domain = toDomain(body.domain)
      if (domain === null) throw invalidBody(withHostMeant('domain must be a domain such as acme.com', body.domain))
      const challenge = proofText(deps.tenantId, organizationId, domain, deps.vault)
      const now = deps.clock.now()
      const row: OrganizationDomainRow = {
        id: `org_dom_${alphanumeric(deps.random, 16)}`,
        domain,
        challenge,
        verifiedAt: body.status === 'verified' ? await provenAt({ domain, challenge }, deps) : null,
        discovers: body.use_for_organization_discovery ?? true,
      }
      const stored = await deps.organizationDomains.insert(organizationId, row, now)
      if (stored === null) throw inexistent('organization')
      if (stored === 'taken')
        throw conflict('An organization has this discovery domain already.', 'organization_discovery_domain_conflict')
      return { body: present(row), after: present(row), id: row.id }
    },
  }),
  discoveryDomainsUpdate: operation({
    name: 'organizations.discovery_domains.update',
    method: 'PATCH',
    path: '/organizations/:id/discovery-domains/:domain_id',
    summary: 'Change a discovery domain of an organization; `verified` needs its TXT record',
    scopes: ['update:organization_discovery_domains'],
    target: 'tenant',
    body: z.object(settings),
    status: 200,
    answer: shown,
    async handle({ params: { id = '', domain_id = '' }, body, deps }) {
      const found = await deps.organizationDomains.find(id, { id: domain_id })
      if (!found) throw inexistent('discovery_domain')
      const { status, use_for_organization_discovery: discovers } = body
      const change: Change = discovers === undefined ? {} : { discovers }
      if (status === 'pending') change.verifiedAt = null
      if (status === 'verified') change.verifiedAt = found.verifiedAt ?? (await provenAt(found, deps))
      const done = await deps.organizationDomains.change(id, domain_id, change)
      if (!done) throw inexistent('discovery_domain')
      return { body: present(done.after), before: present(done.before), after: present(done.after) }
    },
  }),
  discoveryDomainsDelete: operation({
    name: 'organizations.discovery_domains.delete',
    method: 'DELETE',
    path: '/organizations/:id/discovery-domains/:domain_id',
    summary: 'Remove a discovery domain from an organization',
    scopes: ['delete:organization_discovery_domains'],
    target: 'tenant',
    status: 204,
    async handle({ params, deps }) {
      const row = await deps.organizationDomains.remove(params.id ?? '', params.domain_id ?? '')
      return row ? { before: present(row), after: {} } : {}
    },
  }),
}

async function provenAt(
  { domain, challenge }: Pick<OrganizationDomainRow, 'domain' | 'challenge'>,
  { findTexts, clock }: OrganizationDomainDeps,
): Promise<Date> {
  const missing = await missingProof(domain, challenge, findTexts)
  if (missing !== null) throw invalidBody(`The domain is not verified: ${missing}`)
  return clock.now()
}

const present = ({ id, domain, challenge, verifiedAt, discovers }: OrganizationDomainRow): JsonObject => ({
  id,
  domain,
  status: verifiedAt === null ? 'pending' : 'verified',
  use_for_organization_discovery: discovers,
  verification_txt: challenge,
  verification_host: proofHost(domain),
})
