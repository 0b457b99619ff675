// The mail channel of a tenant with a provider of its own (threat-model.md MG28).
// - The provider is read for each message, so a change applies to the next one.
// - The guard of outgoing requests applies to the servers that a tenant names: for SMTP the name is resolved and judged here, and
//   the connection uses the judged address with the name's certificate.
// - A refusal of the credentials is retried: the message can be sent once they are corrected.
import { isIP } from 'node:net'
import { MAIL_KINDS, MAIL_PURPOSE, type MailProvider, smtpHeaders } from '../../data/outbox/mail-providers'
import { type Channel, DeliveryError, refusedBy } from '../../data/outbox/message'
import { chosenSender } from '../../data/outbox/sender'
import type { Clock } from '../../kernel/clock'
import type { JsonObject } from '../../kernel/json'
import { lazy } from '../../kernel/lazy'
import type { Vault } from '../../kernel/secret'
import { isAllowedAddress, judgedLookup, type OutboundPolicy } from './outbound-guard'
import { post } from './post'

const loadMailer = lazy(() => import('./email'))

export type TenantMailDeps = {
  find(tenantId: string): Promise<MailProvider | null>
  vault: Vault
  clock: Clock
  policy: OutboundPolicy
  /** Of the provider `custom`. */
  byAction(channel: 'email', tenantId: string, from: string): Channel
}

/** Null for a tenant without an enabled provider. */
export const createTenantMail =
  ({ find, vault, clock, policy, byAction }: TenantMailDeps) =>
  async (tenantId: string): Promise<Channel | null> => {
    const provider = await find(tenantId)
    if (!provider) return null
    if (provider.name === 'custom') return byAction('email', tenantId, provider.from)
    const plain = vault.open(MAIL_PURPOSE, provider.sealedCredentials)
    if (!plain) throw new DeliveryError('UNREADABLE', false)
    const credentials = JSON.parse(plain.toString('utf8')) as JsonObject
    return MAIL_KINDS[provider.name].request
      ? httpChannel(provider, credentials, { clock, policy })
      : smtpChannel(provider, credentials as Smtp, policy)
  }

const httpChannel = (
  { name, from, settings }: MailProvider,
  credentials: JsonObject,
  { clock, policy }: Pick<TenantMailDeps, 'clock' | 'policy'>,
): Channel => ({
  name: 'email',
  async send(message, id) {
    const request = MAIL_KINDS[name].request?.(credentials, {
      message,
      id,
      from: chosenSender(message.from, from, 'any'),
      settings,
      at: clock.now(),
    })
    if (!request) throw new DeliveryError('ENOREQUEST', true)
    const answer = await post(request.url, { ...request, fixed: true }, policy)
    if (answer.status < 200 || answer.status >= 300)
      throw refusedBy(answer, answer.status === TOO_LARGE, REFUSALS.has(answer.status))
  },
  close: () => {},
})

/** Any other refusal ends once something is corrected: the sender, its verification, the credentials. */
const TOO_LARGE = 413
const REFUSALS: ReadonlySet<number> = new Set([400, 403, 422])

type Smtp = { smtp_host: string; smtp_port: number; smtp_user?: string; smtp_pass?: string }

/** In milliseconds, far below the lease of a message. */
const TIMEOUT = 10_000

function smtpChannel(
  { from, settings }: MailProvider,
  { smtp_host, smtp_port, smtp_user, smtp_pass }: Smtp,
  policy: OutboundPolicy,
): Channel {
  return {
    name: 'email',
    async send(message, id) {
      const host = await resolve(smtp_host, policy)
      const { createMailChannel } = await loadMailer()
      const channel = createMailChannel(
        {
          host,
          port: smtp_port,
          secure: smtp_port === 465,
          requireTLS: smtp_user !== undefined && !isLoopback(host),
          ...(smtp_user === undefined ? {} : { auth: { user: smtp_user, pass: smtp_pass ?? '' } }),
          ...(isIP(smtp_host) === 0 ? { tls: { servername: smtp_host } } : {}),
          connectionTimeout: TIMEOUT,
          greetingTimeout: TIMEOUT,
          socketTimeout: TIMEOUT,
          disableFileAccess: true,
          disableUrlAccess: true,
        },
        from,
        'any',
        smtpHeaders(settings),
      )
      await channel.send(message, id).finally(() => channel.close())
    },
    close: () => {},
  }
}

const isLoopback = (address: string): boolean =>
  !isAllowedAddress(address, { allowLoopback: false, allowPrivate: false }) &&
  isAllowedAddress(address, { allowLoopback: true, allowPrivate: false })

const resolve = (host: string, policy: OutboundPolicy): Promise<string> =>
  new Promise((done, failed) => {
    judgedLookup(policy)(host, { all: false }, (error, address) => {
      if (error) failed(new DeliveryError(error.code ?? 'ENOTFOUND', false, error))
      else done(String(address))
    })
  })
