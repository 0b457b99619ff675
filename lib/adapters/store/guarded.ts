// Work whose database transactions are judged: each transaction first runs the judgement, which locks rows and may throw. So a decision
// about rows holds until the change that it permits is committed, whichever store makes the change.
import { AsyncLocalStorage } from 'node:async_hooks'

/** Runs a statement in a transaction, whichever library began it. */
export type RunStatement = (text: string, values: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>

type Judge = (ask: RunStatement) => Promise<void>

const current = new AsyncLocalStorage<{ judge: Judge | null }>()

export async function withTransactionCheck<T>(judge: Judge, work: () => Promise<T>): Promise<T> {
  const guard: { judge: Judge | null } = { judge }
  try {
    return await current.run(guard, work)
  } finally {
    // What the work started and did not wait for, such as the delivery of its mail, is not part of it.
    guard.judge = null
  }
}

/** For what begins a transaction. */
export async function runGuard(ask: RunStatement): Promise<void> {
  await current.getStore()?.judge?.(ask)
}
