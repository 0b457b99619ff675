// A tenant's custom texts, templates of messages and rules, which belong to its cached configuration.
import type { Document, DocumentKind } from '../../../management/operations/documents'
import { columns } from '../columns'
import { type Database, run } from '../database'

export type Wording = Document & { kind: Exclude<DocumentKind, 'theme'> }

/** A condition on `kind`. */
export const IS_WORDING = `kind IN ('custom-text', 'email-template', 'phone-template', 'rule', 'rules-config', 'hook')`

const LIST_WORDING = {
  name: 'wording-list',
  text: `SELECT kind, id, body FROM document WHERE tenant_id = $1 AND ${IS_WORDING}`,
  row: columns<Omit<Wording, 'body' | 'kind'> & { kind: string; body: unknown }>({
    kind: 'text',
    id: 'text',
    body: 'json',
  }),
}

export const wordingStore = ({ pool }: Database, tenantId: string) => ({
  list: async (): Promise<Wording[]> => (await run(pool, LIST_WORDING, [tenantId])) as Wording[],
})
