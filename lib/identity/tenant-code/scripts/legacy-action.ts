// Code of the time before actions, as an action in front of the others at its trigger.
import * as z from 'zod'
import type { TriggerName } from '../../../data/tenants/triggers'
import type { Action } from '../actions/action'
import type { Need } from '../actions/need'

/** Of a rule or a hook. */
export const scriptName = z
  .string()
  .max(1000)
  .regex(/^[^-\s](?:[A-Za-z0-9\- ]*[^-\s])?$/, 'may have letters, digits, spaces and hyphens within')

/** Rules and hooks have the names of places in snake case. */
export const GEOIP = `
function $geoip(place) {
  const names = Object.entries(place || {}).map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => '_' + letter.toLowerCase()), value])
  return Object.fromEntries(names)
}
`

/** `ids` are those of the vendor's rules in it, `need` the packages that it runs with. */
export type LegacyAction = { action: Action; ids: readonly string[]; need: Need | null }

export type LegacyActions = Readonly<Partial<Record<TriggerName, LegacyAction>>>
