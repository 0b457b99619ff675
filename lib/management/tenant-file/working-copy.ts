// Runs operations of the Management API on the copy of a tenant's configuration that a plan works with. What they write is noted, and
// written to the database once the plan is applied; so the file has the schema, the rules and the audit record of the API.

import { managementAudience } from '../../data/apis/built-in'
import { MANAGEMENT_SCOPES } from '../../data/apis/management-scopes'
import type { Trail } from '../../data/audit/trail'
import { toClient } from '../../data/clients/client'
import { keyOf } from '../../identity/tenant-code/actions/need'
import { isJsonObject, type Json, type JsonObject, mergeObjects } from '../../kernel/json'
import { execute, validBody } from '../operations/execute'
import type { Operation } from '../operations/operation'
import type { RankDeps, RankPort } from '../operations/rank'
import { membersThatDiffer } from '../operations/repeated'
import type { BindingDeps, BindingDoor } from '../resources/action-bindings'
import type { ActionModuleDoor } from '../resources/action-modules'
import type { ClientGrantDeps } from '../resources/client-grants'
import type { ClientDeps, ClientDoor } from '../resources/clients'
import type { ConnectionDeps } from '../resources/connections'
import type { EmailDeps } from '../resources/email'
import type { EmailProviderDeps } from '../resources/email-provider'
import type { HookDeps, HookDoor } from '../resources/hooks'
import type { LogStreamDeps } from '../resources/log-streams'
import type { PhoneTemplateDeps } from '../resources/phone-templates'
import type { PromptDeps } from '../resources/prompts'
import type { ResourceServerDeps } from '../resources/resource-servers'
import type { ProfileDoor } from '../resources/token-exchange-profiles'
import { findApi } from './apis'
import type { PlanContext } from './context'
import { onlyThese, storesOf } from './copied-stores'
import type { ChangeRecord, FileStores } from './model'

/** What the operations need: the stores, and more for those of these resources. */
export type FileDeps = FileStores &
  ClientDeps &
  BindingDeps &
  ResourceServerDeps &
  ClientGrantDeps &
  ConnectionDeps &
  LogStreamDeps &
  PromptDeps &
  EmailDeps &
  EmailProviderDeps &
  PhoneTemplateDeps &
  HookDeps

/** A file is applied by its operator, who has the database. */
const OPERATOR = { clientId: 'tenant-file', userId: null, scopes: new Set<string>(MANAGEMENT_SCOPES.keys()) }

/** What the file allows and the API does not. */
type Door = HookDoor &
  ClientDoor &
  ActionModuleDoor &
  BindingDoor &
  ProfileDoor &
  Partial<Pick<ClientDeps, 'securityProfile'>>

type Params = Record<string, string>
type Input = { params?: Params | undefined; body?: Json }

/** Runs an operation on the working copy; the id of its object. Throws a DomainError where the API would refuse. */
export const operate = (
  operation: Operation<FileDeps>,
  input: Input,
  context: PlanContext,
  door: Door = {},
): Promise<string> => operateOn({ ...depsOf(context), ...door }, operation, input, noting(context))

/** The same on other stores. Without a trail, the audit log does not have the operation. */
export async function operateOn<Deps>(
  deps: Deps & RankDeps,
  operation: Operation<Deps>,
  { params = {}, body }: Input,
  trail: Trail | null,
): Promise<string> {
  const call = {
    params,
    query: {},
    body: operation.body ? validBody(operation, body) : undefined,
    actor: OPERATOR,
    ifMatch: null,
    ip: '',
    deps,
  }
  const { id } = await execute(operation, call, trail)
  return id ?? params.id ?? ''
}

type Known = { id: string; shown: JsonObject }

/** Makes or changes the object of an entry; its id. What is stored already is not sent. */
export async function put(
  { create, update }: Record<'create' | 'update', Operation<FileDeps>>,
  entry: JsonObject,
  before: Known | undefined,
  context: PlanContext,
  door?: Door,
): Promise<string> {
  if (!before) return operate(create, { body: entry }, context, door)
  await change(update, entry, before.shown, context, { params: { id: before.id }, door })
  return before.id
}

/** Changes the object of an entry, if what is stored differs. */
export async function change(
  operation: Operation<FileDeps>,
  entry: JsonObject,
  shown: JsonObject,
  context: PlanContext,
  { params, door }: { params?: Params; door?: Door | undefined } = {},
): Promise<void> {
  const body = membersThatDiffer(entry, shown)
  if (Object.keys(body).length > 0) await operate(operation, { params, body }, context, door)
}

/** The entry, whose objects merge with what is stored at every depth. */
export const mergedWith = (shown: JsonObject, entry: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(entry).map(([name, value]) => {
      const stored = shown[name]
      return [name, isJsonObject(value) && isJsonObject(stored) ? mergeObjects(stored, value) : value]
    }),
  )

const isChange = (facts: unknown): facts is ChangeRecord => isJsonObject(facts) && 'change' in facts

const noting = ({ records }: PlanContext): Trail => ({
  source: null,
  context: () => {},
  login: () => '',
  follow: () => {},
  step: () => {},
  known: {},
  record(_name, ...[facts]) {
    if (isChange(facts)) records.push(facts)
  },
  refused: () => {},
  settled: () => null,
})

/** The operator holds every scope, so no rank is compared. */
export const rankOf = ({ baseUrl }: Pick<PlanContext, 'baseUrl'>): RankPort => ({
  audience: managementAudience(baseUrl),
  guard: (_target, _judge, work) => work(),
  holdingsOf: async () => new Map(),
})

function depsOf(context: PlanContext): FileDeps {
  const { random, vault, now, tenantId, baseUrl, algorithms, stored, templateFault, unusedTexts } = context
  return onlyThese<FileDeps>({
    tenantId,
    random,
    vault,
    clock: { now: () => now },
    canonicalUrl: baseUrl,
    // A new tenant has no key yet.
    certificate: () => null,
    apis: { find: async (audience) => findApi(audience, context) ?? null },
    clients: {
      async find(id) {
        const row = stored.clients.find(({ clientId }) => clientId === id)
        return row ? toClient(row) : null
      },
    },
    templateFault: async (source) => templateFault(source),
    unusedTexts,
    // A file that names all languages means these, not those of a later version also.
    languages: [],
    // Once the plan is applied, the server that reads it begins with the streams.
    wakeStreams() {},
    wakeJobs() {},
    async prepareKeys(more) {
      algorithms.push(...more)
    },
    overDraft: true,
    builtBefore(need) {
      const builtFor = { built_for: keyOf(need) }
      const built = context.built(builtFor.built_for)
      if ('failure' in built) return { ...builtFor, build_failure: built.failure }
      const { bundle } = built
      const { digest } = bundle
      context.writes.push({
        table: 'actionBundles',
        row: { digest },
        run: ({ keepBundle }, at) => keepBundle(bundle, at),
      })
      return { ...builtFor, bundle: digest }
    },
    rank: rankOf(context),
    ...storesOf(context),
  })
}
