// The file of a finished export, read part by part.
import type { Vault } from '../../kernel/secret'
import type { ExportSettings } from './export'
import { PART_PURPOSE, type TenantJobStore } from './job'

export type ExportedFile = { name: string; bytes: AsyncIterable<Uint8Array> }

/** Null where the job is gone or has no file. */
export async function exportedFile(jobId: string, jobs: TenantJobStore, vault: Vault): Promise<ExportedFile | null> {
  const job = await jobs.find(jobId)
  if (job?.type !== 'users_export' || job.status !== 'completed') return null
  const { format } = job.settings as ExportSettings
  return { name: `${jobId}.${format === 'csv' ? 'csv' : 'ndjson'}.gz`, bytes: bytesOf(jobId, jobs, vault) }
}

async function* bytesOf(jobId: string, jobs: TenantJobStore, vault: Vault): AsyncGenerator<Uint8Array> {
  for (let number = 0; ; number += 1) {
    const sealed = await jobs.part(jobId, number)
    if (!sealed) return
    const bytes = vault.open(PART_PURPOSE, sealed)
    if (!bytes) throw new Error('a part of the export cannot be read')
    yield bytes
  }
}
