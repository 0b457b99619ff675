// Records an operator's change by a command in the audit log, before the command ends.

import { auditStore } from '../../../adapters/store/sql/audit'
import type { AuditLog, EventFacts } from '../../../data/audit/audit'
import { createAuditLog } from '../../../data/audit/log'
import { serverTrail } from '../../../data/audit/trail'
import { FIRST_TENANT } from '../../../data/tenants/settings'
import { systemClock } from '../../../kernel/clock'
import { systemRandom } from '../../../kernel/random'
import type { CommandContext, CommandDatabase } from './command'

export async function recordChange(
  change: string,
  opened: CommandDatabase,
  context: CommandContext,
  tenantId: string = FIRST_TENANT,
): Promise<void> {
  await recordChanges([{ change }], opened, context, tenantId)
}

export async function recordChanges(
  changes: readonly EventFacts<'changed'>[],
  opened: CommandDatabase,
  context: CommandContext,
  tenantId: string = FIRST_TENANT,
): Promise<void> {
  const audit = auditOf(opened, context)
  const hostname = new URL(opened.env.appUrl).host
  const trail = serverTrail({ tenantId, hostname, audit, clock: systemClock })
  for (const each of changes) trail.record('changed', each)
  await audit.flush()
}

/** The audit log of a command, which flushes it before it ends. */
export function auditOf({ db, vault }: Pick<CommandDatabase, 'db' | 'vault'>, { say }: CommandContext): AuditLog {
  const print = (_fields: unknown, sentence: string): void => say(sentence)
  return createAuditLog({
    store: auditStore({ pool: db.pool, vault, clock: systemClock, random: systemRandom }),
    lines: null,
    clock: systemClock,
    random: systemRandom,
    log: { warn: print, error: print },
  })
}
