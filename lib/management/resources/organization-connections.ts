// The connections of an organization, under the vendor's two paths: `connections`, and `enabled_connections` without those that are
// switched off.
import * as z from 'zod'
import type { JsonObject } from '../../kernel/json'
import { openObject } from '../../kernel/schema'
import { conflict, inexistent } from '../operations/errors'
import { answerList, flag, type Page, pageQuery, type Window } from '../operations/list'
import { operationsWith } from '../operations/operation'
import {
  changeEnabledConnection,
  connectionChange,
  type EnabledConnectionRow,
  enabledConnection,
  newEnabledConnection,
  notAppliedTo,
  presentEnabledConnection,
} from './enabled-connection'
import { existingOrganization, type OrganizationDeps } from './organizations'

export type OrganizationConnectionStore = {
  find(organizationId: string, connectionId: string): Promise<EnabledConnectionRow | null>
  list(
    organizationId: string,
    filter: { enabled?: boolean | undefined },
    window: Window,
  ): Promise<Page<EnabledConnectionRow>>
  /** 'taken' if the organization has the connection; null if the organization or the connection is absent. */
  insert(organizationId: string, row: EnabledConnectionRow): Promise<'done' | 'taken' | null>
  /** Changes the row under its lock; null if it is absent. */
  change(
    organizationId: string,
    connectionId: string,
    alter: (row: EnabledConnectionRow) => Promise<EnabledConnectionRow>,
  ): Promise<{ before: EnabledConnectionRow; after: EnabledConnectionRow } | null>
  remove(organizationId: string, connectionId: string): Promise<EnabledConnectionRow | null>
}

export type OrganizationConnectionDeps = OrganizationDeps & { organizationConnections: OrganizationConnectionStore }

const operation = operationsWith<OrganizationConnectionDeps>()

type Path = 'connections' | 'enabled_connections'

const queryOf = {
  connections: z.object({ ...pageQuery, is_enabled: flag.optional() }),
  enabled_connections: z.object(pageQuery),
}

export const organizationConnections = {
  connections: operationsOf('connections'),
  enabledConnections: operationsOf('enabled_connections'),
}

function operationsOf(path: Path) {
  const whole = path === 'connections'
  const present = (row: EnabledConnectionRow, deps: OrganizationConnectionDeps) =>
    presentEnabledConnection(row, deps, whole)
  const isShown = (row: EnabledConnectionRow): boolean => whole || row.enabled
  const answer = whole ? enabledConnection : enabledConnection.omit({ is_enabled: true })
  const one = `/organizations/:id/${path}/:connection_id`
  const name = `organizations.${path}`
  const example = whole ? '<connection>' : '<other connection>'
  const noun = whole ? 'a connection' : 'an enabled connection'
  return {
    list: operation({
      name: `${name}.list`,
      method: 'GET',
      path: `/organizations/:id/${path}`,
      summary: `List the ${path.replace('_', ' ')} of an organization`,
      scopes: ['read:organization_connections'],
      list: path,
      query: queryOf[path],
      status: 200,
      answer: z.array(answer),
      async handle({ params, query, deps }) {
        const { id } = await existingOrganization(params.id, deps)
        const enabled = 'is_enabled' in query ? query.is_enabled : whole ? undefined : true
        const body = await answerList(query, {
          key: path,
          load: (window) => deps.organizationConnections.list(id, { enabled }, window),
          present: (row) => present(row, deps),
          id: (row) => row.connectionId,
        })
        return { body }
      },
    }),
    read: operation({
      name: `${name}.read`,
      method: 'GET',
      path: one,
      summary: `Read ${noun} of an organization`,
      scopes: ['read:organization_connections'],
      notApplied: notAppliedTo,
      status: 200,
      answer,
      async handle({ params, deps }) {
        const { id } = await existingOrganization(params.id, deps)
        const row = await deps.organizationConnections.find(id, params.connection_id ?? '')
        if (!row || !isShown(row)) throw inexistent('organization_connection')
        return { body: await present(row, deps) }
      },
    }),
    create: operation({
      name: `${name}.create`,
      example: { connection_id: example, assign_membership_on_login: true },
      method: 'POST',
      path: `/organizations/:id/${path}`,
      summary: `Add ${noun} to an organization`,
      scopes: ['create:organization_connections'],
      notApplied: notAppliedTo,
      target: 'tenant',
      body: openObject({ connection_id: z.string().min(1), ...connectionChange }),
      status: 201,
      answer,
      async handle({ params, body, deps }) {
        const { id } = await existingOrganization(params.id, deps)
        const row = await newEnabledConnection(body.connection_id, changeOf(body, whole), deps)
        const done = await deps.organizationConnections.insert(id, row)
        if (done === null) throw inexistent('connection')
        if (done === 'taken')
          throw conflict('The organization has this connection already.', 'organization_connection_conflict')
        const shown = await present(row, deps)
        return { body: shown, after: shown }
      },
    }),
    update: operation({
      name: `${name}.update`,
      example: { show_as_button: false },
      examplePath: { connection_id: example },
      method: 'PATCH',
      path: one,
      summary: `Change ${noun} of an organization`,
      scopes: ['update:organization_connections'],
      notApplied: notAppliedTo,
      target: 'tenant',
      body: openObject(connectionChange),
      status: 200,
      answer,
      async handle({ params, body, deps }) {
        const done = await deps.organizationConnections.change(params.id ?? '', params.connection_id ?? '', (row) => {
          if (!isShown(row)) throw inexistent('organization_connection')
          return changeEnabledConnection(row, changeOf(body, whole), deps)
        })
        if (!done) throw inexistent('organization_connection')
        const after = await present(done.after, deps)
        return { body: after, before: await present(done.before, deps), after }
      },
    }),
    delete: operation({
      name: `${name}.delete`,
      method: 'DELETE',
      path: one,
      summary: `Remove ${noun} from an organization`,
      scopes: ['delete:organization_connections'],
      target: 'tenant',
      status: 204,
      async handle({ params, deps }) {
        const row = await deps.organizationConnections.remove(params.id ?? '', params.connection_id ?? '')
        return row ? { before: await present(row, deps), after: {} } : {}
      },
    }),
  }
}

/** Through `enabled_connections` a connection can only be enabled. */
const changeOf = ({ is_enabled, ...body }: JsonObject, whole: boolean): JsonObject =>
  whole && is_enabled !== undefined ? { ...body, is_enabled } : body
