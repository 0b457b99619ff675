// A tenant's own templates of text messages and calls, under the vendor's names (docs/management-api.md). One makes the words of a
// message; recipient and code stay those of the message.
// - A text message ends with the origin-bound code format whatever the template says (threat-model.md DB7).
import type { OutgoingMessage } from '../../data/outbox/message'
import { decodeEntities } from './entities'
import { type Compiled, compile } from './liquid'
import { sampleValues, scopeOf, type TemplateTenant, type TemplateValues } from './template-scope'

/** The vendor's templates that are sent here. */
const VERIFY = 'otp_verify'
const ENROLL = 'otp_enroll'
/** The two templates of second factors, which the vendor had first. A phone template takes their place. */
export const FACTOR_TEMPLATES = 'guardian'

/** What providers of text messages take at most. */
const MAX_TEXT = 1600

export type PhoneMessageValues = TemplateValues & { channel: 'sms' | 'voice'; code: string }

export type PhoneTemplate = { words(values: PhoneMessageValues): string; from: string | undefined }

/** Undefined where our own message is sent. `enrolls`: the code confirms a new second factor. */
export type PhoneTemplates = (channel: 'sms' | 'voice', enrolls: boolean) => PhoneTemplate | undefined

export type PhoneTemplateDocument = { id: string; body: unknown }

/** `failed` hears of a template that was stored although it is not valid. */
export function readPhoneTemplates(
  documents: readonly PhoneTemplateDocument[],
  failed: (template: string) => void,
): PhoneTemplates | undefined {
  const templates = new Map<string, PhoneTemplate>()
  const add = (key: string, source: unknown, from?: unknown): void => {
    if (typeof source !== 'string' || source.trim() === '' || templates.has(key)) return
    try {
      templates.set(key, templateOf(source, typeof from === 'string' && from !== '' ? from : undefined))
    } catch {
      failed(key)
    }
  }
  for (const { id, body } of documents) {
    const { disabled, content } = objectOf(body)
    if (disabled !== false || (id !== VERIFY && id !== ENROLL)) continue
    const { from, body: words } = objectOf(content)
    add(`${id} sms`, objectOf(words).text, from)
    add(`${id} voice`, objectOf(words).voice, from)
  }
  const older = objectOf(documents.find(({ id }) => id === FACTOR_TEMPLATES)?.body)
  for (const channel of ['sms', 'voice']) {
    add(`${VERIFY} ${channel}`, older.verification_message)
    add(`${ENROLL} ${channel}`, older.enrollment_message)
  }
  return templates.size === 0
    ? undefined
    : (channel, enrolls) => templates.get(`${enrolls ? ENROLL : VERIFY} ${channel}`)
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

function templateOf(source: string, from: string | undefined): PhoneTemplate {
  const compiled = compile(source, 'text')
  return { from, words: (values) => wordsOf(compiled, values) }
}

function wordsOf(compiled: Compiled, values: PhoneMessageValues): string {
  const words = rendered(compiled, values)
  if (!words.includes(speltOf(values))) throw new Error('the template leaves the code out')
  return words
}

const speltOf = ({ channel, code }: PhoneMessageValues): string => (channel === 'voice' ? [...code].join('.') : code)

function rendered(compiled: Compiled, values: PhoneMessageValues): string {
  const { channel, locale } = values
  const words = decodeEntities(
    compiled({
      ...scopeOf(values),
      message_type: channel,
      code: speltOf(values),
      pause: channel === 'voice' ? ', ' : '',
      requestInfo: { lang: locale },
    }),
  ).trim()
  if (words.length > MAX_TEXT) throw new Error('the template makes too long a message')
  return words
}

/** For a test message: the words with a code that opens nothing. */
export const testWords = (source: string, channel: 'sms' | 'voice', tenant: TemplateTenant): string =>
  rendered(compile(source, 'text'), { ...sampleValues(tenant), channel, code: '123456' })

/** The message in the template's words. */
export function applyPhoneTemplate(
  template: PhoneTemplate,
  message: OutgoingMessage,
  values: PhoneMessageValues,
  hostname: string,
): OutgoingMessage {
  const words = template.words(values)
  return {
    ...message,
    text: values.channel === 'sms' ? `${words}\n\n@${hostname} #${values.code}` : words,
    ...(template.from === undefined ? {} : { sender: template.from }),
  }
}
