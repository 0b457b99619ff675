// What a message says, which is never recorded (threat-model.md AC14): its texts and its code, and what could be the secret of a link in
// them; and the tokens that an action judges. An action may print its event whole or in part, as text or as JSON.
import { objectIn } from '../../../kernel/json'
import type { TriggerEvents } from '../event'

/** Members of a message without a secret. */
const HARMLESS = ['action', 'delivery_method', 'from', 'locale', 'message_type', 'recipient', 'to']

/** A part of a link that could be a secret. */
const SECRET = /[\w.~%-]{16,}/g

/** Longer texts first, because a shorter one may be a part of them. */
export function secretTextsIn(event: TriggerEvents[keyof TriggerEvents]): string[] {
  const { notification, message_options, transaction } = event as Partial<Record<string, unknown>>
  const members = Object.entries({ ...objectIn(notification), ...objectIn(message_options) })
  const texts = members.flatMap(([name, value]) =>
    typeof value === 'string' && !HARMLESS.includes(name) ? [value] : [],
  )
  const codes = members.flatMap(([name, value]) => (name === 'code' ? [[...String(value)].join(', ')] : []))
  const links = texts.flatMap((text) => text.match(/https?:\/\/[^\s"'<>]+/g) ?? [])
  const secrets = links.flatMap((link) => link.match(SECRET) ?? [])
  const { subject_token, actor_token } = objectIn(transaction)
  const tokens = [subject_token, actor_token].flatMap((each) => (typeof each === 'string' && each !== '' ? [each] : []))
  const forms = [...texts, ...codes, ...links, ...secrets, ...tokens].flatMap((text) => [
    text,
    JSON.stringify(text).slice(1, -1),
  ])
  return [...new Set(forms)].sort((one, other) => other.length - one.length)
}
