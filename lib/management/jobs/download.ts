// The link to the file of an export: sealed, so it cannot be guessed or changed, and valid for minutes. It is made anew each time the
// job is read, and nothing of it is stored.
import { addSeconds, type Clock } from '../../kernel/clock'
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'

const PURPOSE = 'job-download'
const LIFETIME_SECONDS = 600

export const DOWNLOAD_PATH = '/api/v2/exports'

type Target = { tenantId: string; jobId: string }

export function writeDownload(
  target: Target,
  { vault, random, clock }: { vault: Vault; random: Random; clock: Clock },
) {
  const until = addSeconds(clock.now(), LIFETIME_SECONDS).toISOString()
  return vault.sealText(PURPOSE, JSON.stringify({ ...target, until }), random)
}

/** The job, or null if the link has expired, is another tenant's or was not written here. */
export function readDownload(
  sealed: string,
  { tenantId, vault, clock }: { tenantId: string; vault: Vault; clock: Clock },
): string | null {
  const plain = vault.openText(PURPOSE, sealed)
  if (!plain) return null
  const target = JSON.parse(plain) as Target & { until: string }
  return target.tenantId === tenantId && new Date(target.until) > clock.now() ? target.jobId : null
}
