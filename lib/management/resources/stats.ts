// Numbers of logins and sign-ups by day, and of active users.
import * as z from 'zod'
import { invalidQuery } from '../operations/errors'
import { operationsWith } from '../operations/operation'

export type DayCount = { date: string; logins: number; signups: number; leakedPasswords: number }

export type StatsDeps = {
  clock: { now(): Date }
  stats: {
    /** Days (UTC) in order; a day without events is absent. */
    daily(from: Date, until: Date): Promise<DayCount[]>
    /** Users who signed in since then. */
    activeSince(since: Date): Promise<number>
  }
}

const operation = operationsWith<StatsDeps>()

const DAY_MS = 86_400_000
const MAX_DAYS = 366
const SHOWN_DAYS = 31
const ACTIVE_DAYS = 30

const day = z
  .string()
  .regex(/^\d{8}$/, 'must be YYYYMMDD')
  .optional()

const shownDay = z.object({
  date: z.iso.datetime(),
  logins: z.number(),
  signups: z.number(),
  leaked_passwords: z.number(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

export const stats = {
  daily: operation({
    name: 'stats.daily',
    method: 'GET',
    path: '/stats/daily',
    summary: 'Count logins and sign-ups by day',
    scopes: ['read:stats'],
    query: z.object({ from: day, to: day }),
    status: 200,
    answer: z.array(shownDay),
    async handle({ query, deps }) {
      const last = query.to === undefined ? startOfDay(deps.clock.now()) : dayOf(query.to)
      const first = query.from === undefined ? new Date(last.getTime() - (SHOWN_DAYS - 1) * DAY_MS) : dayOf(query.from)
      if (first > last) throw invalidQuery('from is after to')
      if ((last.getTime() - first.getTime()) / DAY_MS >= MAX_DAYS) throw invalidQuery('a year at most')
      const days = await deps.stats.daily(first, new Date(last.getTime() + DAY_MS))
      return { body: days.map(present) }
    },
  }),
  activeUsers: operation({
    name: 'stats.active_users',
    method: 'GET',
    path: '/stats/active-users',
    summary: 'Count the users who signed in within 30 days',
    scopes: ['read:stats'],
    status: 200,
    answer: z.number(),
    async handle({ deps }) {
      return { body: await deps.stats.activeSince(new Date(deps.clock.now().getTime() - ACTIVE_DAYS * DAY_MS)) }
    },
  }),
}

const startOfDay = (at: Date): Date => new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS)

function dayOf(text: string): Date {
  const iso = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`
  const at = new Date(`${iso}T00:00:00.000Z`)
  if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== iso) throw invalidQuery(`${text} is no day`)
  return at
}

const present = ({ date, logins, signups, leakedPasswords }: DayCount) => ({
  date: `${date}T00:00:00.000Z`,
  logins,
  signups,
  leaked_passwords: leakedPasswords,
  created_at: `${date}T00:00:00.000Z`,
  updated_at: `${date}T00:00:00.000Z`,
})
