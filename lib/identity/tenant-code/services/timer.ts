// The timers of actions.
import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod'
import type { Service } from '../sandbox/services'

const args = z.object({ milliseconds: z.number().nonnegative().catch(0) })

/** The vendor's actions end long before. */
const LONGEST_MS = 60_000

export const timer: Service = async (given, _bytes, { signal }) => {
  const { milliseconds } = args.parse(given)
  await wait(Math.min(milliseconds, LONGEST_MS), undefined, { signal })
  return {}
}
