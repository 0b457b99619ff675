// The channel of text messages or calls of a tenant with an account of its own (threat-model.md MG32). The account is read for each
// message, so a change applies to the next one.

import { type Channel, DeliveryError } from '../../data/outbox/message'
import { PHONE_PURPOSE, type PhoneCredentials, type PhoneProvider } from '../../data/outbox/phone-providers'
import type { Clock } from '../../kernel/clock'
import type { Vault } from '../../kernel/secret'
import type { OutboundPolicy } from './outbound-guard'
import { twilioChannel } from './phone'

export type TenantPhoneDeps = {
  find(tenantId: string, channel: 'sms' | 'voice'): Promise<PhoneProvider | null>
  vault: Vault
  clock: Clock
  policy: OutboundPolicy
  /** Of the provider `custom`. */
  byAction(channel: 'sms' | 'voice', tenantId: string): Channel
}

/** Null for a tenant without an enabled provider of this channel. */
export const createTenantPhone =
  ({ find, vault, clock, policy, byAction }: TenantPhoneDeps) =>
  async (tenantId: string, channel: 'sms' | 'voice'): Promise<Channel | null> => {
    const provider = await find(tenantId, channel)
    if (!provider) return null
    if (provider.name === 'custom') return byAction(channel, tenantId)
    const plain = vault.open(PHONE_PURPOSE, provider.sealedCredentials)
    if (!plain) throw new DeliveryError('UNREADABLE', false)
    const { auth_token: token } = JSON.parse(plain.toString('utf8')) as PhoneCredentials
    const { sid, default_from: from, mssid: service } = provider.configuration
    return twilioChannel(channel, { sid, token, from, service }, { clock, policy })
  }
