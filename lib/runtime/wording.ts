// A tenant's own texts of pages, read once for each version of them. Nothing is read or loaded where a tenant has none.
import type { Wording } from '../store/prisma/wording'
import type { Tenant } from '../tenants/settings'
import type { CustomTexts } from '../texts/catalogue'

export type OpenedWording = { customTexts: CustomTexts | undefined }

export async function openWording(
  { wording, settings }: Tenant,
  store: { list(): Promise<Wording[]> },
): Promise<OpenedWording> {
  if (wording === null) return { customTexts: undefined }
  const documents = await store.list()
  const { readCustomTexts } = await import('../texts/custom')
  const texts = documents.filter(({ kind }) => kind === 'custom-text')
  return { customTexts: readCustomTexts(texts, settings.tenant.enabled_locales) }
}
