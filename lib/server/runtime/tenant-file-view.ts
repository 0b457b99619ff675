// What a tenant file would have of a tenant, for the console.
import { tenantFileStore } from '../../adapters/store/prisma/tenant-file'
import type { Json } from '../../kernel/json'
import { exportSection, writeSections } from '../../management/tenant-file/export'
import type { Shared } from './shared'

export type TenantFileView = {
  exportSection(name: string): Promise<Json | undefined>
  write(sections: Readonly<Record<string, Json>>): string
}

export const openTenantFileView = (tenantId: string, { db, vault }: Pick<Shared, 'db' | 'vault'>): TenantFileView => ({
  exportSection: (name) => exportSection(tenantFileStore(db), tenantId, vault, name),
  write: writeSections,
})
