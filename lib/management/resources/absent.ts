// Features of the vendor's that do not exist here (docs/management-api.md): their lists are empty, and everything that would
// change them is refused as if the token lacked the scope. The vendor's tools go on after both, and after nothing else.
import * as z from 'zod'
import type { ManagementScope } from '../../data/apis/management-scopes'
import { inexistent, lacksScope } from '../operations/errors'
import { answerList, checkpointQuery, pageQuery } from '../operations/list'
import { emptyAnswer, type Operation, type OperationMethod, operationsWith } from '../operations/operation'
import { withArticle } from '../operations/resource'

type Verb = 'read' | 'create' | 'update' | 'delete'

type Absent = {
  path: string
  /** The noun of the scopes. */
  scope: string
  /** Singular, for the message of an unknown id. */
  noun: string
  /** The member of an answer that is an object. */
  key: string
  /** The methods of one object; absent where there is none. */
  one?: readonly OperationMethod[]
  /** The verbs whose scopes exist, where not all do. */
  create?: false
}

const CRUD = ['GET', 'PATCH', 'DELETE'] as const

const LISTS: readonly Absent[] = [
  {
    path: '/self-service-profiles',
    scope: 'self_service_profiles',
    noun: 'self_service_profile',
    key: 'self_service_profiles',
  },
  {
    path: '/network-acls',
    scope: 'network_acls',
    noun: 'network_acl',
    key: 'network_acls',
    one: ['GET', 'PUT', 'PATCH', 'DELETE'],
  },
  { path: '/event-streams', scope: 'event_streams', noun: 'event_stream', key: 'eventStreams' },
  { path: '/flows', scope: 'flows', noun: 'flow', key: 'flows' },
  { path: '/flows/vault/connections', scope: 'flows_vault_connections', noun: 'vault_connection', key: 'connections' },
  { path: '/forms', scope: 'forms', noun: 'form', key: 'forms' },
  {
    path: '/user-attribute-profiles',
    scope: 'user_attribute_profiles',
    noun: 'user_attribute_profile',
    key: 'user_attribute_profiles',
  },
  {
    path: '/connection-profiles',
    scope: 'connection_profiles',
    noun: 'connection_profile',
    key: 'connection_profiles',
  },
  { path: '/rate-limit-policies', scope: 'rate_limit_policies', noun: 'rate_limit_policy', key: 'rate_limit_policies' },
  {
    path: '/connections-directory-provisionings',
    scope: 'directory_provisionings',
    noun: 'directory_provisioning',
    key: 'directory_provisionings',
    one: [],
    create: false,
  },
  { path: '/prompts/rendering', scope: 'prompts', noun: 'rendering', key: 'configs', one: [], create: false },
  { path: '/keys/encryption', scope: 'encryption_keys', noun: 'encryption_key', key: 'keys', one: ['GET', 'DELETE'] },
  { path: '/groups', scope: 'groups', noun: 'group', key: 'groups', one: ['GET', 'DELETE'], create: false },
]

/** Objects that exist once for the vendor's tenants. */
const SINGLETONS: readonly { path: string; scope: string; methods: readonly OperationMethod[] }[] = [
  { path: '/supplemental-signals', scope: 'attack_protection', methods: ['GET', 'PATCH'] },
  { path: '/risk-assessments/settings', scope: 'attack_protection', methods: ['GET', 'PATCH'] },
  { path: '/risk-assessments/settings/new-device', scope: 'attack_protection', methods: ['GET', 'PATCH'] },
  { path: '/prompts/rendering', scope: 'prompts', methods: ['PATCH'] },
]

const VERB: Record<OperationMethod, Verb> = {
  GET: 'read',
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
}

const operation = operationsWith<unknown>()
/** Whatever else is asked for, nothing is found. */
const listQuery = z.looseObject({ ...pageQuery, ...checkpointQuery })
const scopeOf = (method: OperationMethod, scope: string) => `${VERB[method]}:${scope}` as ManagementScope
const nameOf = (path: string): string =>
  path
    .slice(1)
    .replace(/\/:\w+/g, '.one')
    .replaceAll(/[/-]/g, '_')

const emptyList = ({ path, scope, key }: Absent): Operation<unknown> =>
  operation({
    name: `absent.${nameOf(path)}.list`,
    method: 'GET',
    path,
    summary: `List ${key}: none here`,
    scopes: [scopeOf('GET', scope)],
    list: key,
    query: listQuery,
    status: 200,
    answer: z.array(z.never()),
    async handle({ query }) {
      const none = { key, checkpoint: true, present: () => null, id: () => '' }
      return { body: await answerList(query, { ...none, load: async () => ({ rows: [], total: 0 }) }) }
    },
  })

const unknownOne = ({ path, scope, noun }: Absent): Operation<unknown> =>
  operation({
    name: `absent.${nameOf(path)}.read`,
    method: 'GET',
    path: `${path}/:id`,
    summary: `Read ${withArticle(noun)}: none here`,
    scopes: [scopeOf('GET', scope)],
    query: z.looseObject({}),
    status: 200,
    answer: emptyAnswer,
    handle() {
      throw inexistent(noun)
    },
  })

const refusal = (method: OperationMethod, path: string, scope: string): Operation<unknown> => {
  const scopes = [scopeOf(method, scope)]
  return operation({
    name: `absent.${nameOf(path)}.${method.toLowerCase()}`,
    method,
    path,
    summary: 'Not available here',
    scopes,
    target: 'tenant',
    status: method === 'DELETE' ? 204 : 200,
    answer: emptyAnswer,
    handle() {
      throw lacksScope(scopes)
    },
  })
}

export const absent: readonly Operation<unknown>[] = [
  ...LISTS.flatMap((list) => [
    emptyList(list),
    ...(list.create === false ? [] : [refusal('POST', list.path, list.scope)]),
    ...(list.one ?? CRUD).map((method) =>
      method === 'GET' ? unknownOne(list) : refusal(method, `${list.path}/:id`, list.scope),
    ),
  ]),
  ...SINGLETONS.flatMap(({ path, scope, methods }) => methods.map((method) => refusal(method, path, scope))),
]
