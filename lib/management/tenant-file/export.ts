// Exports a tenant as a file: everything that a file can apply, except secrets, password hashes and second factors.
import { stringify } from 'yaml'
import type { Vault } from '../../kernel/secret'
import type { Json, StoredUser } from './model'
import type { TenantFileReader } from './port'
import { SECTIONS } from './sections'

const PAGE = 1000

export async function exportTenantFile(store: TenantFileReader, tenantId: string, vault: Vault): Promise<string> {
  const stored = await store.configuration(tenantId)
  const users = await everyUser(store, tenantId)
  const sections = SECTIONS.flatMap((section): [string, Json][] => {
    const value = section.export(stored, users, vault)
    return value === undefined ? [] : [[section.name, value]]
  })
  return writeSections(Object.fromEntries(sections))
}

/** What the export has in one section; undefined where it has none. Sections about users have none of theirs. */
export async function exportSection(
  store: TenantFileReader,
  tenantId: string,
  vault: Vault,
  name: string,
): Promise<Json | undefined> {
  const section = SECTIONS.find((each) => each.name === name)
  return section?.export(await store.configuration(tenantId), [], vault)
}

export const writeSections = (sections: Readonly<Record<string, Json>>): string =>
  stringify(sections, { lineWidth: 0, aliasDuplicateObjects: false })

async function everyUser(store: TenantFileReader, tenantId: string): Promise<StoredUser[]> {
  const all: StoredUser[] = []
  for (let page = await store.usersAfter(tenantId, '', PAGE); page.length > 0; ) {
    all.push(...page)
    page = await store.usersAfter(tenantId, page.at(-1)?.user.id ?? '', PAGE)
  }
  return all
}
