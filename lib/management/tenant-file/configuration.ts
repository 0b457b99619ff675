// The configuration that the sections make up together.
import type { Copy } from './context'
import type { Configuration } from './model'
import { SECTIONS } from './sections'

export const COPIES: readonly Copy[] = SECTIONS.flatMap(({ copy }) => copy ?? [])

/** A tenant without anything. */
export const NOTHING: Configuration = {
  ...(Object.fromEntries<unknown>(COPIES.map(({ name, none }) => [name, none])) as Configuration),
  ...{ tenant: null, documents: [] },
}
