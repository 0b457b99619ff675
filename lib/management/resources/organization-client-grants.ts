// The client grants that may be used for an organization.
import * as z from 'zod'
import { conflict, inexistent } from '../operations/errors'
import { answerList, checkpointQuery, type Page, pageQuery, type Window } from '../operations/list'
import { operationsWith } from '../operations/operation'
import { inPath } from '../operations/rank'
import { type ClientGrantResourceRow, presentClientGrant, shownClientGrant } from './client-grants'
import {
  existingOrganization,
  type OrganizationDeps,
  type OrganizationRow,
  presentOrganization,
  shownOrganization,
} from './organizations'

type GrantFilter = { clientId?: string | undefined; audience?: string | undefined; ids?: string[] | undefined }

export type OrganizationClientGrantDeps = OrganizationDeps & {
  organizationClientGrants: {
    list(organizationId: string, filter: GrantFilter, window: Window): Promise<Page<ClientGrantResourceRow>>
    /** 'taken' if the organization has the grant; null if there is no such organization or grant. */
    insert(organizationId: string, grantId: string): Promise<ClientGrantResourceRow | 'taken' | null>
    remove(organizationId: string, grantId: string): Promise<boolean>
    /** The organizations that have the grant; null if there is no such grant. */
    organizations(grantId: string, window: Window): Promise<Page<OrganizationRow> | null>
  }
}

const operation = operationsWith<OrganizationClientGrantDeps>()

const ids = z.union([z.string(), z.array(z.string())]).transform((value) => [value].flat())

export const organizationClientGrants = {
  clientGrantsList: operation({
    name: 'organizations.client_grants.list',
    method: 'GET',
    path: '/organizations/:id/client-grants',
    summary: 'List the client grants of an organization',
    scopes: ['read:organization_client_grants'],
    list: 'client_grants',
    query: z.object({
      ...pageQuery,
      client_id: z.string().optional(),
      audience: z.string().optional(),
      grant_ids: ids.optional(),
    }),
    status: 200,
    answer: z.array(shownClientGrant),
    async handle({ params, query, deps }) {
      const { id } = await existingOrganization(params.id, deps)
      const { client_id: clientId, audience, grant_ids } = query
      const body = await answerList(query, {
        key: 'client_grants',
        load: (window) => deps.organizationClientGrants.list(id, { clientId, audience, ids: grant_ids }, window),
        present: presentClientGrant,
        id: (row) => row.id,
      })
      return { body }
    },
  }),
  organizationsList: operation({
    name: 'client_grants.organizations.list',
    method: 'GET',
    path: '/client-grants/:id/organizations',
    summary: 'List the organizations that have a client grant',
    scopes: ['read:organization_client_grants'],
    list: 'organizations',
    query: z.object({ ...pageQuery, ...checkpointQuery }),
    status: 200,
    answer: z.array(shownOrganization),
    async handle({ params, query, deps }) {
      const body = await answerList(query, {
        key: 'organizations',
        checkpoint: true,
        async load(window) {
          const page = await deps.organizationClientGrants.organizations(params.id ?? '', window)
          if (!page) throw inexistent('client_grant')
          return page
        },
        present: presentOrganization,
        id: (row) => row.id,
      })
      return { body }
    },
  }),
  clientGrantsAdd: operation({
    name: 'organizations.client_grants.add',
    example: { grant_id: '<client_grant>' },
    method: 'POST',
    path: '/organizations/:id/client-grants',
    summary: 'Let a client grant be used for an organization',
    scopes: ['create:organization_client_grants'],
    target: ({ body }) => ({ grants: [body.grant_id] }),
    body: z.object({ grant_id: z.string().min(1).max(100) }),
    status: 201,
    answer: shownClientGrant,
    async handle({ params, body, deps }) {
      const { id } = await existingOrganization(params.id, deps)
      const row = await deps.organizationClientGrants.insert(id, body.grant_id)
      if (row === null) throw inexistent('client_grant')
      if (row === 'taken')
        throw conflict('The organization has this client grant already.', 'organization_client_grant_conflict')
      return { body: presentClientGrant(row), after: body }
    },
  }),
  clientGrantsRemove: operation({
    name: 'organizations.client_grants.remove',
    method: 'DELETE',
    path: '/organizations/:id/client-grants/:grant_id',
    summary: 'Remove a client grant from an organization',
    scopes: ['delete:organization_client_grants'],
    target: inPath('grants', 'grant_id'),
    status: 204,
    async handle({ params, deps }) {
      const { id } = await existingOrganization(params.id, deps)
      const removed = await deps.organizationClientGrants.remove(id, params.grant_id ?? '')
      return removed ? { before: { grant_id: params.grant_id ?? '' }, after: {} } : {}
    },
  }),
}
