// Logins as the login inspector records them: what happened step by step, newest first. Ours.
import * as z from 'zod'
import { LINE_VERDICTS, STEP_KINDS, type StoredStep } from '../../data/logins/step'
import type { JsonObject } from '../../kernel/json'
import { hintOf } from '../../kernel/reasons'
import { inexistent } from '../operations/errors'
import { answerList, type Page, pageQuery, type Window } from '../operations/list'
import { operationsWith } from '../operations/operation'

export const OUTCOMES = ['succeeded', 'failed', 'waiting'] as const

export type LoginFilter = {
  outcome?: string | undefined
  clientId?: string | undefined
  connection?: string | undefined
  /** The id of the user, or an address. */
  person?: string | undefined
  /** The link that began them. */
  share?: string | undefined
}

export type LoginRow = {
  id: string
  startedAt: Date
  lastAt: Date
  outcome: string
  reason: string | null
  clientId: string | null
  clientName: string | null
  connection: string | null
  userId: string | null
  person: string | null
}

export type LoginPartRow = {
  at: string
  endpoint: string
  request_id: string
  outcome: string
  reason: string | null
  person: string | null
  ip: string
  user_agent: string | null
  steps: StoredStep[]
}

export type LoginRecordStore = {
  list(filter: LoginFilter, window: Extract<Window, { offset: number }>): Promise<Page<LoginRow>>
  find(id: string): Promise<(LoginRow & { parts: LoginPartRow[] }) | null>
}

export type LoginRecordDeps = { loginRecords: LoginRecordStore }

const operation = operationsWith<LoginRecordDeps>()

const summary = z
  .object({
    id: z.string(),
    started_at: z.iso.datetime(),
    ended_at: z.iso.datetime(),
    outcome: z.enum(OUTCOMES),
    reason: z.string().nullable(),
    client_id: z.string().nullable(),
    client_name: z.string().nullable(),
    connection: z.string().nullable(),
    user_id: z.string().nullable(),
    user_name: z.string().nullable(),
  })
  .meta({ id: 'Login' })

const line = z.object({
  name: z.string(),
  verdict: z.enum(LINE_VERDICTS),
  value: z.string().optional(),
  says: z.string().optional(),
})

export const shownStep = z.object({
  kind: z.enum(STEP_KINDS),
  at: z.iso.datetime(),
  subject: z.string(),
  outcome: z.enum(['ok', 'failed', 'none']),
  reason: z.string().optional(),
  hint: z.string().optional(),
  says: z.string().optional(),
  lines: z.array(line).optional(),
  claims: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
})

export const detailedLogin = summary
  .extend({
    requests: z.array(
      z.object({
        at: z.iso.datetime(),
        endpoint: z.string(),
        request_id: z.string(),
        ip: z.string(),
        user_agent: z.string().nullable(),
        steps: z.array(shownStep),
      }),
    ),
  })
  .meta({ id: 'LoginDetails' })

const present = (row: LoginRow) => ({
  id: row.id,
  started_at: row.startedAt.toISOString(),
  ended_at: row.lastAt.toISOString(),
  outcome: row.outcome,
  reason: row.reason,
  client_id: row.clientId,
  client_name: row.clientName,
  connection: row.connection,
  user_id: row.userId,
  user_name: row.person,
})

/** The hint is not stored: it is that of the version that shows the step. */
const presentStep = (stored: StoredStep) => {
  const hint = stored.reason === undefined ? undefined : hintOf(stored.reason)
  return hint === undefined ? stored : { ...stored, hint }
}

const presentPart = ({ at, endpoint, request_id, ip, user_agent, steps }: LoginPartRow) => ({
  ...{ at, endpoint, request_id, ip, user_agent, steps: steps.map(presentStep) },
})

const filterMembers = {
  outcome: z.enum(OUTCOMES).optional(),
  client_id: z.string().max(200).optional(),
  connection: z.string().max(200).optional(),
  user: z.string().max(400).optional().meta({ description: 'The id of a user, or a whole address' }),
  login_share: z.string().max(100).optional().meta({ description: 'The id of the link to a test that began them' }),
}

export const logins = {
  list: operation({
    name: 'logins.list',
    method: 'GET',
    path: '/logins',
    summary: 'List the logins of which steps are stored, newest first',
    scopes: ['read:logins'],
    list: 'logins',
    query: z.object({ ...pageQuery, ...filterMembers }),
    status: 200,
    answer: z.array(summary),
    async handle({ query, deps }) {
      const { outcome, client_id: clientId, connection, user: person, login_share: share } = query
      const list = {
        key: 'logins',
        load: (window: Window) =>
          deps.loginRecords.list(
            { outcome, clientId, connection, person, share },
            'offset' in window ? window : { offset: 0, limit: window.limit },
          ),
        present,
        id: ({ id }: LoginRow) => id,
      }
      return { body: await answerList(query, list) }
    },
  }),
  read: operation({
    name: 'logins.read',
    method: 'GET',
    path: '/logins/:id',
    summary: 'Read the steps of a login',
    scopes: ['read:logins'],
    status: 200,
    answer: detailedLogin,
    async handle({ params, deps }) {
      return { body: await loginDetails(params.id, deps) }
    },
  }),
}

export async function loginDetails(id: string, { loginRecords }: LoginRecordDeps): Promise<JsonObject> {
  const found = await loginRecords.find(id)
  if (!found) throw inexistent('login')
  return JSON.parse(JSON.stringify({ ...present(found), requests: found.parts.map(presentPart) }))
}
