// What the first page says beside the doctor's findings: what needs attention, today's numbers, and the first steps of a new tenant. Each part
// is what the role may read, and costs a bounded look-up: the log counts to a thousand.
import { DomainError } from '../../../kernel/errors'
import { administrators } from '../../../management/resources/administrators'
import { clients } from '../../../management/resources/clients'
import { customDomains } from '../../../management/resources/custom-domains'
import { emailProvider } from '../../../management/resources/email-provider'
import { guardian } from '../../../management/resources/guardian'
import { logStreams } from '../../../management/resources/log-streams'
import { logs } from '../../../management/resources/logs'
import { users } from '../../../management/resources/users'
import { type ConsoleKey, say } from '../../../text/console'
import { FAILURE_CODES } from './log-sentences'
import type { Console } from './page'

export type Attention = { text: string; href: string }

const DAY_MS = 86_400_000

/** Where the log stops to count. */
const MOST = 1000

const countOf = (count: number): string => (count >= MOST ? `${MOST}+` : String(count))

const failuresBetween = (from: Date, until: Date | null): string =>
  `type:(${FAILURE_CODES.join(' OR ')}) AND date:[${from.toISOString()} TO ${until ? until.toISOString() : '*'}]`

async function failures(console: Console, from: Date, until: Date | null = null): Promise<number> {
  return (await console.list(logs.list, { query: { per_page: '1', q: failuresBetween(from, until) } })).total
}

/** Refused logins and calls of today (UTC); null for a role that reads no log. */
export async function failuresToday(console: Console): Promise<string | null> {
  if (!console.may(logs.list)) return null
  return countOf(await failures(console, new Date(Math.floor(console.now.getTime() / DAY_MS) * DAY_MS)))
}

/** More than twice as many as the day before, and enough to mean something. */
const RISES = { factor: 2, least: 20 }

export async function readAttention(console: Console): Promise<Attention[]> {
  const found = await Promise.all([risingFailures(console), blockedPeople(console), suspendedStreams(console)])
  return found.flat()
}

async function risingFailures(console: Console): Promise<Attention[]> {
  if (!console.may(logs.list)) return []
  const ago = (days: number): Date => new Date(console.now.getTime() - days * DAY_MS)
  const [late, before] = await Promise.all([failures(console, ago(1)), failures(console, ago(2), ago(1))])
  if (late < RISES.least || late < before * RISES.factor) return []
  const text = say('home.rising', { count: countOf(late), before: countOf(before) })
  return [{ text, href: '/console/logs?show=failures&since=24h' }]
}

async function blockedPeople(console: Console): Promise<Attention[]> {
  if (!console.may(users.list)) return []
  const { total } = await console.list(users.list, { query: { per_page: '1', q: 'blocked:true', search_engine: 'v3' } })
  if (total === 0) return []
  return [{ text: say('home.blocked', { count: countOf(total) }), href: '/console/users?q=blocked%3Atrue' }]
}

async function suspendedStreams(console: Console): Promise<Attention[]> {
  if (!console.may(logStreams.list)) return []
  const all = await console.read(logStreams.list)
  return all
    .filter(({ status }) => status === 'suspended')
    .map(({ id, name }) => ({ text: say('home.stream', { name }), href: `/console/streams/${id}` }))
}

export type FirstStep = { title: string; href: string; done: boolean }

/** What a new tenant lacks, as far as the role may see it. */
export async function readFirstSteps(console: Console): Promise<FirstStep[]> {
  const has = (rows: { total: number }, least: number): boolean => rows.total >= least
  const one = { query: { per_page: '1' } }
  const steps: [ConsoleKey, string, (() => Promise<boolean>) | null][] = [
    [
      'home.step.application',
      '/console/applications/new',
      console.may(clients.list) ? async () => has(await console.list(clients.list, one), 1) : null,
    ],
    [
      'home.step.person',
      '/console/users/new',
      console.may(users.list) ? async () => has(await console.list(users.list, one), 2) : null,
    ],
    ['home.step.mail', '/console/providers', console.may(emailProvider.read) ? () => hasMail(console) : null],
    [
      'home.step.domain',
      '/console/settings/domains',
      console.may(customDomains.list)
        ? async () => (await console.read(customDomains.list)).some(({ status }) => status === 'ready')
        : null,
    ],
    [
      'home.step.administrator',
      '/console/administrators',
      console.may(administrators.list) ? async () => (await console.read(administrators.list)).length > 1 : null,
    ],
    [
      'home.step.factor',
      '/console/security/factors',
      console.may(guardian.factorsList)
        ? async () => (await console.read(guardian.factorsList)).some(({ enabled }) => enabled)
        : null,
    ],
  ]
  const readable = steps.flatMap(([key, href, ask]) => (ask ? [{ key, href, ask }] : []))
  return Promise.all(readable.map(async ({ key, href, ask }) => ({ title: say(key), href, done: await ask() })))
}

async function hasMail(console: Console): Promise<boolean> {
  try {
    await console.read(emailProvider.read)
    return true
  } catch (error) {
    if (error instanceof DomainError) return false
    throw error
  }
}
