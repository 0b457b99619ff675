// The triggers, and the actions that a tenant binds to each, in their order: a setting of the tenant, so that checking whether a
// trigger has actions needs no query.
import * as z from 'zod'
import { objectIn } from '../../kernel/json'

export const TRIGGERS = [
  'post-login',
  'credentials-exchange',
  'custom-token-exchange',
  'pre-user-registration',
  'post-user-registration',
  'password-reset-post-challenge',
  'post-change-password',
  'send-phone-message',
  'custom-phone-provider',
  'custom-email-provider',
] as const

export type TriggerName = (typeof TRIGGERS)[number]

/** At these an action delivers a message in place of the server. */
export const DELIVERING = ['custom-phone-provider', 'custom-email-provider'] as const

export type DeliveringTrigger = (typeof DELIVERING)[number]

export const isDelivering = (trigger: TriggerName): trigger is DeliveringTrigger =>
  (DELIVERING as readonly string[]).includes(trigger)

/** The vendor's limit. */
export const MAX_BOUND = 20

/** One action delivers a message. */
export const mostBound = (trigger: TriggerName): number => (isDelivering(trigger) ? 1 : MAX_BOUND)

const binding = z.object({ action_name: z.string().min(1).max(255), display_name: z.string().max(255).optional() })

export const triggersSection = z.partialRecord(z.enum(TRIGGERS), z.array(binding).max(MAX_BOUND))

export type TriggerBindings = z.output<typeof triggersSection>

/** Of the tenant's settings. */
export const bindingsIn = (settings: unknown): TriggerBindings =>
  triggersSection.parse(objectIn(settings).triggers ?? {})
