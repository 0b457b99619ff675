// The email channel: SMTP (threat-model.md DB7).
// - The envelope is built here: one sender, one recipient, independent of the headers.
// - Message content cannot make the library read a file or fetch a URL.
// - Credentials are sent to another machine over TLS only.
// - Every timeout is far below the lease of a taken message.
import { getSystemErrorMap } from 'node:util'
import { createTransport } from 'nodemailer'
import type SMTPPool from 'nodemailer/lib/smtp-pool'
import type SMTPTransport from 'nodemailer/lib/smtp-transport'
import { type Channel, DeliveryError } from '../../data/outbox/message'
import { chosenSender, domainOf, type SenderDomains, senderOf } from '../../data/outbox/sender'

export type SmtpSettings = { url: string; from: string }

const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]'])

export const createEmailChannel = ({ url, from }: SmtpSettings): Channel =>
  createMailChannel(transportOptions(url), from, 'own')

/** A channel with options of the transport of its own. */
export function createMailChannel(
  options: SMTPTransport.Options | SMTPPool.Options,
  own: string,
  domains: SenderDomains,
  headers: Readonly<Record<string, string>> = {},
): Channel {
  const transport = createTransport(options)
  const { email: sender } = senderOf(own)
  const domain = domainOf(sender)
  const spelling = new Map(Object.keys(headers).map((name) => [name.toLowerCase(), name]))
  return {
    name: 'email',
    async send({ to, subject, text, html, from }, id) {
      const address = { name: '', address: to }
      const envelope = { from: sender, to: [to] }
      const { name = '', email } = chosenSender(from, own, domains)
      const messageId = `<${id}@${domain}>`
      await transport
        .sendMail({
          from: { name, address: email },
          to: address,
          envelope,
          subject,
          text,
          html,
          messageId,
          headers: { ...headers, ...AUTOMATIC },
          normalizeHeaderKey: (key) => spelling.get(key.toLowerCase()) ?? key,
        })
        .catch((error: unknown) => {
          throw asDeliveryError(error)
        })
    },
    close: () => transport.close(),
  }
}

/** Connects and authenticates without sending a message. Returns the reason of a failure, or null. */
export async function tryMailServer({ url }: SmtpSettings): Promise<string | null> {
  const transport = createTransport({ ...transportOptions(url), pool: false })
  try {
    await transport.verify()
    return null
  } catch (error) {
    return asDeliveryError(error).message
  } finally {
    transport.close()
  }
}

/** Prevents out-of-office replies to the sender's mailbox (RFC 3834). */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

function transportOptions(url: string) {
  const { username, hostname } = new URL(url)
  return {
    url,
    pool: true as const,
    maxConnections: 4,
    requireTLS: username !== '' && !LOCAL_HOSTS.has(hostname),
    connectionTimeout: 15_000,
    greetingTimeout: 15_000,
    dnsTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Only the error code and the SMTP status: the server's text may contain the address. A refused sender can be corrected. */
function asDeliveryError(error: unknown): DeliveryError {
  const code = systemCodeOf(error) ?? stringOf(error, 'code')
  const status = numberOf(error, 'responseCode')
  const reason = [code ?? 'ESMTP', status].filter((part) => part !== undefined).join(' ')
  const isFinal = status !== undefined && status >= 500
  const isRecipient = code === 'EENVELOPE' && propertyOf(error, 'command') === 'RCPT TO'
  return new DeliveryError(reason, isFinal && isRecipient, error, isFinal && code === 'EMESSAGE')
}

/** The mail client replaces the code of the operating system by its own, which says less. */
function systemCodeOf(error: unknown): string | undefined {
  const errno = numberOf(error, 'errno')
  return errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[0]
}

function stringOf(error: unknown, name: string): string | undefined {
  const value = propertyOf(error, name)
  return typeof value === 'string' && /^[A-Z_]{1,32}$/.test(value) ? value : undefined
}

function numberOf(error: unknown, name: string): number | undefined {
  const value = propertyOf(error, name)
  return typeof value === 'number' ? value : undefined
}

const propertyOf = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined
