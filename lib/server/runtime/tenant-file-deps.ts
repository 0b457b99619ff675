// What applying a tenant file needs, the same at a start and by `npm run tenant`.
import { signingKeyStore } from '../../adapters/store/prisma/keys'
import { tenantFileStore } from '../../adapters/store/prisma/tenant-file'
import type { TenantFileDeps } from '../../management/tenant-file/apply'
import { describeSecret } from '../../management/tenant-file/print'
import type { Shared } from './shared'

type Opened = Pick<Shared, 'db' | 'vault' | 'clock' | 'random' | 'bundler'> & Pick<TenantFileDeps, 'hasher'>

type Target = Pick<TenantFileDeps, 'tenantId' | 'baseUrl' | 'print'> & { printSecret(line: string): void }

export const tenantFileDeps = (
  { db, vault, clock, random, bundler, hasher }: Opened,
  { tenantId, baseUrl, print, printSecret }: Target,
): TenantFileDeps => ({
  store: tenantFileStore(db),
  signingKeys: signingKeyStore(db, tenantId),
  tenantId,
  baseUrl,
  vault,
  random,
  clock,
  hasher,
  bundler,
  print,
  loadTemplateFault: async () => (await import('../../pages/messages/liquid')).faultOf,
  loadUnusedTexts: async () => (await import('../../text/custom')).unusedTexts,
  announce: (secret) => printSecret(describeSecret(secret)),
})
