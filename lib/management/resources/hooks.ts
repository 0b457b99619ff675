// The vendor's hooks (lib/identity/tenant-code/scripts/hooks.ts). Each is a document; its secrets are sealed and write-only.
import * as z from 'zod'
import { sealActionSecret } from '../../identity/tenant-code/actions/action'
import { syntaxProblem } from '../../identity/tenant-code/actions/check'
import type { Need } from '../../identity/tenant-code/actions/need'
import {
  HIDDEN,
  HOOK_TRIGGERS,
  type Hook,
  hook,
  hookSecrets,
  MAX_HOOKS,
  needOfHook,
  readHook,
  type StoredHook,
  whyHookNotRunnable,
} from '../../identity/tenant-code/scripts/hooks'
import {
  type BrokenScripts,
  endOfWait,
  type PreparingDeps,
  preparePackages,
  refuseBroken,
} from '../../identity/tenant-code/scripts/script-build'
import type { JsonObject } from '../../kernel/json'
import { alphanumeric, type Random } from '../../kernel/random'
import { openObject } from '../../kernel/schema'
import type { Vault } from '../../kernel/secret'
import { type Document, type DocumentDeps, namedDocuments } from '../operations/documents'
import { unknownMembers } from '../operations/effects'
import { conflict, inexistent, invalidBody } from '../operations/errors'
import { flag } from '../operations/list'
import { type Call, operationsWith } from '../operations/operation'
import { defineResource } from '../operations/resource'

/** What a tenant file says of a hook, and the API does not. */
export type HookDoor = BrokenScripts & {
  /** A hook that is there may change its trigger. */
  movesHooks?: true
}

export type HookDeps = DocumentDeps & PreparingDeps & HookDoor & { random: Random; vault: Vault }

export const HOOK = 'hook'

type HookRow = StoredHook & { id: string }

const rowOf = ({ id, body }: Document): HookRow | null => {
  const read = readHook(body)
  return read && { id, ...read }
}

/** Of one request. */
function store(deps: HookDeps) {
  const until = endOfWait(deps.clock)
  return namedDocuments<HookRow, { enabled?: boolean | undefined; triggerId?: string | undefined }>(deps.documents, {
    kind: HOOK,
    rowOf,
    bodyOf: ({ id: _, ...body }) => body,
    before: (one, other) => one.name < other.name,
    fits: ({ enabled, triggerId }, row) =>
      (enabled === undefined || row.enabled === enabled) && (triggerId === undefined || row.triggerId === triggerId),
    check: (row, others) => checkRunnable(row, others, deps),
    async prepare(rows, before) {
      if (deps.keepBroken) return null
      const changes = rows.map((row) => ({ before: needIn(before, row.id), after: needIn(rows, row.id) }))
      const why = await preparePackages(changes, until, deps)
      return why === null ? null : { path: 'script', message: `The packages of the hook ${why}` }
    },
  })
}

function needIn(rows: readonly HookRow[], id: string): Need | null {
  const row = rows.find((each) => each.id === id)
  return row?.enabled ? needOfHook(row) : null
}

/** Throws for a hook that cannot be kept beside the others. Returns what an enabled one needs and this server lacks. */
function checkHook(given: Hook, others: readonly Hook[]): string | null {
  const syntax = syntaxProblem(given.script)
  if (syntax !== null) throw invalidBody({ path: 'script', message: syntax })
  if (others.length >= MAX_HOOKS) throw invalidBody(`A tenant has at most ${MAX_HOOKS} hooks`)
  if (!given.enabled) return null
  const other = others.find((each) => each.enabled && each.triggerId === given.triggerId)
  if (other) throw conflict(`The hook ${other.name} is enabled at ${given.triggerId} already.`, 'hook_conflict')
  return whyHookNotRunnable(given)
}

/** Throws also for a hook that could not run: it would fail each time. */
function checkRunnable(row: HookRow, others: readonly HookRow[], deps: BrokenScripts): void {
  const why = checkHook(row, others)
  if (why !== null) refuseBroken(deps, why, 'script', invalidBody({ path: 'script', message: `The hook ${why}` }))
}

const members = hook.shape
const dependencies = members.dependencies.removeDefault()
const created = openObject({
  ...{ name: members.name, script: members.script, triggerId: members.triggerId },
  ...{ enabled: members.enabled.optional(), dependencies: dependencies.optional() },
})
const changed = created.omit({ triggerId: true }).partial()
const shown = z.object({ id: z.string(), ...members, dependencies }).meta({ id: 'Hook' })
const EXAMPLE = 'module.exports = function (user, context, cb) { cb(null, { user }) }'

const resource = defineResource({
  noun: 'hook',
  plural: 'hooks',
  path: '/hooks',
  target: 'tenant',
  shown,
  create: created,
  update: changed,
  examples: {
    create: { name: 'before-sign-up', script: EXAMPLE, triggerId: 'pre-user-registration', enabled: false },
    update: { enabled: false },
  },
  filter: { enabled: flag.optional(), triggerId: z.enum(HOOK_TRIGGERS).optional() },
  taken: { message: 'A hook with this name already exists.', errorCode: 'hook_conflict' },
  store,
  id: (row: HookRow) => row.id,
  notApplied: (given) => unknownMembers(shown, given),
  present: ({ sealed: _, ...row }) => row,
  make(body, { deps }) {
    const { name, script, triggerId, enabled = false, dependencies = {} } = body
    return { id: `hok_${alphanumeric(deps.random, 16)}`, name, script, triggerId, enabled, dependencies, sealed: {} }
  },
  change(row, body, { deps }) {
    const { name = row.name, script = row.script, enabled = row.enabled, dependencies = row.dependencies } = body
    const moved = deps.movesHooks ? members.triggerId.safeParse(body.triggerId).data : undefined
    return { ...row, name, script, enabled, dependencies, triggerId: moved ?? row.triggerId }
  },
})

const operation = operationsWith<HookDeps>()
const SECRETS = '/hooks/:id/secrets'
/** Their names, with the same text for each value. */
const hiddenSecrets = z.record(z.string(), z.string())

const secrets = {
  secretsList: operation({
    name: 'hooks.secrets.list',
    method: 'GET',
    path: SECRETS,
    summary: 'List the names of the secrets of a hook',
    scopes: ['read:hooks'],
    status: 200,
    answer: hiddenSecrets,
    async handle({ params: { id = '' }, deps }) {
      const row = await store(deps).find(id)
      if (!row) throw inexistent('hook')
      return { body: hidden(row) }
    },
  }),
  secretsCreate: operation({
    name: 'hooks.secrets.create',
    method: 'POST',
    path: SECRETS,
    summary: 'Add secrets to a hook',
    scopes: ['create:hooks'],
    target: 'tenant',
    body: hookSecrets,
    example: { KEY: 'of the hook' },
    status: 201,
    answer: hiddenSecrets,
    handle: (call) => putSecrets(call),
  }),
  secretsUpdate: operation({
    name: 'hooks.secrets.update',
    method: 'PATCH',
    path: SECRETS,
    summary: 'Change secrets of a hook',
    scopes: ['update:hooks'],
    target: 'tenant',
    body: hookSecrets,
    example: { KEY: 'of the hook' },
    status: 200,
    answer: hiddenSecrets,
    handle: (call) => putSecrets(call),
  }),
  secretsDelete: operation({
    name: 'hooks.secrets.delete',
    method: 'DELETE',
    path: SECRETS,
    summary: 'Remove secrets of a hook',
    scopes: ['delete:hooks'],
    target: 'tenant',
    body: z.array(z.string().max(128)).max(100),
    example: ['KEY'],
    status: 204,
    handle: (call) => changeSecrets(call, (sealed) => withoutKeys(sealed, call.body)),
  }),
}

export const hooks = { ...secrets, ...resource }

const hidden = ({ sealed }: StoredHook): JsonObject =>
  Object.fromEntries(Object.keys(sealed).map((name) => [name, HIDDEN]))

const withoutKeys = (sealed: Record<string, string>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(sealed).filter(([name]) => !names.includes(name)))

type HookCall = Pick<Call<HookDeps>, 'params' | 'deps'>

function putSecrets(call: HookCall & { body: z.output<typeof hookSecrets> }) {
  const { vault, random } = call.deps
  const added = Object.entries(call.body).map(([name, value]) => [name, sealActionSecret(value, vault, random)])
  return changeSecrets(call, (sealed) => ({ ...sealed, ...Object.fromEntries(added) }))
}

async function changeSecrets(
  { params: { id = '' }, deps }: HookCall,
  alter: (sealed: Record<string, string>) => Record<string, string>,
) {
  const change = (row: HookRow): HookRow => ({ ...row, sealed: alter(row.sealed) })
  const done = await store(deps).change(id, change, deps.clock.now())
  if (done === null || done === 'taken') throw inexistent('hook')
  return { body: hidden(done.after), before: hidden(done.before), after: hidden(done.after) }
}
