// What is kept of a run for whoever looks after the tenant: which action, how it ended, what it printed. Of people only ids;
// what an action prints is its author's choice, without its secrets (threat-model.md AC6).
import type { TriggerName } from '../trigger'

export type RunRecord = {
  tenantId: string
  at: Date
  trigger: TriggerName
  action: string
  /** `ok`, `denied`, or how it failed. */
  outcome: string
  /** Of a failed one: its error. */
  reason: string | null
  userId: string | null
  clientId: string | null
  milliseconds: number
  lines: { level: string; text: string }[]
}

/** Takes a record without waiting; it is written soon, or dropped and counted when there are too many. */
export type RunLog = { note(record: RunRecord): void }

const MIN_SECRET_LENGTH = 4

export function withoutSecrets(text: string, secrets: readonly unknown[]): string {
  return secrets.reduce<string>(
    (rest, secret) =>
      typeof secret === 'string' && secret.length >= MIN_SECRET_LENGTH ? rest.replaceAll(secret, '***') : rest,
    text,
  )
}
