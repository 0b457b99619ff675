// Code of the time before actions, as an action in front of the others at its trigger.
import type { Action } from '../actions/action'
import type { TriggerName } from '../trigger'

/** `ids` are those of the vendor's rules in it. */
export type LegacyAction = { action: Action; ids: readonly string[] }

export type LegacyActions = Readonly<Partial<Record<TriggerName, LegacyAction>>>
