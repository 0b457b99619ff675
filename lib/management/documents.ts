// Configuration objects that are one value each: a theme, a custom text, an e-mail template.
import type { JsonObject } from '../kernel/json'

/** Which resource a document belongs to. */
export type DocumentKind =
  | 'theme'
  | 'custom-text'
  | 'email-template'
  | 'phone-template'
  | 'rule'
  | 'rules-config'
  | 'action-module'

export type Document = { id: string; body: JsonObject }

export type DocumentStore = {
  find(kind: DocumentKind, id: string): Promise<JsonObject | null>
  list(kind: DocumentKind): Promise<Document[]>
  /** Changes a document under a lock; `alter` gets null for an absent one, and returns null to remove it. */
  change(
    kind: DocumentKind,
    id: string,
    alter: (before: JsonObject | null) => JsonObject | null,
    at: Date,
  ): Promise<{ before: JsonObject | null; after: JsonObject | null }>
}

export type DocumentDeps = { clock: { now(): Date }; documents: DocumentStore }
