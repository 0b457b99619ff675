// Records an operator's change by a command in the audit log, before the command ends.
import { createAuditLog } from '../../audit/log'
import { serverTrail } from '../../audit/trail'
import { systemClock } from '../../kernel/clock'
import { systemRandom } from '../../kernel/random'
import { auditStore } from '../../store/prisma/audit'
import { FIRST_TENANT } from '../../tenants/settings'
import type { CommandContext, Opened } from './command'

export async function recordChange(
  change: string,
  { env, db, vault }: Opened,
  { say }: CommandContext,
  tenantId: string = FIRST_TENANT,
): Promise<void> {
  const print = (_fields: unknown, sentence: string): void => say(sentence)
  const audit = createAuditLog({
    store: auditStore({ pool: db.pool, vault, clock: systemClock, random: systemRandom }),
    lines: null,
    clock: systemClock,
    random: systemRandom,
    log: { warn: print, error: print },
  })
  serverTrail({ tenantId, hostname: new URL(env.appUrl).host, audit, clock: systemClock }).record('changed', { change })
  await audit.flush()
}
