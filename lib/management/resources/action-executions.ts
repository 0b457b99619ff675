// Runs of actions, newest first. They are recorded without secrets, and removed after some days.
import * as z from 'zod'
import type { RunRecord } from '../../identity/tenant-code/actions/runs'
import { inexistent } from '../operations/errors'
import { answerList, checkpointQuery, type Page, type Window } from '../operations/list'
import { operationsWith } from '../operations/operation'

export type ExecutionRow = Omit<RunRecord, 'tenantId'> & { id: string }

export type ExecutionStore = {
  find(id: string): Promise<ExecutionRow | null>
  list(action: string | null, window: Window): Promise<Page<ExecutionRow>>
}

export type ExecutionDeps = { executions: ExecutionStore }

const operation = operationsWith<ExecutionDeps>()

const shown = z
  .object({
    id: z.string(),
    trigger_id: z.string(),
    status: z.literal('final'),
    results: z.array(
      z.object({
        action_name: z.string(),
        error: z.object({ id: z.string(), msg: z.string() }).optional(),
        started_at: z.string(),
        ended_at: z.string(),
        outcome: z.string(),
        logs: z.array(z.object({ level: z.string(), text: z.string() })),
      }),
    ),
    user_id: z.string().nullable(),
    client_id: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'ActionExecution' })

function present({ id, at, trigger, action, outcome, reason, userId, clientId, milliseconds, lines }: ExecutionRow) {
  const ended_at = at.toISOString()
  const started_at = new Date(at.getTime() - milliseconds).toISOString()
  return {
    id,
    trigger_id: trigger,
    status: 'final',
    results: [
      {
        action_name: action,
        ...(reason !== null && { error: { id: outcome, msg: reason } }),
        started_at,
        ended_at,
        outcome,
        logs: lines,
      },
    ],
    user_id: userId,
    client_id: clientId,
    created_at: started_at,
    updated_at: ended_at,
  }
}

export const actionExecutions = {
  executionsList: operation({
    name: 'actions.executions.list',
    method: 'GET',
    path: '/actions/executions',
    summary: 'List the runs of actions, or of one by its name, newest first',
    scopes: ['read:actions'],
    query: z.object({ ...checkpointQuery, action_name: z.string().min(1).max(255).optional() }),
    status: 200,
    answer: z.object({ executions: z.array(shown), next: z.string().optional() }),
    async handle({ query, deps }) {
      const list = {
        key: 'executions',
        checkpoint: true,
        load: (window: Window) => deps.executions.list(query.action_name ?? null, window),
        present,
        id: ({ id }: ExecutionRow) => id,
      }
      return { body: await answerList({ ...query, take: query.take ?? 50 }, list) }
    },
  }),
  executionsRead: operation({
    name: 'actions.executions.read',
    method: 'GET',
    path: '/actions/executions/:id',
    summary: 'Read a run of an action',
    scopes: ['read:actions'],
    status: 200,
    answer: shown,
    async handle({ params, deps }) {
      const row = await deps.executions.find(params.id ?? '')
      if (!row) throw inexistent('action_execution')
      return { body: present(row) }
    },
  }),
}
