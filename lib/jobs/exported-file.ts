// The file of a finished export, put together from its parts.
import type { Vault } from '../kernel/secret'
import type { ExportSettings } from './export'
import { PART_PURPOSE, type TenantJobStore } from './job'

export type ExportedFile = { name: string; bytes: Uint8Array }

/** Null where the job is gone or has no file. */
export async function exportedFile(jobId: string, jobs: TenantJobStore, vault: Vault): Promise<ExportedFile | null> {
  const job = await jobs.find(jobId)
  if (job?.type !== 'users_export' || job.status !== 'completed') return null
  const parts = (await jobs.parts(jobId)).map((sealed) => vault.open(PART_PURPOSE, sealed))
  if (parts.includes(null)) return null
  const { format } = job.settings as ExportSettings
  return { name: `${jobId}.${format === 'csv' ? 'csv' : 'ndjson'}.gz`, bytes: Buffer.concat(parts as Buffer[]) }
}
