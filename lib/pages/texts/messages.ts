/**
 * Which messages exist and which values each one takes.
 *
 * English defines the keys; every catalogue is typed by them, so a missing or misspelt key does not compile. A test
 * holds each message of each language to exactly the placeholders listed here.
 */
import type { en } from './en'

export type MessageKey = keyof typeof en
export type Catalogue = Readonly<Record<MessageKey, string>>

export const PLACEHOLDERS = {
  'common.signed_in_as': ['user'],
  'title.error': ['title'],
  'notice.missing_identifier': ['kind'],
  'login.lead': ['client'],
  'login.identifier': ['kind'],
  'login.with': ['provider'],
  'account.lead': ['client'],
  'account.continue_as': ['user'],
  'link.lead': ['email'],
  'consent.title': ['client'],
  'consent.third_party': ['client', 'tenant'],
  'consent.returns_to': ['place'],
  'consent.list_api': ['api'],
  'consent.homepage': ['client'],
  'consent.policy': ['client'],
  'consent.terms': ['client'],
  'signup.optional': ['label'],
  'password.rule.length': ['count'],
  'password.rule.classes': ['count'],
  'password.rule.identical': ['count'],
  'password.rule.history': ['count'],
  'password.rule.max': ['count'],
  'reset.body': ['user'],
  'verify.body': ['email'],
  'verify.done_body': ['email'],
  'activate.confirm_title': ['client'],
  'passwordless.identifier': ['kind'],
  'passwordless.code_lead': ['address'],
  'passwordless.again_in': ['seconds'],
  'passwordless.link_sent': ['address'],
  'passwordless.both_sent': ['address'],
  'passwordless.link_again_in': ['seconds'],
  'passwordless.link_title': ['client'],
  'passwordless.confirm_lead': ['user'],
  'passwordless.replaces': ['user'],
  'passwordless.link_lead': ['email'],
  'mfa.lead.sms': ['name'],
  'mfa.lead.voice': ['name'],
  'mfa.lead.email': ['name'],
  'mfa.ask.sms': ['name'],
  'mfa.ask.voice': ['name'],
  'mfa.ask.email': ['name'],
  'mfa.remember': ['days'],
  'mfa.lost_body': ['tenant'],
  'recovery.file': ['user', 'tenant'],
  'push.connect_for': ['user', 'client'],
  'push.connect_replaces': ['user', 'date'],
  'push.idle_body': ['user'],
  'push.prompt_lead': ['client', 'user'],
  'confirm_logout.body': ['tenant'],
  'confirm_logout.body_client': ['client', 'tenant'],
} as const satisfies Partial<Record<MessageKey, readonly string[]>>

type Placeholders = typeof PLACEHOLDERS

/** The arguments after the key: a record of exactly the message's placeholders, or nothing. */
export type MessageValues<K extends MessageKey> = K extends keyof Placeholders
  ? [values: Readonly<Record<Placeholders[K][number], string>>]
  : []

/** Words a key in one language. Values are text, never markup: the caller's renderer escapes the result. */
export type Translate = <K extends MessageKey>(key: K, ...values: MessageValues<K>) => string
