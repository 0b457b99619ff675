// What the pages say about each second factor, and the vendor's names of its pages. A factor without an entry does not compile; the rest
// is the object of the factor (lib/identity/mfa/factors/).
import type { FactorKind } from '../lib/pages/view'
import type { MessageKey } from '../lib/text/catalogue'
import type { PromptScreen } from '../lib/text/prompts'

type Words<Start extends string> = Extract<MessageKey, `${Start}.${string}`>

export type FactorPage = {
  /** Null for one that is issued beside another factor. `title`: where the page that confirms it has a title for it alone. */
  enroll: {
    hint: Words<'enroll.hint'>
    title?: Words<'enroll.title'>
    prompts: readonly PromptScreen[]
  } | null
  /** The words before its challenge is sent, and the button that sends it; null if it sends nothing. */
  sends: { ask: Words<'mfa.ask'>; button: Words<'mfa.send'> } | null
  /** The form of its answer: six digits, letters and digits, the approval on a device, or the browser's ceremony. */
  answer: 'digits' | 'text' | 'device' | 'key'
  challengePrompts: readonly PromptScreen[]
}

const KEY_PROMPTS = [
  'mfa-detect-browser-capabilities',
  'mfa-webauthn-not-available-error',
  'mfa-webauthn-error',
] as const

const key = (kind: 'webauthn-roaming' | 'webauthn-platform'): FactorPage => ({
  enroll: {
    hint: `enroll.hint.${kind}`,
    title: `enroll.title.${kind}`,
    prompts: [...KEY_PROMPTS, `mfa-${kind}-enrollment`],
  },
  sends: null,
  answer: 'key',
  challengePrompts: [...KEY_PROMPTS, `mfa-${kind}-challenge`],
})

const byPhone = (channel: 'sms' | 'voice', button: 'mfa.send.code' | 'mfa.send.call'): FactorPage => ({
  enroll: { hint: `enroll.hint.${channel}`, prompts: ['mfa-phone-enrollment', `mfa-${channel}-enrollment`] },
  sends: { ask: `mfa.ask.${channel}`, button },
  answer: 'digits',
  challengePrompts: ['mfa-phone-challenge', `mfa-${channel}-challenge`],
})

export const FACTOR_PAGES: Readonly<Record<FactorKind, FactorPage>> = {
  otp: {
    enroll: { hint: 'enroll.hint.otp', prompts: ['mfa-otp-enrollment-code', 'mfa-otp-enrollment-qr'] },
    sends: null,
    answer: 'digits',
    challengePrompts: ['mfa-otp-challenge'],
  },
  push: {
    enroll: { hint: 'enroll.hint.push', prompts: ['mfa-push-enrollment-qr'] },
    sends: { ask: 'mfa.ask.push', button: 'mfa.send.push' },
    answer: 'device',
    challengePrompts: ['mfa-push-challenge-push'],
  },
  sms: byPhone('sms', 'mfa.send.code'),
  voice: byPhone('voice', 'mfa.send.call'),
  email: {
    enroll: { hint: 'enroll.hint.email', prompts: [] },
    sends: { ask: 'mfa.ask.email', button: 'mfa.send.code' },
    answer: 'digits',
    challengePrompts: ['email-otp-challenge', 'mfa-email-challenge'],
  },
  'webauthn-roaming': key('webauthn-roaming'),
  'webauthn-platform': key('webauthn-platform'),
  'recovery-code': { enroll: null, sends: null, answer: 'text', challengePrompts: ['mfa-recovery-code-challenge'] },
}
