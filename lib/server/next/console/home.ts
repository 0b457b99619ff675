// What the first page says beside the doctor's findings: what needs attention, today's numbers, and the first steps of a new tenant. Each part
// is what the role may read, and costs a bounded look-up: the log counts to a thousand.
import { X509Certificate } from 'node:crypto'
import { certificatesOf } from '../../../crypto/saml/certificate'
import { DomainError } from '../../../kernel/errors'
import { objectIn } from '../../../kernel/json'
import { administrators } from '../../../management/resources/administrators'
import { clients } from '../../../management/resources/clients'
import { connections } from '../../../management/resources/connections'
import { customDomains } from '../../../management/resources/custom-domains'
import { emailProvider } from '../../../management/resources/email-provider'
import { guardian } from '../../../management/resources/guardian'
import { logStreams } from '../../../management/resources/log-streams'
import { logs } from '../../../management/resources/logs'
import { signingKeys } from '../../../management/resources/signing-keys'
import { type SecretKind, upkeep } from '../../../management/resources/upkeep'
import { users } from '../../../management/resources/users'
import { type ConsoleKey, say } from '../../../text/console'
import { FAILURE_CODES } from './log-sentences'
import type { Console } from './page'
import { remedyOf } from './remedies'

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

/** `note`: what keeps people from taking the step themselves, with the way to it. */
export type FirstStep = { title: string; href: string; done: boolean; note?: Attention }

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
  return Promise.all(
    readable.map(async ({ key, href, ask }) => {
      const done = await ask()
      const note = key === 'home.step.person' && !done ? await closedSignUp(console) : null
      return { title: say(key), href, done, ...(note && { note }) }
    }),
  )
}

/** Null where people sign up themselves, or the role does not see whether they do. */
async function closedSignUp(console: Console): Promise<Attention | null> {
  if (!console.may(connections.list)) return null
  const databases = await console.read(connections.list, {
    query: { strategy: 'auth0', per_page: '100', fields: 'id,name,options' },
  })
  const [first] = databases
  if (!first || !databases.every(({ options }) => objectIn(options).disable_signup === true)) return null
  const setting = remedyOf('sign_up_disabled', { client: null, connection: first.id, user: null })
  return setting && { text: say('home.step.person.closed', { name: first.name }), href: setting.href }
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

/** What fails, ends or has become old. It costs a look-up for each stream, so no page waits for it. */
export async function readUpcoming(console: Console): Promise<Attention[]> {
  const found = await Promise.all([
    failingStreams(console),
    endingCertificates(console),
    failingDomains(console),
    oldKeys(console),
    endingSecrets(console),
    undeliveredMessages(console),
    oldSecrets(console),
  ])
  return found.flat()
}

async function failingStreams(console: Console): Promise<Attention[]> {
  if (!console.may(logStreams.list) || !console.may(logStreams.health)) return []
  const active = (await console.read(logStreams.list)).filter(({ status }) => status === 'active')
  const states = await Promise.all(
    active.map(async ({ id, name }) => ({ id, name, ...(await console.read(logStreams.health, { params: { id } })) })),
  )
  return states
    .filter(({ failing_since }) => failing_since !== null)
    .map(({ id, name, last_error }) => ({
      text: say('home.stream.fails', { name, why: last_error ?? '' }),
      href: `/console/streams/${id}`,
    }))
}

/** Days before the end of a certificate. */
const CERTIFICATE_NOTICE = 30

/** Of identity providers, for a role that sees the options of connections. */
async function endingCertificates(console: Console): Promise<Attention[]> {
  if (!console.may(connections.list)) return []
  const read = (strategy: string) =>
    console.read(connections.list, { query: { strategy, per_page: '100', fields: 'id,name,options' } })
  const all = (await Promise.all(['samlp', 'adfs'].map(read))).flat()
  return all.flatMap(({ id, name, options }) => {
    const { signingCert } = objectIn(options)
    if (typeof signingCert !== 'string') return []
    const ends = certificatesOf(signingCert).map((der) =>
      new Date(new X509Certificate(Buffer.from(der, 'base64')).validTo).getTime(),
    )
    if (ends.length === 0) return []
    // A connection with several goes on with the last of them.
    const days = Math.floor((Math.max(...ends) - console.now.getTime()) / DAY_MS)
    if (days > CERTIFICATE_NOTICE) return []
    const text =
      days < 0 ? say('home.certificate.ended', { name }) : say('home.certificate.ends', { name, days: String(days) })
    return [{ text, href: `/console/connections/${id}` }]
  })
}

async function failingDomains(console: Console): Promise<Attention[]> {
  if (!console.may(customDomains.list)) return []
  const all = await console.read(customDomains.list)
  return all
    .filter(({ verification }) => verification?.status === 'failed')
    .map(({ domain }) => ({ text: say('home.domain', { name: domain }), href: '/console/settings/domains' }))
}

/** Days after which a signing key is old. */
const OLD_KEY = 365

async function oldKeys(console: Console): Promise<Attention[]> {
  if (!console.may(signingKeys.list)) return []
  const current = (await console.read(signingKeys.list)).filter((key) => key.current === true)
  const ages = current.flatMap(({ current_since }) =>
    current_since ? [Math.floor((console.now.getTime() - new Date(current_since).getTime()) / DAY_MS)] : [],
  )
  const oldest = Math.max(0, ...ages)
  if (oldest < OLD_KEY) return []
  return [{ text: say('home.key.old', { days: String(oldest) }), href: '/console/security/keys' }]
}

const HOUR_MS = 3_600_000

/** Secrets of a rotation that end within a day: who still uses them fails then. */
async function endingSecrets(console: Console): Promise<Attention[]> {
  if (!console.may(clients.list)) return []
  const all = await console.read(clients.list, {
    query: { per_page: '100', fields: 'client_id,name,earlier_secret_expires_at' },
  })
  return all.flatMap(({ client_id, name, earlier_secret_expires_at: at }) => {
    const hours = at === undefined ? 0 : Math.ceil((new Date(at).getTime() - console.now.getTime()) / HOUR_MS)
    if (hours <= 0 || hours > 24) return []
    return [
      {
        text: say('home.secret.ends', { name: name ?? client_id ?? '', hours: String(hours) }),
        href: `/console/applications/${client_id}/credentials`,
      },
    ]
  })
}

const PROVIDERS = { email: '/console/providers', phone: '/console/providers/phone' } as const

async function undeliveredMessages(console: Console): Promise<Attention[]> {
  if (!console.may(upkeep.deliveries)) return []
  const found = await console.read(upkeep.deliveries)
  return (['email', 'phone'] as const).flatMap((kind) => {
    const trouble = found[kind]
    if (!trouble) return []
    const text = say(`home.undelivered.${kind}`, { count: countOf(trouble.count), why: trouble.last_error })
    return [{ text, href: PROVIDERS[kind] }]
  })
}

/** The oldest of each look: once they are changed, the next ones are shown. */
const OLD_SECRETS = { days: '365', take: '5' }

const SECRET_PAGES: Readonly<Record<SecretKind, (id: string) => string>> = {
  client: (id) => `/console/applications/${encodeURIComponent(id)}/credentials`,
  connection: (id) => `/console/connections/${encodeURIComponent(id)}`,
  email_provider: () => PROVIDERS.email,
  phone_provider: () => PROVIDERS.phone,
}

async function oldSecrets(console: Console): Promise<Attention[]> {
  if (!console.may(upkeep.oldSecrets)) return []
  const { secrets } = await console.read(upkeep.oldSecrets, { query: OLD_SECRETS })
  return secrets.map(({ kind, id, name, changed_at }) => {
    const days = Math.floor((console.now.getTime() - new Date(changed_at).getTime()) / DAY_MS)
    return { text: say(`home.secret.old.${kind}`, { name, days: String(days) }), href: SECRET_PAGES[kind](id) }
  })
}
