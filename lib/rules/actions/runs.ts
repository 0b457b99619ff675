// The log of action runs, for the tenant's operators: the action, its outcome and its output. Of users only ids are recorded. The
// output is the author's choice, with the action's secrets removed (threat-model.md AC6).
import type { TriggerName } from '../trigger'

export type RunRecord = {
  tenantId: string
  at: Date
  trigger: TriggerName
  action: string
  /** `ok`, `denied`, or the kind of failure. */
  outcome: string
  /** The error of a failed run. */
  reason: string | null
  userId: string | null
  clientId: string | null
  milliseconds: number
  lines: { level: string; text: string }[]
}

/** Accepts a record without waiting; it is written soon, or dropped and counted if there are too many. */
export type RunLog = { note(record: RunRecord): void }

const MIN_SECRET_LENGTH = 4

export function withoutSecrets(text: string, secrets: readonly unknown[]): string {
  return secrets.reduce<string>(
    (rest, secret) =>
      typeof secret === 'string' && secret.length >= MIN_SECRET_LENGTH ? rest.replaceAll(secret, '***') : rest,
    text,
  )
}
