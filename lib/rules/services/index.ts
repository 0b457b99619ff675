// What an action may wait for, by the names that lib/rules/platform begins it with.
import type { Services } from '../sandbox/services'
import { timer } from './timer'

export const SERVICES: Services = { timer }
