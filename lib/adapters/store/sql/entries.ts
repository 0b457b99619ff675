// Changes to metadata in SQL, so that concurrent changes to other names are kept.
import type { EntryChanges } from '../../../kernel/entries'

/** `changes` is the parameter with the result of `entryParams`. Null where nothing is left. */
export const changedEntries = (before: string, changes: string): string => `NULLIF(jsonb_strip_nulls(
  CASE WHEN ${changes}::jsonb->>'evicts' = 'true' THEN '{}' ELSE coalesce(${before}, '{}') END || (${changes}::jsonb->'set')), '{}')`

const NONE: EntryChanges = { evicts: false, set: {} }

export const entryParams = (changes: EntryChanges = NONE): [string] => [JSON.stringify(changes)]
