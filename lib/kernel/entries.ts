// Metadata of sessions and refresh tokens: names with texts, and changes to them. Pure.
import * as z from 'zod'

/** As at the vendor. */
export const MAX_ENTRIES = 25

export const entryText = z.string().max(255)
export const entryName = entryText.min(1)

export type Entries = Record<string, string>

/** Null removes a name. */
export type EntryChanges = { evicts: boolean; set: Record<string, string | null> }

export function changed(before: Entries | null, { evicts, set }: EntryChanges): Entries {
  const all = { ...(evicts ? {} : before), ...set }
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null))
}
