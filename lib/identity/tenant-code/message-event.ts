// The events of actions that deliver messages, as the vendor documents them. Pure; the caller looks up what the message names.
import type { Client } from '../../data/clients/client'
import type { Connection } from '../../data/connections/connection'
import type { Organization } from '../../data/organizations/organization'
import type { OutgoingMessage, StoredMessageCause } from '../../data/outbox/message'
import type { CustomEmailProviderEvent, CustomPhoneProviderEvent, EventTenant, SendPhoneMessageEvent } from './event'
import { eventRequest } from './event-request'
import { eventClient, eventConnection, eventOrganization, eventUser, present } from './events'
import type { EventSubject } from './subject'

/** Our name of a message → the vendor's. A message that the vendor does not send has its own name. */
const TYPES: Readonly<Record<string, string>> = {
  address_code: 'verify_email_by_code',
  reset_password: 'reset_email',
  reset_password_code: 'reset_email_by_code',
  enroll_factor: 'enrollment_email',
  welcome: 'welcome_email',
  login_code: 'verification_code',
  login_link: 'verification_code',
  mfa_code: 'mfa_oob_code',
  invitation: 'organization_invitation',
}

export const messageType = (kind: string): string => TYPES[kind] ?? kind

/** Of a message without a cause: a test of the provider. */
const TEST: StoredMessageCause = { type: 'try_provider_configuration_email', locale: 'en' }

/** What is known of the cause of a message when it is delivered. */
export type MessageFacts = {
  tenant: EventTenant
  client: Client | null
  connection: Connection | null
  organization: Organization | null
  subject: EventSubject | null
}

/** `from` is the sender that the message or else the provider names. */
export function mailEvent(message: OutgoingMessage, from: string, facts: MessageFacts): CustomEmailProviderEvent {
  const { to, subject, html, text, cause = TEST } = message
  return {
    ...sharedOf(cause, facts, { email: to, email_verified: false }),
    notification: { from, html, locale: cause.locale, message_type: cause.type, subject, text, to },
  }
}

export function phoneEvent(message: OutgoingMessage, facts: MessageFacts): CustomPhoneProviderEvent {
  const { channel, to, text, code, sender, cause = { ...TEST, type: 'otp_verify' } } = message
  return {
    ...sharedOf(cause, facts, { phone_number: to, phone_verified: false }),
    notification: {
      as_text: text,
      as_voice: text,
      ...present({ code, from: sender }),
      delivery_method: channel === 'voice' ? 'voice' : 'text',
      locale: cause.locale,
      message_type: cause.type,
      recipient: to,
    },
  }
}

/** Of the code for a second factor; null for another message, and where the user is gone. */
export function factorEvent(
  { channel, to, text, code = '', cause }: OutgoingMessage,
  { tenant, client, subject }: MessageFacts,
): SendPhoneMessageEvent | null {
  if (!cause?.factor || !subject) return null
  return {
    tenant: { id: tenant.id },
    ...(client ? { client: eventClient(client) } : {}),
    message_options: {
      action: cause.factor,
      code,
      message_type: channel === 'voice' ? 'voice' : 'sms',
      recipient: to,
      text,
    },
    request: eventRequest({ ip: cause.ip ?? '', method: 'POST', headers: {} }, {}),
    user: eventUser(subject),
  }
}

const NO_CLIENT = { client_id: '', name: '', metadata: {} }

function sharedOf(
  { ip = '' }: StoredMessageCause,
  { tenant, client, connection, organization, subject }: MessageFacts,
  recipient: { email: string; email_verified: boolean } | { phone_number: string; phone_verified: boolean },
) {
  return {
    tenant,
    client: client ? eventClient(client) : NO_CLIENT,
    ...present({
      connection: connection && eventConnection(connection),
      organization: organization && eventOrganization(organization),
    }),
    request: eventRequest({ ip, method: 'POST', headers: {} }, {}),
    user: subject ? eventUser(subject) : { ...recipient, user_metadata: {}, app_metadata: {} },
  }
}
