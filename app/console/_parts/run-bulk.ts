// Calls one operation for each selected row, one after the other, by the action that every form of the console posts to: with the same
// rights, checks and records.
import { submit } from './actions'
import type { BulkAction } from './selection'

export type BulkFailure = { id: string; label: string; message: string }

export type BulkProgress = {
  action: string
  total: number
  done: number
  failed: readonly BulkFailure[]
  isRunning: boolean
  isCanceled: boolean
  /** Where the person signs in again, if the action needs a newer login. */
  signIn: string | null
}

type Rows = ReadonlyMap<string, string>

/** Answers the rows that were not changed. */
export async function runBulk(
  action: BulkAction,
  value: string,
  rows: Rows,
  signal: AbortSignal,
  report: (progress: BulkProgress) => void,
): Promise<{ left: Rows }> {
  const left = new Map(rows)
  const failed: BulkFailure[] = []
  let signIn: string | null = null
  let done = 0
  const tell = (isRunning: boolean): void =>
    report({
      action: action.label,
      total: rows.size,
      done,
      failed: [...failed],
      isRunning,
      isCanceled: signal.aborted,
      signIn,
    })
  for (const [id, label] of rows) {
    if (signal.aborted || signIn !== null) break
    tell(true)
    const state = await submit({ status: 'new' }, formOf(action, value, id)).catch(() => null)
    const message = refusalIn(state)
    if (state?.status === 'step-up' || (state?.status === 'left' && isSignIn(state.to))) signIn = state.to
    else if (message === null) left.delete(id)
    else failed.push({ id, label, message })
    if (signIn === null) done += 1
  }
  tell(false)
  return { left }
}

const isSignIn = (path: string): boolean => path.startsWith('/console/auth/')

/** Null for what was done. */
function refusalIn(state: Awaited<ReturnType<typeof submit>> | null): string | null {
  if (state?.status === 'left' || state?.status === 'done') return null
  return state?.status === 'refused' ? state.message : ''
}

function formOf({ operation, param, body, choice }: BulkAction, value: string, id: string): FormData {
  const form = new FormData()
  form.set('_operation', operation)
  form.set('_here', window.location.pathname + window.location.search)
  form.set('_params', JSON.stringify({ [param]: id }))
  const whole = choice ? { ...body, [choice.member]: [value] } : body
  if (whole) form.set('_body', JSON.stringify(whole))
  return form
}
